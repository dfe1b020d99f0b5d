/*
 * Tensor parallelism: P ranks hold every layer together, and work on the same tokens.
 *
 *   attention      rank r has H/P heads: their rows of q, k and v, and their columns of o
 *   feed-forward   rank r has F/P rows of gate and of up, and as many columns of down
 *   embedding      rank r has V/P rows of the table; the head likewise
 *
 *        x --(enter)-- q k v | attention | o --(leave)-- y
 *       (N,D)          this rank's heads                (N,D)
 *
 * The whole x goes in. What comes out of o is one part of a sum; y is the sum over the ranks.
 *
 *                    forward        backward
 *   enter            nothing        sum of dx over the ranks
 *   leave            sum of y       nothing
 *
 * Sequence parallelism: outside enter ... leave (norms, residual stream) each rank has only N/P of
 * the tokens. What was one all-reduce travels as its two halves:
 *
 *   enter            all-gather     reduce-scatter
 *   leave            reduce-scatter all-gather
 *
 * The arrays that the operators below work on are (N,D) on every rank; under sequence parallelism
 * only the rows of chunk r (vl_chunk of N) mean anything outside enter ... leave. Sums over tokens
 * that are formed there, such as the gradient of a gain, run over these rows only. From forward to
 * backward a rank keeps these rows alone, (N/P,D): see "what is kept" below. P must divide H, F, V
 * and, under sequence parallelism, N. N may be 0. All functions communicate through
 * vialata/collectives.h only, collective over group->comm. The group may be a part of a larger job,
 * in which other groups do the same with other numbers. Source: Shoeybi et al. 2019,
 * arXiv:1909.08053; Korthikanti et al. 2022, arXiv:2205.05198.
 */
#ifndef VIALATA_TENSOR_PARALLEL_H
#define VIALATA_TENSOR_PARALLEL_H

#include "vialata/collectives.h"
#include "vialata/shape.h"
#include <stdint.h>

struct vl_tensor_group {
    MPI_Comm comm;
    int rank, ranks;
    int sequence; /* nonzero: sequence parallelism */
};

/* This rank's part of n things that are shared evenly (heads, columns, rows of the vocabulary).
 * VL_ESHAPE if the ranks do not divide n. Serial. */
enum vl_status vl_tensor_part(size_t *first, size_t *count, size_t n,
                              const struct vl_tensor_group *group);

/* ---- the operators around a layer's two halves; x (N,D) in place ---- */

enum vl_status vl_tensor_enter_forward(float *x, size_t n, size_t d,
                                       const struct vl_tensor_group *group);
enum vl_status vl_tensor_enter_backward(float *dx, size_t n, size_t d,
                                        const struct vl_tensor_group *group);
enum vl_status vl_tensor_leave_forward(float *y, size_t n, size_t d,
                                       const struct vl_tensor_group *group);
enum vl_status vl_tensor_leave_backward(float *dy, size_t n, size_t d,
                                        const struct vl_tensor_group *group);

/* The gradient of a norm's gain (D), in place, once per step, after the last micro-batch: summed
 * over the ranks under sequence parallelism. Without sequence parallelism every rank has seen all
 * tokens and has the whole gradient already. */
enum vl_status vl_tensor_gain_backward(float *dgain, size_t d, const struct vl_tensor_group *group);

/*
 * ---- what is kept ----
 *
 * The input of q k v, of gate and up, and of the head is multiplied twice: in forward by the
 * weights, and in backward by dout, for the gradient of the weights. Both products need all N rows.
 *
 *            forward                              backward
 *   whole    own rows, from the norm; gathered    own rows, from kept; gathered again
 *   kept     own rows, from whole                 as forward left it
 *
 * 'whole' (N,D) is one array for all inputs of all layers, so in backward it holds something else.
 * 'kept' (rows,D) is this input's own, and it stays until backward.
 */

/* How many rows of an input this rank keeps: as few as possible. Without sequence parallelism that
 * is all N, since nothing is gathered again. VL_ESHAPE if under sequence parallelism P does not
 * divide N. Serial: the engine takes this much memory for each input. */
