/*
 * Lab 01, station 1, finished: forward. From the input to the loss.
 */
#include "fast_exp.h"
#include "vialata/attention.h"
#include "vialata/cross_entropy.h"
#include "vialata/rmsnorm.h"
#include "vialata/swiglu.h"

#include <cblas.h>
#include <limits.h>
#include <math.h>
#include <string.h>

enum vl_status vl_rmsnorm_forward(float *y, float *inv_rms, const float *x, const float *gain,
                                  size_t n, size_t d)
{
    if (n == 0)
        return VL_OK;
    if (inv_rms == NULL || (d > 0 && (y == NULL || x == NULL || gain == NULL)))
        return VL_EINVAL;
    for (size_t i = 0; i < n; i++) {
        const float *row = x + i * d;
        double squares = 0.0; /* in double, so that the square of a large element is finite */
#pragma omp simd reduction(+ : squares)
        for (size_t j = 0; j < d; j++)
            squares += (double)row[j] * (double)row[j];
        double mean = d > 0 ? squares / (double)d : 0.0;
        float inverse = (float)(1.0 / sqrt(mean + (double)VL_RMSNORM_EPS));
        inv_rms[i] = inverse;
#pragma omp simd
        for (size_t j = 0; j < d; j++)
            y[i * d + j] = row[j] * inverse * gain[j];
    }
    return VL_OK;
}

enum vl_status vl_swiglu_forward(float *out, const float *gate_up, size_t n, size_t ff)
{
    if (n == 0 || ff == 0)
        return VL_OK;
    if (out == NULL || gate_up == NULL)
        return VL_EINVAL;
    for (size_t i = 0; i < n; i++) {
        const float *gate = gate_up + i * 2 * ff;
        const float *up = gate + ff;
#pragma omp simd
        for (size_t j = 0; j < ff; j++)
            out[i * ff + j] = gate[j] / (1.0f + fast_exp(-gate[j])) * up[j];
    }
    return VL_OK;
}

/* y = exp(x - max x); returns its sum. With the maximum subtracted, no exponential overflows. */
static float exp_shifted(float *y, const float *x, float *maximum, size_t n)
{
    float largest = -INFINITY;
#pragma omp simd reduction(max : largest)
    for (size_t j = 0; j < n; j++)
        largest = x[j] > largest ? x[j] : largest;
    float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
    for (size_t j = 0; j < n; j++) {
        y[j] = fast_exp(x[j] - largest);
        sum += y[j];
    }
    *maximum = largest;
    return sum;
}

static void scale_row(float *x, float factor, size_t n)
{
#pragma omp simd
    for (size_t j = 0; j < n; j++)
        x[j] *= factor;
}

enum vl_status vl_cross_entropy_forward(float *losses, float *probs, const float *logits,
                                        const int32_t *targets, size_t n, size_t vocabulary)
{
    if (n == 0)
        return VL_OK;
    if (losses == NULL || probs == NULL || logits == NULL || targets == NULL)
        return VL_EINVAL;
    for (size_t i = 0; i < n; i++)
        if (targets[i] < 0 || (size_t)targets[i] >= vocabulary)
            return VL_EINVAL;
    for (size_t i = 0; i < n; i++) {
        float *row = probs + i * vocabulary;
        /* Read before it is overwritten: probs and logits may be the same memory. */
        float wanted = logits[i * vocabulary + (size_t)targets[i]];
        float largest;
        float sum = exp_shifted(row, logits + i * vocabulary, &largest, vocabulary);
        scale_row(row, 1.0f / sum, vocabulary);
        /* -log of the target's share, without forming the share, which may round to zero. */
        losses[i] = (float)(log((double)sum) + ((double)largest - (double)wanted));
    }
    return VL_OK;
}

/* Queries go through in blocks of rows. A block meets only the keys up to its own end, so the
 * masked half costs no more than the corners of the blocks on the diagonal. */
enum { QUERY_BLOCK = 32 };

enum vl_status vl_attention_forward(float *out, float *probs, const float *qkv, size_t batch,
                                    size_t sequence, size_t heads, size_t head_width)
{
    size_t width = heads * head_width;
    if (batch == 0 || sequence == 0 || heads == 0 || head_width == 0)
        return VL_OK;
    if (out == NULL || probs == NULL || qkv == NULL)
        return VL_EINVAL;
    if (sequence > INT_MAX || 3 * width > INT_MAX)
        return VL_EINVAL;
    const int row = (int)(3 * width); /* from one token to the next in qkv */
    const int t = (int)sequence, k = (int)head_width;
    const float scale = 1.0f / sqrtf((float)head_width);

    for (size_t pair = 0; pair < batch * heads; pair++) {
        size_t b = pair / heads, h = pair % heads;
        const float *q = qkv + b * sequence * 3 * width + h * head_width;
        const float *keys = q + width;
        const float *values = keys + width;
        float *p = probs + pair * sequence * sequence;
        float *o = out + b * sequence * width + h * head_width;

        for (size_t first = 0; first < sequence; first += QUERY_BLOCK) {
            size_t end = first + QUERY_BLOCK < sequence ? first + QUERY_BLOCK : sequence;
            int rows = (int)(end - first), seen = (int)end;
            cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, rows, seen, k, scale,
                        q + first * 3 * width, row, keys, row, 0.0f, p + first * sequence, t);
            for (size_t i = first; i < end; i++) {
                float *share = p + i * sequence;
                float largest;
                float sum = exp_shifted(share, share, &largest, i + 1);
                scale_row(share, 1.0f / sum, i + 1);
                /* The product below takes whole blocks: later keys count zero. */
                memset(share + i + 1, 0, (end - i - 1) * sizeof *share);
            }
            cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, k, seen, 1.0f,
                        p + first * sequence, t, values, row, 0.0f, o + first * width, (int)width);
        }
    }
    return VL_OK;
}
