/*
 * One training step: the loop body that everything else in this course speeds up, splits or moves.
 *
 *   gradients = 0
 *   for each micro-batch k of the batch:  loss += forward(k);  backward(k)   (adds to gradients)
 *   norm  = || gradients ||                          (vl_gradient_norm)
 *   scale = min(1, max_norm / norm)                  (max_norm 0: no clipping, scale 1)
 *   for each tensor: AdamW with that scale; only tensors with 'decays' get weight decay
 *
 * A learner is anything with weights and a way to get gradients. The real one is the transformer
 * of the engine, made of your kernels; the grader also hands you a small one whose answer can be
 * written down, so that this function can be graded before the kernels work.
 *
 *   weights, gradients, m, v: (count) each, flat; tensors[] says which range is which
 */
#ifndef VIALATA_TRAINING_STEP_H
#define VIALATA_TRAINING_STEP_H

#include "vialata/adamw.h"
#include "vialata/status.h"
#include "vialata/unit_hooks.h"
#include <stddef.h>
#include <stdint.h>

/* One tensor inside the flat arrays. */
struct vl_tensor {
    char name[64]; /* as in checkpoints: model.layers.0.self_attn.q_proj.weight */
    size_t offset; /* first element in the flat arrays */
    size_t rows;   /* 1 for a vector */
    size_t cols;
    int decays; /* nonzero: weight decay applies (matrices yes, gains no) */
};

struct vl_learner {
    float *weights;
    float *gradients;
    float *m;
    float *v;
    size_t count;
    const struct vl_tensor *tensors; /* cover [0, count) without overlap */
    size_t tensor_count;
    const size_t *units; /* (unit_count + 1): where each unit begins, then 'count' */
    size_t unit_count;

    /* Loss of one micro-batch, already scaled by 1 / tokens of the whole batch: add them up. */
    enum vl_status (*forward)(void *model, size_t micro_batch, double *loss);
    /* Add this micro-batch's gradients to 'gradients'; after its forward, before the next one's. */
    enum vl_status (*backward)(void *model, size_t micro_batch);
    void *model;

    /* Called as units are used (see vialata/unit_hooks.h); NULL: none. */
    const struct vl_unit_hooks *hooks;
};

struct vl_step_result {
    double loss;          /* before the update */
    double gradient_norm; /* before clipping */
};

/*
 * Do step number 'step' (1, 2, ...) on micro_batches micro-batches (at least 1) in place, and fill
 * in result. VL_EINVAL without micro-batches. A status other than VL_OK from any function called is
 * returned at once, and nothing else is called. In both cases weights, m and v are untouched.
 */
enum vl_status vl_training_step(struct vl_learner *learner, size_t micro_batches,
                                const struct vl_adamw *settings, float max_norm, uint64_t step,
                                struct vl_step_result *result);

#endif
