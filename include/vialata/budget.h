/*
 * The budget of training, on paper: how many parameters, how many operations per token, and what
 * share of the machine's peak that is. The closed forms are yours to find; the explanation of
 * the lab leads to them.
 *
 * Conventions, kept in the whole course:
 *   - a multiply and an add are two operations (FLOPs);
 *   - parameters "that multiply" belong to matrices that every token is multiplied with: not to the
 *     embedding table (it is looked up), nor to the gains of the norms;
 *   - FLOPs per token are for forward and backward together. Attention counts in full (as if
 *     there were no mask); norms, softmax, the optimizer and recomputation do not count;
 *   - MFU = tokens per second * FLOPs per token / peak FLOPs per second (arXiv:2204.02311).
 */
#ifndef VIALATA_BUDGET_H
#define VIALATA_BUDGET_H

#include "vialata/shape.h"
#include "vialata/status.h"
#include <stddef.h>
#include <stdint.h>

/* All trainable numbers of the model, and those that multiply. */
enum vl_status vl_parameter_count(uint64_t *all, uint64_t *multiplying,
                                  const struct vl_shape *shape);

/* Floating-point operations that one token costs in training, forward and backward. */
enum vl_status vl_flops_per_token(double *flops, const struct vl_shape *shape);

/* Share of the peak, 0.4 for 40 %. peak is in FLOP/s. VL_EINVAL unless peak > 0. */
enum vl_status vl_mfu(double *mfu, double tokens_per_second, double flops_per_token, double peak);

/*
 * Numbers written down before measuring, for one shape and batch that the lab's text gives. A value
 * of zero means "not sealed yet".
 */
struct vl_training_prediction {
    uint64_t parameters;   /* all trainable numbers */
    uint64_t state_bytes;  /* weights, gradients, m and v of one device, float32 */
    double flops_per_step; /* forward and backward of the whole batch */
};

/* Your prediction. Fill in numbers, not formulas: work them out with pencil and paper. */
enum vl_status vl_predict_training(struct vl_training_prediction *prediction);

#endif
