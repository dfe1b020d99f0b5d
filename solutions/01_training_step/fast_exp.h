/*
 * e^x in float32 that a compiler can vectorise: no branch, no call, no table.
 *
 *   e^x = 2^k e^r      k = the integer nearest to x / ln 2, so |r| <= ln 2 / 2
 *   e^r = a polynomial of degree 6. Its coefficients are almost 1 / n!; the small differences
 *         make it meet e^r at nodes spread over the interval, instead of at 0 alone
 *
 * Within 1.5 units in the last place; below about -86.6 it gives 0, above about 88.7 infinity; a
 * NaN stays a NaN.
 */
#ifndef LAB_FAST_EXP_H
#define LAB_FAST_EXP_H

#include <math.h>
#include <stdint.h>
#include <string.h>

static inline float fast_exp(float x)
{
    /* Adding 1.5 * 2^23 leaves no bits for a fraction: the sum's last bits are k. */
    const float shift = 0x1.8p23f;
    float shifted = x * 0x1.715476p+0f + shift;
    float k = shifted - shift;

    /* ln 2 in two pieces, the first short enough that k times it is exact. */
    float r = x - k * 0x1.62e4p-1f;
    r = r - k * 0x1.7f7d1cp-20f;

    float p = 0.00139262504f;
    p = p * r + 0.00836323295f;
    p = p * r + 0.0416665524f;
    p = p * r + 0.166665763f;
    p = p * r + 0.5f;
    p = p * r + 1.0f;
    p = p * r + 1.0f;

    /* 2^(k-1) by writing k - 1 into the exponent; the factor 2 left over keeps k = 128 in range. */
    uint32_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    bits = (bits + 126) << 23;
    float half_scale;
    memcpy(&half_scale, &bits, sizeof half_scale);
    float y = 2.0f * p * half_scale;

    y = x < -86.6f ? 0.0f : y;
    return x > 88.72283f ? INFINITY : y;
}

#endif
