/*
 * Lab 01, the worked functions: read them first; the others are of the same kind.
 *
 * A matrix product goes to BLAS; everything else is a plain loop that a compiler can turn into
 * vector instructions. Arguments are checked before anything is written.
 */
#include "vialata/embedding.h"
#include "vialata/linear.h"
#include "vialata/rotary.h"

#include <cblas.h>
#include <limits.h>
#include <math.h>
#include <string.h>

enum vl_status vl_linear_forward(float *y, const float *x, const float *w, size_t n, size_t in,
                                 size_t out)
{
    if (n == 0 || out == 0)
        return VL_OK;
    if (y == NULL || (in > 0 && (x == NULL || w == NULL)))
        return VL_EINVAL;
    if (n > INT_MAX || in > INT_MAX || out > INT_MAX) /* BLAS counts in int */
        return VL_EINVAL;
    if (in == 0) { /* a sum of nothing */
        memset(y, 0, n * out * sizeof *y);
        return VL_OK;
    }
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)n, (int)out, (int)in, 1.0f, x,
                (int)in, w, (int)in, 0.0f, y, (int)out);
    return VL_OK;
}

static int tokens_in_range(const int32_t *tokens, size_t n, size_t vocabulary)
{
    for (size_t i = 0; i < n; i++)
        if (tokens[i] < 0 || (size_t)tokens[i] >= vocabulary)
            return 0;
    return 1;
}

enum vl_status vl_embedding_forward(float *x, const float *table, const int32_t *tokens, size_t n,
                                    size_t width, size_t vocabulary)
{
    if (n == 0)
        return VL_OK;
    if (tokens == NULL || !tokens_in_range(tokens, n, vocabulary))
        return VL_EINVAL;
    if (width == 0)
        return VL_OK;
    if (x == NULL || table == NULL)
        return VL_EINVAL;
    for (size_t i = 0; i < n; i++)
        memcpy(x + i * width, table + (size_t)tokens[i] * width, width * sizeof *x);
    return VL_OK;
}

enum vl_status vl_embedding_backward_weight(float *dtable, const float *dx, const int32_t *tokens,
                                            size_t n, size_t width, size_t vocabulary)
{
    if (n == 0)
        return VL_OK;
    if (tokens == NULL || !tokens_in_range(tokens, n, vocabulary))
        return VL_EINVAL;
    if (width == 0)
        return VL_OK;
    if (dtable == NULL || dx == NULL)
        return VL_EINVAL;
    for (size_t i = 0; i < n; i++) {
        float *row = dtable + (size_t)tokens[i] * width; /* a token may come twice: add */
        for (size_t j = 0; j < width; j++)
            row[j] += dx[i * width + j];
    }
    return VL_OK;
}

enum vl_status vl_rotary_table(float *table, size_t sequence, size_t head_width)
{
    if (head_width % 2 != 0)
        return VL_EINVAL;
    if (sequence == 0 || head_width == 0)
        return VL_OK;
    if (table == NULL)
        return VL_EINVAL;
    size_t half = head_width / 2;
    for (size_t t = 0; t < sequence; t++)
        for (size_t i = 0; i < half; i++) {
            double power = -2.0 * (double)i / (double)head_width;
            double angle = (double)t * pow(VL_ROTARY_THETA, power);
            table[t * head_width + i] = (float)cos(angle);
            table[t * head_width + half + i] = (float)sin(angle);
        }
    return VL_OK;
}

/* Turn q and k of every row; sign -1 turns the other way. */
static enum vl_status turn(float *qkv, const float *table, float sign, size_t batch,
                           size_t sequence, size_t heads, size_t head_width)
{
    if (head_width % 2 != 0)
        return VL_EINVAL;
    if (batch == 0 || sequence == 0 || heads == 0 || head_width == 0)
        return VL_OK;
    if (qkv == NULL || table == NULL)
        return VL_EINVAL;
    size_t half = head_width / 2;
    for (size_t row = 0; row < batch * sequence; row++) {
        const float *cosine = table + row % sequence * head_width;
        const float *sine = cosine + half;
        for (size_t head = 0; head < 2 * heads; head++) { /* those of q, then those of k */
            float *a = qkv + (row * 3 * heads + head) * head_width;
            float *b = a + half;
#pragma omp simd
            for (size_t i = 0; i < half; i++) {
                float turned = a[i] * cosine[i] - b[i] * sign * sine[i];
                b[i] = b[i] * cosine[i] + a[i] * sign * sine[i];
                a[i] = turned;
            }
        }
    }
    return VL_OK;
}

enum vl_status vl_rotary_forward(float *qkv, const float *table, size_t batch, size_t sequence,
                                 size_t heads, size_t head_width)
{
    return turn(qkv, table, 1.0f, batch, sequence, heads, head_width);
}

enum vl_status vl_rotary_backward_input(float *dqkv, const float *table, size_t batch,
                                        size_t sequence, size_t heads, size_t head_width)
{
    return turn(dqkv, table, -1.0f, batch, sequence, heads, head_width);
}
