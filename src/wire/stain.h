/*
 * A stain: bytes that nobody should ever use, and that say where they are from.
 *
 * Memory without a value is filled with NaN, whether it is read as floats or as doubles. Whatever is
 * computed from it is that same NaN again, with the same payload. So if a result holds one, it is known
 * what was used before it was written: each stain has a number.
 *
 *   word     0111 1111 1111 1001 1100 nnnn nnnn 0101      n: the number
 */
#ifndef VIALATA_WIRE_STAIN_H
#define VIALATA_WIRE_STAIN_H

#include "wire/bag.h"

#include <stddef.h>

#define VL_STAINS 256

/* Fill memory with stain 'number'. */
void vl_stain_put(void *memory, size_t bytes, unsigned number);

/* The number of the first stain in an array of floats, doubles or whole numbers of 64 bits; -1: there
 * is none. Conversions between float and double keep a stain; so do sums of whole numbers, if what is
 * added is small. */
int vl_stain_find(const struct vl_tensor_entry *entry);

#endif
