/*
 * What is inside a model: for model.c, activations.c (its memory) and pass.c (forward and backward)
 * alone.
 */
#ifndef VIALATA_ENGINE_INSIDE_H
#define VIALATA_ENGINE_INSIDE_H

#include "base/arena.h"
#include "engine/block.h"
#include "engine/layout.h"
#include "engine/model.h"

struct vl_model {
    struct vl_shape shape;
    struct vl_layout layout;
    struct vl_learner learner;
    struct vl_arena state;       /* weights, gradients, m, v */
    struct vl_arena activations; /* all below */
    size_t rows;                 /* room for this many sequences */
    enum vl_model_kind kind;
    enum vl_recompute recompute;
    size_t kept_bytes; /* of inputs, probs and rests: what backward asks for */
    struct vl_model_batch batch;

    float *rotary;                /* (T,K) */
    float **x;                    /* (L+1): x[l] (N,D) is the input of layer l */
    struct vl_block_saved *saved; /* (L), of the slot that each layer has */
    struct vl_block_pending pending;
    float *final_inv_rms; /* (N) */
    float *final_normed;  /* (N,D) */
    float *logits;        /* (N,V), later probs, later their gradients */
    float *losses;        /* (N) */
    float *dx;            /* (N,D), the gradient of x on its way down */
    float *dx_next;       /* (N,D) */
};

/* Memory for m->rows sequences in the mode m->recompute. */
enum vl_status vl_activations_create(struct vl_model *model);
/* An arena that asks for large pages. */
enum vl_status vl_activations_reserve(struct vl_arena *arena, size_t bytes);

/* For the learner. */
enum vl_status vl_pass_forward(void *model, size_t micro_batch, double *loss);
enum vl_status vl_pass_backward(void *model, size_t micro_batch);

#endif
