/*
 * Stains of the present case (wire/stain.h): memory that a receive has not filled yet, or that was
 * allocated and never written, and the call that each belongs to.
 */
#ifndef VIALATA_COMM_STAINS_H
#define VIALATA_COMM_STAINS_H

#include "wire/beacon.h"

#include <stddef.h>

#define VL_STAIN_BYTES ((size_t)1 << 16) /* so many at the beginning of a piece of memory */

/* Stain memory that this call, inside that contract (or NONE), receives into or has allocated. Returns
 * how many bytes: none outside of a strict case, or if 'bytes' is no more than a few. */
size_t vl_stains_put(void *memory, size_t bytes, const struct vl_beacon_call *call,
                     const struct vl_beacon_call *outer);

/* A result holds the stain of that number: note it in the beacon, unless a race is known. */
void vl_stains_tell(int number);

#endif
