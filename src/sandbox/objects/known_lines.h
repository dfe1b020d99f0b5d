/*
 * Where in its sources an address of a program lies, once it has been found: a start of addr2line behind the wall
 * takes some 50 ms, and ranks that wait for one another are at the same few lines, in one case after the other.
 */
#ifndef VIALATA_SANDBOX_OBJECTS_KNOWN_LINES_H
#define VIALATA_SANDBOX_OBJECTS_KNOWN_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#define VL_KNOWN_LINES 256

/* The addresses that were asked for together, of one program as it was then. */
struct vl_known_line {
    dev_t device;
    ino_t file;
    struct timespec changed;
    uint64_t *addresses;
    size_t count;
    char *text; /* NULL: none of them lies in the sources */
};

/* All zero at the beginning. When it is full, nothing more is kept. */
struct vl_known_lines {
    struct vl_known_line list[VL_KNOWN_LINES];
    size_t count;
};

/* True if these addresses of this program are known; *text is then fresh, or NULL (also without memory). */
bool vl_known_lines_find(char **text, const struct vl_known_lines *lines, const char *program,
                         const uint64_t *addresses, size_t count);

/* Keep what was found; without memory, or if there is no such program, it is not kept. */
void vl_known_lines_keep(struct vl_known_lines *lines, const char *program,
                         const uint64_t *addresses, size_t count, const char *text);

/* Forget all. */
void vl_known_lines_free(struct vl_known_lines *lines);

#endif
