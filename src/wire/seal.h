/*
 * A seal: 64 bits that stand for every bit of a bag's arrays, under a key.
 *
 * A timed rank seals the outputs of all its works before it learns which of them will be looked at.
 * Whoever does not know the key beforehand must have the outputs to compute it.
 */
#ifndef VIALATA_WIRE_SEAL_H
#define VIALATA_WIRE_SEAL_H

#include "wire/bag.h"

/* The order of the arrays does not matter. Reads each byte once. */
uint64_t vl_seal(const struct vl_bag *bag, uint64_t key);

#endif
