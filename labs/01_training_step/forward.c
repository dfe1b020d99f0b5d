/*
 * Lab 01, station 1: forward. From the input to the loss.
 *
 * Begin with vl_rmsnorm_forward. It is ten lines long and needs nothing else. Then, in a terminal:
 *
 *     ./vialata grade 01 --only vl_rmsnorm_forward
 *
 * The contracts are in include/vialata/. worked.c shows finished functions of the same kind.
 * Remove a (void) line as soon as you use its argument.
 */
#include "vialata/attention.h"
#include "vialata/cross_entropy.h"
#include "vialata/rmsnorm.h"
#include "vialata/swiglu.h"

/* include/vialata/rmsnorm.h: y_j = x_j * inv_rms * gain_j, row by row. */
enum vl_status vl_rmsnorm_forward(float *y, float *inv_rms, const float *x, const float *gain,
                                  size_t n, size_t d)
{
    (void)y;
    (void)inv_rms;
    (void)x;
    (void)gain;
    (void)n;
    (void)d;
    /* TODO(01): for each of the n rows, add up the squares of its d elements. */
    /* TODO(01): inv_rms of the row = 1 / sqrt(mean of the squares + VL_RMSNORM_EPS). */
    /* TODO(01): write the row of y, and return VL_OK. */
    return VL_TODO;
}

/* include/vialata/swiglu.h: silu(gate) * up. */
enum vl_status vl_swiglu_forward(float *out, const float *gate_up, size_t n, size_t ff)
{
    (void)out;
    (void)gate_up;
    (void)n;
    (void)ff;
    /* TODO(01): a row of gate_up holds ff gates, then ff ups; a row of out holds ff results. */
    return VL_TODO;
}

/* include/vialata/cross_entropy.h: softmax of each row, then -log of the target's share. */
enum vl_status vl_cross_entropy_forward(float *losses, float *probs, const float *logits,
                                        const int32_t *targets, size_t n, size_t vocabulary)
{
    (void)losses;
    (void)probs;
    (void)logits;
    (void)targets;
    (void)n;
    (void)vocabulary;
    /* TODO(01): refuse a target outside [0, vocabulary) with VL_EINVAL. */
    /* TODO(01): softmax of the row, its maximum subtracted. probs and logits may be one array. */
    /* TODO(01): the loss, without taking the logarithm of a number that became zero. */
    return VL_TODO;
}

/* include/vialata/attention.h: softmax(q k^T / sqrt(K)) v, each token seeing only j <= i. */
enum vl_status vl_attention_forward(float *out, float *probs, const float *qkv, size_t batch,
                                    size_t sequence, size_t heads, size_t head_width)
{
    (void)out;
    (void)probs;
    (void)qkv;
    (void)batch;
    (void)sequence;
    (void)heads;
    (void)head_width;
    /* TODO(01): for one sequence and one head, find where its q, k and v begin, and how far apart
     * two tokens are. */
    /* TODO(01): the scores of row i, for j <= i only. */
    /* TODO(01): softmax of the row, its maximum subtracted first. Keep it in probs. */
    /* TODO(01): out_i = sum over j <= i of probs[i][j] v_j. */
    /* TODO(01): right numbers first. Then hand blocks of rows to cblas_sgemm. */
    return VL_TODO;
}