enum vl_status vl_tensor_kept_rows(size_t *rows, size_t n, const struct vl_tensor_group *group);
/* In forward, instead of enter: whole (N,D) has this rank's rows where they belong. On return kept
 * (rows,D) holds them, and whole is what vl_tensor_enter_forward makes of it. */
enum vl_status vl_tensor_input_forward(float *whole, float *kept, size_t n, size_t d,
                                       const struct vl_tensor_group *group);
/* In backward: whole (N,D), overwritten, is again what forward has made of it. Sends under sequence
 * parallelism what enter sends in forward, and nothing without. */
enum vl_status vl_tensor_input_backward(float *whole, const float *kept, size_t n, size_t d,
                                        const struct vl_tensor_group *group);

/* ---- the vocabulary ---- */

/* out (N,D), overwritten: rows of the table for tokens (N), of which this rank has rows first ..
 * first + V/P - 1 in table (V/P,D). Every rank gets all of out, or only its own chunk under
 * sequence parallelism. VL_EINVAL for a token outside 0 .. V-1. */
enum vl_status vl_tensor_embedding_forward(float *out, const float *table, const int32_t *tokens,
                                           size_t n, size_t d, size_t vocabulary,
                                           const struct vl_tensor_group *group);
/* dtable (V/P,D), added to, from dx (N,D). Every rank has all of dx, or only its own chunk under
 * sequence parallelism. dx is scratch afterwards. */
enum vl_status vl_tensor_embedding_backward(float *dtable, float *dx, const int32_t *tokens,
                                            size_t n, size_t d, size_t vocabulary,
                                            const struct vl_tensor_group *group);

/*
 * Cross-entropy of logits whose columns are shared: logits (N,V/P) here. losses (N) and probs
 * (N,V/P), of the whole vocabulary's softmax, the same losses on every rank; probs may be logits.
 * Logits are never gathered: each rank sends 3 floats per token (its maximum, its sum, and the
 * target's logit). scratch (N * (P + 2)) floats. VL_EINVAL for a target outside 0 .. V-1.
 */
enum vl_status vl_tensor_cross_entropy_forward(float *losses, float *probs, float *scratch,
                                               const float *logits, const int32_t *targets,
                                               size_t n, size_t vocabulary,
                                               const struct vl_tensor_group *group);
/* dlogits (N,V/P), overwritten; may be probs. scale as in vialata/cross_entropy.h. Serial. */
enum vl_status vl_tensor_cross_entropy_backward(float *dlogits, const float *probs,
                                                const int32_t *targets, float scale, size_t n,
                                                size_t vocabulary,
                                                const struct vl_tensor_group *group);

/* ---- on paper ---- */

/* All-reduces (or their two halves) of N x D elements in forward and backward of a whole model of
 * 'layers' layers, including those of the embedding and the head. */
enum vl_status vl_tensor_all_reduces(uint64_t *count, size_t layers);
/* Bytes one rank sends in forward and backward of a micro-batch, where P divides everything: the
 * all-reduces above and what the cross-entropy sends (not gains, nor inputs that are gathered
 * again). VL_EINVAL for ranks < 1. */
enum vl_status vl_tensor_sent_bytes(double *bytes, const struct vl_shape *shape, size_t rows,
                                    int ranks);
/* Bytes it sends in addition under sequence parallelism, where P divides everything: the inputs of
 * a whole model that backward gathers again, the head's included. VL_EINVAL for ranks < 1. */
enum vl_status vl_tensor_again_bytes(uint64_t *bytes, const struct vl_shape *shape, size_t rows,
                                     int ranks);
/* Bytes that the layers' forward leaves for backward on one rank: the input, probs and rest of
 * vialata/recompute.h, nothing recomputed. Inside enter ... leave a rank has its part of the heads
 * and of F; outside, all tokens or its own. VL_EINVAL for ranks < 1. */
enum vl_status vl_tensor_kept_bytes(uint64_t *bytes, const struct vl_shape *shape, size_t rows,
                                    int ranks, int sequence);

/* Written down before measuring, for the case that the lab's text gives; zero: not sealed yet. */
struct vl_tensor_prediction {
    uint64_t all_reduces;
    uint64_t sent_bytes;
    uint64_t weights_bytes; /* that one rank holds */
};
enum vl_status vl_predict_tensor_parallel(struct vl_tensor_prediction *prediction);

#endif
