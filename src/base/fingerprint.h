/*
 * A short number that identifies many bytes: FNV-1a, 64 bits. It detects mix-ups and changes, not
 * malice.
 */
#ifndef VIALATA_BASE_FINGERPRINT_H
#define VIALATA_BASE_FINGERPRINT_H

#include <stddef.h>
#include <stdint.h>

#define VL_FINGERPRINT 0xcbf29ce484222325ULL /* of no bytes */

/* The fingerprint of some bytes and then 'count' more. */
uint64_t vl_fingerprint(uint64_t before, const void *bytes, size_t count);

#endif
