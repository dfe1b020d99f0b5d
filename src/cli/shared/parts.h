/*
 * The parts of a page: what comes before its first heading of the second rank, and one part per such
 * heading.
 */
#ifndef VIALATA_CLI_SHARED_PARTS_H
#define VIALATA_CLI_SHARED_PARTS_H

#include <stddef.h>

#define VL_PARTS_MOST 64 /* what comes after them belongs to the last one */

struct vl_part {
    const char *begin;   /* in the page, its heading included */
    size_t length;       /* bytes */
    size_t title_length; /* of the heading at 'title'; 0 for what comes before the first */
    const char *title;
};

/* Part 0 is what comes before the first heading. Returns how many there are, at least 1. */
size_t vl_parts_of(struct vl_part parts[VL_PARTS_MOST], const char *page);

/* A copy of a part, the caller's to free; NULL without memory. */
char *vl_part_text(const struct vl_part *part);

#endif
