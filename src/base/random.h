/*
 * Random numbers by counting: number i of stream s under seed k is a function of (k, s, i) alone.
 *
 * No state, so any rank can draw any number in any order and get the same bits on every machine:
 * only integer arithmetic and exact conversions are used.
 */
#ifndef VIALATA_BASE_RANDOM_H
#define VIALATA_BASE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* 64 random bits. */
uint64_t vl_random_bits(uint64_t seed, uint64_t stream, uint64_t index);

/* Uniform in [0, 1), 53 bits. */
double vl_random_uniform(uint64_t seed, uint64_t stream, uint64_t index);

/* Uniform integer in [0, n); n > 0. */
uint64_t vl_random_below(uint64_t n, uint64_t seed, uint64_t stream, uint64_t index);

/* out[i] = vl_random_below(n, seed, stream, i), for i < count; n at most 256. */
void vl_random_fill_below(uint8_t *out, size_t count, uint64_t n, uint64_t seed, uint64_t stream);

/* Mean 0, variance 1, nearly normal: the sum of twelve uniforms minus six (so within +-6). */
float vl_random_normal(uint64_t seed, uint64_t stream, uint64_t index);

/* out[i] = scale * normal number (first + i), for i < n. */
void vl_random_fill_normal(float *out, size_t n, float scale, uint64_t seed, uint64_t stream,
                           uint64_t first);

#endif
