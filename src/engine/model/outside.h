/*
 * A layer outside enter and leave: norms and the residual stream, of this rank's tokens.
 *
 *   x --(norm, enter)--> whole --> product ... product --> sums --(leave, + x)--> out
 *  own                     N                                N                     own
 *
 * Under sequence parallelism a rank has only the rows of its own tokens there: own_first ..
 * own_first + own - 1 of N. What forward leaves is kept for backward, so x and out are (own,D) and
 * inv_rms is (own). whole and sums are (N,D) and serve every layer in turn. A gradient lives for one
 * layer, so it has all rows, (N,D); outside, only those of this rank mean something.
 *
 * Without sequence parallelism own is N, and whole and sums are the input's and out's own memory.
 */
#ifndef VIALATA_ENGINE_MODEL_OUTSIDE_H
#define VIALATA_ENGINE_MODEL_OUTSIDE_H

#include "engine/model/block.h"

/* Fill in tensor, own_first, own and kept; batch and sequence must be set. VL_ESHAPE if under
 * sequence parallelism the ranks do not divide the tokens. */
enum vl_status vl_outside_share(struct vl_block_size *size, const struct vl_tensor_group *tensor);

/* The norm before a product, and enter: *whole (N,D) is the product's input, until the next call.
 * kept (kept,D) is what stays of it. */
enum vl_status vl_outside_input(const float **whole, float *kept, float *inv_rms, const float *x,
                                const float *gain, const struct vl_block_size *size);
/* The same input once more, in backward. */
enum vl_status vl_outside_input_again(const float **whole, float *kept,
                                      const struct vl_block_size *size);

/* Where a sum is formed that leave is given. */
float *vl_outside_sums(float *out, const struct vl_block_size *size);
/* out = sums, added up over the places, + x, which has gone past the layer. */
enum vl_status vl_outside_leave(float *out, float *sums, const float *x,
                                const struct vl_block_size *size);

/* ---- backward; in place but for the norm's two parts ---- */

enum vl_status vl_outside_leave_backward(float *dy, const struct vl_block_size *size);
enum vl_status vl_outside_enter_backward(float *dx, const struct vl_block_size *size);
enum vl_status vl_outside_norm_backward_input(float *dx, const float *dout, const float *x,
                                              const float *gain, const float *inv_rms,
                                              const struct vl_block_size *size);
enum vl_status vl_outside_norm_backward_weight(float *dgain, const float *dout, const float *x,
                                               const float *inv_rms,
                                               const struct vl_block_size *size);
/* sum += dx, of this rank's tokens. */
void vl_outside_add(float *sum, const float *dx, const struct vl_block_size *size);

#endif
