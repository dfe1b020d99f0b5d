#include "base/random.h"

/* The finisher of SplitMix64 (Steele, Lea and Flood 2014, doi:10.1145/2660193.2660195). */
static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

static const uint64_t golden = 0x9e3779b97f4a7c15ULL;

/* Of all numbers of one stream. */
static uint64_t key_of(uint64_t seed, uint64_t stream)
{
    return mix(seed + golden) ^ mix(stream * golden + 0x632be59bd9b4e019ULL);
}

static uint64_t bits_of(uint64_t key, uint64_t index)
{
    return mix(mix(key + index * golden) + golden);
}

uint64_t vl_random_bits(uint64_t seed, uint64_t stream, uint64_t index)
{
    return bits_of(key_of(seed, stream), index);
}

double vl_random_uniform(uint64_t seed, uint64_t stream, uint64_t index)
{
    return (double)(vl_random_bits(seed, stream, index) >> 11) * 0x1p-53;
}

/* The high half of a 64 x 64 product: bias below n / 2^64, and no division. */
static uint64_t below(uint64_t n, uint64_t bits)
{
    return (uint64_t)(((unsigned __int128)bits * n) >> 64);
}

uint64_t vl_random_below(uint64_t n, uint64_t seed, uint64_t stream, uint64_t index)
{
    return below(n, vl_random_bits(seed, stream, index));
}

void vl_random_fill_below(uint8_t *out, size_t count, uint64_t n, uint64_t seed, uint64_t stream)
{
    const uint64_t key = key_of(seed, stream);
    for (size_t i = 0; i < count; i++)
        out[i] = (uint8_t)below(n, bits_of(key, i));
}

static float normal_of(uint64_t key, uint64_t index)
{
    uint32_t sum = 0;
    for (uint64_t word = 0; word < 3; word++) {
        uint64_t bits = bits_of(key, 3 * index + word);
        for (int piece = 0; piece < 4; piece++)
            sum += (uint32_t)(bits >> (16 * piece)) & 0xffffu;
    }
    /* Twelve 16-bit pieces average 32767.5 each; exact in a double. */
    return (float)(((double)sum - 12 * 32767.5) / 65536.0);
}

float vl_random_normal(uint64_t seed, uint64_t stream, uint64_t index)
{
    return normal_of(key_of(seed, stream), index);
}

void vl_random_fill_normal(float *out, size_t n, float scale, uint64_t seed, uint64_t stream,
                           uint64_t first)
{
    const uint64_t key = key_of(seed, stream);
    for (size_t i = 0; i < n; i++)
        out[i] = scale * normal_of(key, first + i);
}
