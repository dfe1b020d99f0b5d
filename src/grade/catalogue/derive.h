/*
 * Numbers that are derived in one direction: whoever sees one learns nothing about the key, nor
 * about another number derived from the same key.
 */
#ifndef VIALATA_GRADE_CATALOGUE_DERIVE_H
#define VIALATA_GRADE_CATALOGUE_DERIVE_H

#include <stddef.h>
#include <stdint.h>

#define VL_HMAC_BYTES 32

/* HMAC-SHA256 (RFC 2104, RFC 4231) of n bytes, under a key of key_bytes bytes. */
void vl_hmac(unsigned char mac[VL_HMAC_BYTES], const void *key, size_t key_bytes, const void *bytes,
             size_t n);

/* The first 64 bits, big-endian, of the HMAC of `purpose\0about\0whom`, on every machine. */
uint64_t vl_derive(const void *key, size_t key_bytes, const char *purpose, const char *about,
                   const char *whom);

#endif
