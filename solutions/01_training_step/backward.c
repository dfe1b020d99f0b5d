/*
 * Lab 01, station 2, finished: backward. From the loss to every weight.
 *
 * Two rules, in every function: the gradient of an input is overwritten, the gradient of a
 * weight is added to what is there.
 */
#include "fast_exp.h"
#include "vialata/attention.h"
#include "vialata/cross_entropy.h"
#include "vialata/linear.h"
#include "vialata/rmsnorm.h"
#include "vialata/swiglu.h"

#include <cblas.h>
#include <limits.h>
#include <math.h>
#include <string.h>

enum vl_status vl_linear_backward_input(float *dx, const float *dy, const float *w, size_t n,
                                        size_t in, size_t out)
{
    if (n == 0 || in == 0)
        return VL_OK;
    if (dx == NULL || (out > 0 && (dy == NULL || w == NULL)))
        return VL_EINVAL;
    if (n > INT_MAX || in > INT_MAX || out > INT_MAX)
        return VL_EINVAL;
    if (out == 0) {
        memset(dx, 0, n * in * sizeof *dx);
        return VL_OK;
    }
    /* y = x w^T, so dx (n,in) = dy (n,out) w (out,in). */
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)n, (int)in, (int)out, 1.0f, dy,
                (int)out, w, (int)in, 0.0f, dx, (int)in);
    return VL_OK;
}

enum vl_status vl_linear_backward_weight(float *dw, const float *dy, const float *x, size_t n,
                                         size_t in, size_t out)
{
    if (n == 0 || in == 0 || out == 0)
        return VL_OK;
    if (dw == NULL || dy == NULL || x == NULL)
        return VL_EINVAL;
    if (n > INT_MAX || in > INT_MAX || out > INT_MAX)
        return VL_EINVAL;
    /* dw (out,in) += dy^T (out,n) x (n,in); the factor 1 before dw makes it add. */
    cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, (int)out, (int)in, (int)n, 1.0f, dy,
                (int)out, x, (int)in, 1.0f, dw, (int)in);
    return VL_OK;
}

/* With s = 1 / (1 + exp(-g)), silu(g) = g s and silu'(g) = s (1 + g (1 - s)). */
enum vl_status vl_swiglu_backward_input(float *dgate_up, const float *dout, const float *gate_up,
                                        size_t n, size_t ff)
{
    if (n == 0 || ff == 0)
        return VL_OK;
    if (dgate_up == NULL || dout == NULL || gate_up == NULL)
        return VL_EINVAL;
    for (size_t i = 0; i < n; i++) {
        const float *gate = gate_up + i * 2 * ff;
        const float *up = gate + ff;
        float *dgate = dgate_up + i * 2 * ff;
        float *dup = dgate + ff;
#pragma omp simd
        for (size_t j = 0; j < ff; j++) {
            float g = gate[j], upstream = dout[i * ff + j];
            float s = 1.0f / (1.0f + fast_exp(-g));
            dgate[j] = upstream * up[j] * (s * (1.0f + g * (1.0f - s)));
            dup[j] = upstream * (g * s);
        }
    }
    return VL_OK;
}

/* Softmax and logarithm cancel: the gradient is probability minus one at the target. */
enum vl_status vl_cross_entropy_backward_input(float *dlogits, const float *probs,
                                               const int32_t *targets, float scale, size_t n,
                                               size_t vocabulary)
{
    if (n == 0)
        return VL_OK;
    if (dlogits == NULL || probs == NULL || targets == NULL)
        return VL_EINVAL;
    for (size_t i = 0; i < n; i++)
        if (targets[i] < 0 || (size_t)targets[i] >= vocabulary)
            return VL_EINVAL;
    for (size_t i = 0; i < n; i++) {
        size_t at = i * vocabulary + (size_t)targets[i];
        float at_target = scale * (probs[at] - 1.0f); /* read first: one array may serve as both */
#pragma omp simd
        for (size_t j = 0; j < vocabulary; j++)
            dlogits[i * vocabulary + j] = scale * probs[i * vocabulary + j];
        dlogits[at] = at_target;
    }
    return VL_OK;
}

/*
 * With z = x inv_rms (the row before the gain) and g = dy gain:
 *     dx_j = inv_rms ( g_j - z_j mean(g z) )
 * the second term because every element moves inv_rms.
 */
enum vl_status vl_rmsnorm_backward_input(float *dx, const float *dy, const float *x,
                                         const float *gain, const float *inv_rms, size_t n,
                                         size_t d)
{
    if (n == 0 || d == 0)
        return VL_OK;
    if (dx == NULL || dy == NULL || x == NULL || gain == NULL || inv_rms == NULL)
        return VL_EINVAL;
    for (size_t i = 0; i < n; i++) {
        const float *x_row = x + i * d, *dy_row = dy + i * d;
        float inverse = inv_rms[i];
        float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
        for (size_t j = 0; j < d; j++)
            sum += dy_row[j] * gain[j] * (x_row[j] * inverse);
        float mean = sum / (float)d;
#pragma omp simd
        for (size_t j = 0; j < d; j++)
            dx[i * d + j] = inverse * (dy_row[j] * gain[j] - x_row[j] * inverse * mean);
    }
    return VL_OK;
}

