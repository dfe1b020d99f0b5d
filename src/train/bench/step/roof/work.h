/*
 * What an operator has to do, by its formula: FLOPs and bytes.
 *
 *   flops  an add, a subtraction, a multiplication, a division, a root, an exponential or a logarithm
 *          is one each, and a sum of d terms is d; comparisons are not counted. Causal attention is
 *          counted as its header defines it: T (T+1) / 2 pairs (i, j <= i) for each sequence and head.
 *          (vialata/budget.h counts all T^2 pairs, and of all operators only the products.)
 *   bytes  what must be read and written once, 4 bytes per element: no caches, no second visit. What is
 *          added to is read and written. A working array (attention's scratch) costs nothing.
 *
 * Letters as in vialata/shape.h; n rows. A pair costs 2K per product.
 *
 *                                  flops                          elements
 *   zeroing                        0                              n
 *   embedding_forward              0                              n + min(n,V) D + n D
 *   embedding_backward_weight      n D                            n + n D + 2 min(n,V) D
 *   rmsnorm_forward                n (4 d + 4)                    2 n d + d + n
 *   rmsnorm_backward_input         n (6 d + 4)                    3 n d + d + n
 *   rmsnorm_backward_weight        3 n d                          2 n d + 2 d + n
 *   linear_forward                 2 n in out                     n in + in out + n out
 *   linear_backward_input          2 n in out                     n in + in out + n out
 *   linear_backward_weight         2 n in out                     n in + 2 in out + n out
 *   rotary                         6 B T H K                      4 B T H K + T K
 *   attention_forward              pairs (4 K + 5)                4 B T H K + pairs
 *   attention_backward_input       pairs (8 K + 5)                7 B T H K + pairs
 *   swiglu_forward                 4 n F                          3 n F
 *   swiglu_backward_input          10 n F                         5 n F
 *   cross_entropy_forward          n (4 V + 1)                    2 n V + 2 n
 *   cross_entropy_backward_input   n (V + 1)                      2 n V + n
 *   gradient_norm                  2 n + 1                        n
 *   adamw                          17 n                           7 n
 *
 * The embedding's rows: a row of the table that several tokens use is read once, so there are at most
 * min(n,V) of them. What is counted per element and per row:
 *
 *   rmsnorm_forward         x^2, sum, inv_rms x, gain x (4); per row mean, + eps, root, inverse (4)
 *   rmsnorm_backward_input  t = dy gain, sum of t x (2), dx = inv_rms t - c x (3);
 *                           per row c = sum inv_rms^3 / d (4)
 *   rmsnorm_backward_weight dy x inv_rms, added (3)
 *   rotary                  a pair of elements of q or k: four products, two sums
 *   attention_forward       q k (2K), scale, subtract the maximum, exp, sum, divide (5), p v (2K)
 *   attention_backward      p dout -> dv, dout v -> dp, dscore k -> dq, dscore q -> dk (8K);
 *                           sum of dp p (2), subtract, times p, scale (3)
 *   swiglu_forward          exp, 1 +, divide, times up
 *   swiglu_backward         s = 1 / (1 + exp(-g)) (3), g s, dup = dout g s, 1 - s, times g s, + s,
 *                           dout up, times that
 *   cross_entropy_forward   subtract the maximum, exp, sum, divide; per row log
 *   cross_entropy_backward  times scale; per row the 1 of the target
 *   adamw                   g (1), m (3), v (4), m^ and v^ (2), root, + eps, divide, decay times w, +,
 *                           lr times that, w - that (7)
 */
#ifndef VIALATA_TRAIN_BENCH_WORK_H
#define VIALATA_TRAIN_BENCH_WORK_H

#include <stddef.h>

struct vl_work {
    double flops;
    double bytes;
};

struct vl_work vl_work_zeroing(size_t n);
struct vl_work vl_work_embedding_forward(size_t n, size_t width, size_t vocabulary);
struct vl_work vl_work_embedding_backward_weight(size_t n, size_t width, size_t vocabulary);
struct vl_work vl_work_rmsnorm_forward(size_t n, size_t d);
struct vl_work vl_work_rmsnorm_backward_input(size_t n, size_t d);
struct vl_work vl_work_rmsnorm_backward_weight(size_t n, size_t d);
/* Forward, and the gradient of the input: the same sizes. */
struct vl_work vl_work_linear(size_t n, size_t in, size_t out);
struct vl_work vl_work_linear_backward_weight(size_t n, size_t in, size_t out);
/* Forward and backward: the same. */
struct vl_work vl_work_rotary(size_t batch, size_t sequence, size_t heads, size_t head_width);
struct vl_work vl_work_attention_forward(size_t batch, size_t sequence, size_t heads,
                                         size_t head_width);
struct vl_work vl_work_attention_backward_input(size_t batch, size_t sequence, size_t heads,
                                                size_t head_width);
struct vl_work vl_work_swiglu_forward(size_t n, size_t ff);
struct vl_work vl_work_swiglu_backward_input(size_t n, size_t ff);
struct vl_work vl_work_cross_entropy_forward(size_t n, size_t vocabulary);
struct vl_work vl_work_cross_entropy_backward_input(size_t n, size_t vocabulary);
struct vl_work vl_work_gradient_norm(size_t n);
struct vl_work vl_work_adamw(size_t n);

/* One after the other. */
static inline struct vl_work vl_work_add(struct vl_work a, struct vl_work b)
{
    return (struct vl_work){a.flops + b.flops, a.bytes + b.bytes};
}

#endif
