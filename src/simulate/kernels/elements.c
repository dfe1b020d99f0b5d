/* Phantom kernels that go through arrays once: the memory's rate decides. */
#include "simulate/kernels/charge.h"
#include "vialata/cross_entropy.h"
#include "vialata/embedding.h"
#include "vialata/rmsnorm.h"
#include "vialata/rotary.h"
#include "vialata/swiglu.h"

/* 'arrays' of rows x columns are read or written; a handful of operations for each element. */
static enum vl_status pass(double arrays, size_t rows, size_t columns)
{
    double elements = arrays * (double)rows * (double)columns;
    return vl_charge(2 * elements, elements);
}

enum vl_status vl_rmsnorm_forward(float *y, float *inv_rms, const float *x, const float *gain,
                                  size_t n, size_t d)
{
    (void)y, (void)inv_rms, (void)x, (void)gain;
    return pass(2, n, d);
}

enum vl_status vl_rmsnorm_backward_input(float *dx, const float *dy, const float *x,
                                         const float *gain, const float *inv_rms, size_t n,
                                         size_t d)
{
    (void)dx, (void)dy, (void)x, (void)gain, (void)inv_rms;
    return pass(3, n, d);
}

enum vl_status vl_rmsnorm_backward_weight(float *dgain, const float *dy, const float *x,
                                          const float *inv_rms, size_t n, size_t d)
{
    (void)dgain, (void)dy, (void)x, (void)inv_rms;
    return pass(2, n, d);
}

enum vl_status vl_swiglu_forward(float *out, const float *gate_up, size_t n, size_t ff)
{
    (void)out, (void)gate_up;
    return pass(3, n, ff);
}

enum vl_status vl_swiglu_backward_input(float *dgate_up, const float *dout, const float *gate_up,
                                        size_t n, size_t ff)
{
    (void)dgate_up, (void)dout, (void)gate_up;
    return pass(5, n, ff);
}

enum vl_status vl_cross_entropy_forward(float *losses, float *probs, const float *logits,
                                        const int32_t *targets, size_t n, size_t vocabulary)
{
    (void)losses, (void)probs, (void)logits, (void)targets;
    return pass(2, n, vocabulary);
}

enum vl_status vl_cross_entropy_backward_input(float *dlogits, const float *probs,
                                               const int32_t *targets, float scale, size_t n,
                                               size_t vocabulary)
{
    (void)dlogits, (void)probs, (void)targets, (void)scale;
    return pass(2, n, vocabulary);
}

enum vl_status vl_embedding_forward(float *x, const float *table, const int32_t *tokens, size_t n,
                                    size_t width, size_t vocabulary)
{
    (void)x, (void)table, (void)tokens, (void)vocabulary;
    return pass(2, n, width);
}

enum vl_status vl_embedding_backward_weight(float *dtable, const float *dx, const int32_t *tokens,
                                            size_t n, size_t width, size_t vocabulary)
{
    (void)dtable, (void)dx, (void)tokens, (void)vocabulary;
    return pass(3, n, width);
}

enum vl_status vl_rotary_table(float *table, size_t sequence, size_t head_width)
{
    (void)table, (void)sequence;
    return head_width % 2 == 0 ? VL_OK : VL_EINVAL; /* made before the step begins: no time */
}

enum vl_status vl_rotary_forward(float *qkv, const float *table, size_t batch, size_t sequence,
                                 size_t heads, size_t head_width)
{
    (void)qkv, (void)table;
    return pass(4, batch * sequence, heads * head_width); /* q and k, read and written */
}

enum vl_status vl_rotary_backward_input(float *dqkv, const float *table, size_t batch,
                                        size_t sequence, size_t heads, size_t head_width)
{
    (void)dqkv, (void)table;
    return pass(4, batch * sequence, heads * head_width);
}
