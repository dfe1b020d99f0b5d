/*
 * Places: are the rows of a wrong array the right ones, in each other's places?
 *
 *   should be   a a a      came out   a a a
 *               b b b                 c c c     row 1 has what row 2 should have
 *               c c c                 b b b
 *
 * The same of its columns, and of the numbers of a single row.
 */
#ifndef VIALATA_GRADE_JUDGE_PLACES_H
#define VIALATA_GRADE_JUDGE_PLACES_H

#include "wire/bag.h"
#include <stdbool.h>
#include <stddef.h>

struct vl_places {
    bool rows, columns; /* which of them changed places; neither: single numbers did */
    size_t place, from; /* the first one that is not in its own place, and whose it has */
};

/* Looks at every row: each must be one of the expected rows, as near as 'near' (relative), and none may be
 * there twice. False if they are not, are too many to compare, or without memory. */
bool vl_places_find(struct vl_places *places, const struct vl_tensor_entry *got,
                    const struct vl_tensor_entry *expected, double near);

#endif
