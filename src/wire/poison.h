/*
 * Poison: what is in an array's memory until somebody writes there, so that an unwritten element is
 * found. Of real numbers a NaN that no arithmetic produces, of whole numbers the least one, of bytes
 * VL_POISON_BYTE.
 */
#ifndef VIALATA_WIRE_POISON_H
#define VIALATA_WIRE_POISON_H

#include "wire/safetensors.h"

#include <stdbool.h>

#define VL_POISON_BITS 0x7fc5eaf0u /* of a float */
#define VL_POISON_BYTE 0xff

void vl_poison_fill(void *data, size_t bytes, enum vl_dtype dtype);

/* Is element i poison? */
bool vl_poison_is(const void *data, enum vl_dtype dtype, size_t i);

/* How many of n bytes are poison, counted in whole blocks from the beginning, or from the end. */
#define VL_POISON_BLOCK 4096 /* bytes */
size_t vl_poison_ahead(const void *data, size_t n, enum vl_dtype dtype);
size_t vl_poison_behind(const void *data, size_t n, enum vl_dtype dtype);

#endif
