/*
 * The guards of a bag's arrays, shown to somebody who trusts nothing that the bag's process says.
 *
 *   in memory   | guard | x | guard |   | guard | y | guard |
 *   in the bag  x, y, "guards" (1, 2): 16384 bytes of 0xa5 on rank 0, of 0xa6 on rank 1
 *
 * "guards" (runs, 2) says what all bytes of all guards are, one after the other: so many of this value,
 * then so many of that. The runner only reports them; the grader looks whether they are what they were.
 * Each rank has a value of its own, so that the guards of one, sent to another, are seen there.
 */
#ifndef VIALATA_WIRE_GUARDS_H
#define VIALATA_WIRE_GUARDS_H

#include "wire/bag.h"

#define VL_GUARDS_NAME "guards"

/* Add the guards as they are now, of all arrays so far. False without memory or a bag. */
bool vl_guards_add(struct vl_bag *bag);

/* What the guards of a rank hold. */
unsigned char vl_guard_of(int rank);

/* 1 + the place of the first array whose guards do not hold 'value', 0 if there is none. -1 if the bag
 * does not show the guards of every array before them. */
int64_t vl_guards_damaged(const struct vl_bag *bag, unsigned char value);

#endif
