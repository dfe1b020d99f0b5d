/*
 * Where in its sources a watched program makes a call. Ranks have the same code at different addresses, so an
 * address is looked for in the modules of all of them (wire/watched.h), and is known if they agree. The line is
 * addr2line's, from debug information (`-g`); without that the place is the file with the code, "libsolver.so".
 */
#ifndef VIALATA_CLI_MPI_PROGRAM_PLACES_H
#define VIALATA_CLI_MPI_PROGRAM_PLACES_H

#include "ranks/hang/hang.h"
#include <stddef.h>
#include <stdint.h>

#define VL_PROGRAM_PLACES 64 /* that are remembered */

struct vl_program_places {
    const char *folder; /* with modules.RANK */
    int ranks;
    struct vl_program_place {
        char *path;
        uint64_t place; /* in that file, which is the same on all ranks */
        char *text;
    } known[VL_PROGRAM_PLACES];
    size_t count;
    bool lacks_lines; /* a place was found that has no line: the program was compiled without -g */
};

/* As in struct vl_hang_places: 'places' is a struct vl_program_places, zeroed but for its first two. */
char *vl_program_place(void *places, uint64_t address);
void vl_program_places_free(struct vl_program_places *places);

#endif
