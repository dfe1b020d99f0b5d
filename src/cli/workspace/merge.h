/*
 * Two changes of one text, brought together by git.
 */
#ifndef VIALATA_CLI_WORKSPACE_MERGE_H
#define VIALATA_CLI_WORKSPACE_MERGE_H

#include "vialata/status.h"
#include <stddef.h>

struct vl_text_bytes {
    char *bytes; /* NULL: none */
    size_t n;
};

/* 'base' with the changes of both, freed by the caller. It has no bytes if they contradict each other,
 * or where git is missing. VL_EIO (errno; there is no room for temporary files), VL_ENOMEM. */
enum vl_status vl_merge(struct vl_text_bytes *merged, const struct vl_text_bytes *mine,
                        const struct vl_text_bytes *base, const struct vl_text_bytes *theirs);

#endif
