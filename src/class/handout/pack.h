/*
 * An archive that we make (zip or tar), file by file, into a stream. Times are left out, so the same
 * files give the same bytes.
 */
#ifndef VIALATA_CLASS_HANDOUT_PACK_H
#define VIALATA_CLASS_HANDOUT_PACK_H

#include "vialata/status.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct archive;

struct vl_pack {
    struct archive *archive;
};

enum vl_pack_format { VL_PACK_ZIP, VL_PACK_TAR };

/* Close it whatever is returned. VL_ENOMEM, VL_EIO. */
enum vl_status vl_pack_open(struct vl_pack *pack, enum vl_pack_format format, FILE *stream);

/* 'mode' is that of the file when it is unpacked, 0644 for example. VL_EIO (errno), VL_ENOMEM. */
enum vl_status vl_pack_bytes(struct vl_pack *pack, const char *name, unsigned mode,
                             const void *bytes, size_t n);

/* A file; it can be executed when unpacked if it can here. VL_EIO (errno), VL_ENOMEM, VL_EFORMAT if
 * it is too large or not a regular file. */
enum vl_status vl_pack_file(struct vl_pack *pack, const char *name, const char *path);

/* A folder with all regular files in it, but for hidden ones; or a file. In the order of names. */
enum vl_status vl_pack_tree(struct vl_pack *pack, const char *name, const char *path);

/* VL_EIO if the end could not be written. The stream stays open. Safe after a failed open. */
enum vl_status vl_pack_close(struct vl_pack *pack);

#endif
