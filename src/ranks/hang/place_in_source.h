/*
 * From return addresses to "forward.c:88": the innermost place in the submission's own files.
 */
#ifndef VIALATA_RANKS_HANG_PLACE_IN_SOURCE_H
#define VIALATA_RANKS_HANG_PLACE_IN_SOURCE_H

#include "sandbox/sandbox.h"
#include "wire/board.h"

#include <stddef.h>

/* A program and the folder with the files it was built from. It remembers the places of calls:
 * ranks run one program. It looks for 32 at most, and for none after the
 * sandbox's time. Begin with the first three, the rest zero. */
struct vl_place_finder {
    const char *program;
    const char *sources;
    const struct vl_sandbox *sandbox;
    uint64_t address[32];
    char *place[32];
    size_t count;
};

/* Where a rank is. The caller frees the result; NULL if no address lies in the sources. */
char *vl_place_in_source(const struct vl_place_finder *finder, const struct vl_board_rank *rank);

/* The place of the call that returns to 'address', fresh, or NULL. It fits struct vl_hang_places:
 * 'finder' is a struct vl_place_finder. */
char *vl_place_of_call(void *finder, uint64_t address);
void vl_place_finder_free(struct vl_place_finder *finder);

#endif
