/*
 * The toy learner in units: like that of lab 01, but it visits unit after unit and calls the hooks.
 *
 * Micro-batch k has the loss 0.5 sum_i a[k][i] (w[i] - t[k][i])^2, so its gradient is a (w - t).
 * Forward leaves w - t behind, as a model leaves activations, and backward reads the weights once
 * more, as a model does: half of the gradient comes from each. Both halves are right only if
 * backward follows its own forward and finds the same weights. With every a a power of two (or
 * zero: a rank without rows) all products are exact, and bits depend on the order of sums alone.
 */
#ifndef VIALATA_RUNNER_UNIT_TOY_H
#define VIALATA_RUNNER_UNIT_TOY_H

#include "vialata/training_step.h"
#include "wire/bag.h"
#include <stdbool.h>
#include <stddef.h>

struct vl_unit_toy {
    const struct vl_learner *learner; /* weights or gradients may be NULL if hooks lend them */
    const float *a, *t;               /* (micro_batches, count): this rank's own */
    float *residual;                  /* (count), written by forward */
    size_t fails_at;                  /* 1 + the micro-batch whose forward fails; 0: none */
    size_t backward_fails_at;         /* the same for its backward */
    size_t readies, polls;            /* how often these hooks were called */
};

/* Let a learner of 'count' elements learn this toy. "a", "t", "fails_at" and
 * "backward_fails_at" are inputs; forward
 * writes the output "residual". False if something is missing. */
bool vl_unit_toy_open(struct vl_unit_toy *toy, struct vl_learner *learner, struct vl_bag *outputs,
                      const struct vl_bag *inputs);

/* For struct vl_learner; 'model' is a struct vl_unit_toy. */
enum vl_status vl_unit_toy_forward(void *model, size_t micro_batch, double *loss);
enum vl_status vl_unit_toy_backward(void *model, size_t micro_batch);

/* A part of backward, for calls that call the hooks themselves: add the gradients of one unit of
 * micro-batch k to 'gradients', which holds that unit alone. */
void vl_unit_toy_add(const struct vl_unit_toy *toy, size_t k, size_t unit, const float *weights,
                     float *gradients);

#endif
