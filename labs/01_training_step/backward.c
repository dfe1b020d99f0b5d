/*
 * Lab 01, station 2: backward. From the loss back to every weight.
 *
 * One rule for the whole file: the gradient of an input is overwritten, the gradient of a weight is
 * added to what is there. Functions with _input write, functions with _weight add.
 *
 *     ./vialata grade 01 --only vl_linear_backward_input
 */
#include "vialata/attention.h"
#include "vialata/cross_entropy.h"
#include "vialata/linear.h"
#include "vialata/rmsnorm.h"
#include "vialata/swiglu.h"

/* include/vialata/linear.h: dx (n,in) from dy (n,out) and w (out,in). */
enum vl_status vl_linear_backward_input(float *dx, const float *dy, const float *w, size_t n,
                                        size_t in, size_t out)
{
    (void)dx;
    (void)dy;
    (void)w;
    (void)n;
    (void)in;
    (void)out;
    /* TODO(01): which product of dy and w has the shape (n,in)? One call of cblas_sgemm. */
    /* TODO(01): any size may be zero. With out = 0, what must dx hold? An array that should hold
     * elements must not be NULL. */
    return VL_TODO;
}

/* include/vialata/linear.h: dw (out,in), added to, from dy (n,out) and x (n,in). */
enum vl_status vl_linear_backward_weight(float *dw, const float *dy, const float *x, size_t n,
                                         size_t in, size_t out)
{
    (void)dw;
    (void)dy;
    (void)x;
    (void)n;
    (void)in;
    (void)out;
    /* TODO(01): which product of dy and x has the shape (out,in)? It is added: see beta. */
    return VL_TODO;
}

/* include/vialata/swiglu.h: dgate_up (n, 2 ff) from dout (n,ff). */
enum vl_status vl_swiglu_backward_input(float *dgate_up, const float *dout, const float *gate_up,
                                        size_t n, size_t ff)
{
    (void)dgate_up;
    (void)dout;
    (void)gate_up;
    (void)n;
    (void)ff;
    /* TODO(01): the gradient of up is dout * silu(gate). */
    /* TODO(01): the gradient of the gate is dout * up * (the slope of silu at the gate). */
    return VL_TODO;
}

/* include/vialata/cross_entropy.h: the gradient of scale * sum(losses). */
enum vl_status vl_cross_entropy_backward_input(float *dlogits, const float *probs,
                                               const int32_t *targets, float scale, size_t n,
                                               size_t vocabulary)
{
    (void)dlogits;
    (void)probs;
    (void)targets;
    (void)scale;
    (void)n;
    (void)vocabulary;
    /* TODO(01): refuse a target outside [0, vocabulary), as in forward. */
    /* TODO(01): probabilities minus one-hot, times scale. dlogits and probs may be one array. */
    return VL_TODO;
}

/* include/vialata/rmsnorm.h: dx (n,d). Every x_j moved inv_rms, and so the whole row. */
enum vl_status vl_rmsnorm_backward_input(float *dx, const float *dy, const float *x,
                                         const float *gain, const float *inv_rms, size_t n,
                                         size_t d)
{
    (void)dx;
    (void)dy;
    (void)x;
    (void)gain;
    (void)inv_rms;
    (void)n;
    (void)d;
    /* TODO(01): one number per row: the mean of dy_j * gain_j * x_j * inv_rms. */
    /* TODO(01): the row of dx, from that number. */
    return VL_TODO;
}

/* include/vialata/rmsnorm.h: dgain (d), added to: the sum over the rows. */
enum vl_status vl_rmsnorm_backward_weight(float *dgain, const float *dy, const float *x,
                                          const float *inv_rms, size_t n, size_t d)
{
    (void)dgain;
    (void)dy;
    (void)x;
    (void)inv_rms;
    (void)n;
    (void)d;
    /* TODO(01): dgain_j += dy_j * x_j * inv_rms, for every row. */
    return VL_TODO;
}

/* include/vialata/attention.h: the three gradients dq, dk, dv, laid out as qkv. */
enum vl_status vl_attention_backward_input(float *dqkv, float *scratch, const float *dout,
                                           const float *qkv, const float *probs, size_t batch,
                                           size_t sequence, size_t heads, size_t head_width)
{
    (void)dqkv;
    (void)scratch;
    (void)dout;
    (void)qkv;
    (void)probs;
    (void)batch;
    (void)sequence;
    (void)heads;
    (void)head_width;
    /* TODO(01): the gradient of the probabilities, for j <= i, into scratch. */
    /* TODO(01): back through the softmax: one sum per row, as in the explanation. */
    /* TODO(01): dq and dk from it. The factor 1/sqrt(K) belongs to both. */
    /* TODO(01): dv from probs and dout. */
    return VL_TODO;
}