enum vl_status vl_rmsnorm_backward_weight(float *dgain, const float *dy, const float *x,
                                          const float *inv_rms, size_t n, size_t d)
{
    if (n == 0 || d == 0)
        return VL_OK;
    if (dgain == NULL || dy == NULL || x == NULL || inv_rms == NULL)
        return VL_EINVAL;
    for (size_t i = 0; i < n; i++) {
        float inverse = inv_rms[i];
#pragma omp simd
        for (size_t j = 0; j < d; j++)
            dgain[j] += dy[i * d + j] * (x[i * d + j] * inverse);
    }
    return VL_OK;
}

enum { QUERY_BLOCK = 32 }; /* as in forward */

/* One sequence and one head. Rows of q, k, v and of their gradients are 'row' apart, those of dout
 * 'width', those of probs and scratch t. */
struct head {
    const float *q, *keys, *values, *probs, *dout;
    float *dq, *dkeys, *dvalues, *scratch;
    size_t t, k, row, width;
};

/*
 * The block of queries [first, end) adds its share of dvalues = probs^T dout. All its rows see the
 * keys before the block. The corner on the diagonal is copied, with zeros right of the diagonal,
 * because forward may leave anything there.
 */
static void add_to_values(const struct head *head, size_t first, size_t end, float keep)
{
    size_t t = head->t, rows = end - first;
    float *corner = head->scratch;
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < rows; j++)
            corner[i * rows + j] = j <= i ? head->probs[(first + i) * t + first + j] : 0.0f;
    const float *dout = head->dout + first * head->width;
    cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, (int)rows, (int)head->k, (int)rows, 1.0f,
                corner, (int)rows, dout, (int)head->width, keep, head->dvalues + first * head->row,
                (int)head->row);
    if (first > 0)
        cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, (int)first, (int)head->k, (int)rows,
                    1.0f, head->probs + first * t, (int)t, dout, (int)head->width, keep,
                    head->dvalues, (int)head->row);
}

/*
 * Then through the softmax, in scratch (rows of the block, keys up to its end):
 *     dprobs = dout values^T      dscore_ij = probs_ij (dprobs_ij - sum_j probs_ij dprobs_ij)
 * and from the scores to dq = dscore keys / sqrt(K), dkeys = dscore^T q / sqrt(K).
 */
static void add_to_queries_and_keys(const struct head *head, size_t first, size_t end, float keep)
{
    int rows = (int)(end - first), seen = (int)end, t = (int)head->t, k = (int)head->k;
    int row = (int)head->row;
    const float scale = 1.0f / sqrtf((float)head->k);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, rows, seen, k, 1.0f,
                head->dout + first * head->width, (int)head->width, head->values, row, 0.0f,
                head->scratch, t);
    for (size_t i = first; i < end; i++) {
        const float *p = head->probs + i * head->t;
        float *d = head->scratch + (i - first) * head->t;
        float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
        for (size_t j = 0; j <= i; j++)
            sum += p[j] * d[j];
#pragma omp simd
        for (size_t j = 0; j <= i; j++)
            d[j] = p[j] * (d[j] - sum);
        memset(d + i + 1, 0, (end - i - 1) * sizeof *d);
    }
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, k, seen, scale, head->scratch, t,
                head->keys, row, 0.0f, head->dq + first * head->row, row);
    cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, seen, k, rows, scale, head->scratch, t,
                head->q + first * head->row, row, keep, head->dkeys, row);
}

enum vl_status vl_attention_backward_input(float *dqkv, float *scratch, const float *dout,
                                           const float *qkv, const float *probs, size_t batch,
                                           size_t sequence, size_t heads, size_t head_width)
{
    size_t width = heads * head_width;
    if (batch == 0 || sequence == 0 || heads == 0 || head_width == 0)
        return VL_OK;
    if (dqkv == NULL || scratch == NULL || dout == NULL || qkv == NULL || probs == NULL)
        return VL_EINVAL;
    if (sequence > INT_MAX || 3 * width > INT_MAX)
        return VL_EINVAL;
    for (size_t pair = 0; pair < batch * heads; pair++) {
        size_t b = pair / heads, h = pair % heads;
        size_t at = b * sequence * 3 * width + h * head_width;
        struct head head = {
            .q = qkv + at,
            .keys = qkv + at + width,
            .values = qkv + at + 2 * width,
            .probs = probs + pair * sequence * sequence,
            .dout = dout + b * sequence * width + h * head_width,
            .dq = dqkv + at,
            .dkeys = dqkv + at + width,
            .dvalues = dqkv + at + 2 * width,
            .scratch = scratch,
            .t = sequence,
            .k = head_width,
            .row = 3 * width,
            .width = width,
        };
        /* Last block first: it sees every key, so it overwrites what the others add to. */
        float keep = 0.0f;
        for (size_t end = sequence; end > 0;) {
            size_t first = (end - 1) / QUERY_BLOCK * QUERY_BLOCK;
            add_to_values(&head, first, end, keep);
            add_to_queries_and_keys(&head, first, end, keep);
            keep = 1.0f;
            end = first;
        }
    }
    return VL_OK;
}
