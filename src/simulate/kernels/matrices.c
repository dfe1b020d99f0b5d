/* Phantom kernels where matrices are multiplied: FLOPs decide. */
#include "simulate/kernels/charge.h"
#include "vialata/attention.h"
#include "vialata/linear.h"

/* Two operations for each multiply and add; each of the three matrices moves once. */
static enum vl_status product(size_t n, size_t in, size_t out)
{
    double a = (double)n, b = (double)in, c = (double)out;
    return vl_charge(2 * a * b * c, a * b + b * c + a * c);
}

enum vl_status vl_linear_forward(float *y, const float *x, const float *w, size_t n, size_t in,
                                 size_t out)
{
    (void)y, (void)x, (void)w;
    return product(n, in, out);
}

enum vl_status vl_linear_backward_input(float *dx, const float *dy, const float *w, size_t n,
                                        size_t in, size_t out)
{
    (void)dx, (void)dy, (void)w;
    return product(n, in, out);
}

enum vl_status vl_linear_backward_weight(float *dw, const float *dy, const float *x, size_t n,
                                         size_t in, size_t out)
{
    (void)dw, (void)dy, (void)x;
    return product(n, in, out);
}

/* 4 B H K T^2 operations for one pass, counted in full as MFU counts them. The probabilities never
 * leave the chip: the kernels that machines of this size run do not write them to memory. */
static enum vl_status attend(double passes, size_t batch, size_t sequence, size_t heads,
                             size_t head_width)
{
    double rows = (double)batch * (double)sequence, inner = (double)heads * (double)head_width;
    return vl_charge(passes * 4 * rows * (double)sequence * inner, passes * 4 * rows * inner);
}

enum vl_status vl_attention_forward(float *out, float *probs, const float *qkv, size_t batch,
                                    size_t sequence, size_t heads, size_t head_width)
{
    (void)out, (void)probs, (void)qkv;
    return attend(1, batch, sequence, heads, head_width);
}

enum vl_status vl_attention_backward_input(float *dqkv, float *scratch, const float *dout,
                                           const float *qkv, const float *probs, size_t batch,
                                           size_t sequence, size_t heads, size_t head_width)
{
    (void)dqkv, (void)scratch, (void)dout, (void)qkv, (void)probs;
    return attend(2, batch, sequence, heads, head_width);
}
