/*
 * What is inside a model: only for the engine's own files.
 *
 *   model.c         a model, made and freed
 *   batch.c         the batch of a step
 *   buffers.c       buffers for the micro-batches that live at once
 *   activations.c   the memory behind them
 *   units.c         what one unit computes
 *   pass.c          forward and backward, one micro-batch at a time
 *   stretch.c       the tasks of a schedule
 *   pipeline.c      a stage's tasks and messages
 *
 * A rank's layers form stretches of consecutive layers: one stretch, or in a pipeline one for each
 * chunk. A micro-batch holds a *forward buffer* of a stretch from its forward to the end of its
 * backward, and a *backward buffer* from the input part of backward to the end of the weight part.
 */
#ifndef VIALATA_ENGINE_MODEL_INSIDE_H
#define VIALATA_ENGINE_MODEL_INSIDE_H

#include "base/arena.h"
#include "engine/model/block.h"
#include "engine/model/layout.h"
#include "engine/model/model.h"

/* What forward leaves behind. */
struct vl_forward_buffer {
    size_t taken;                   /* 1 + the micro-batch that has it, 0: free */
    float **x;                      /* (layers+1): x[l] (own,D) is the input of layer l */
    struct vl_block_saved *saved;   /* (layers): where its forward writes */
    struct vl_moe_routing *routing; /* (layers), with experts: each layer's own */
    float *final_inv_rms;           /* (own); these three only with the head */
    float *final_normed;            /* (kept,D) */
    float *logits;                  /* (N,V), later probs, later their gradients */
};

/* What the input part of backward leaves behind. */
struct vl_backward_buffer {
    size_t taken;
    float **dx;                       /* (layers+1): gradient of x[l], but (N,D) */
    struct vl_block_saved *saved;     /* (layers): where backward finds them, restored or not */
    struct vl_block_pending *pending; /* (layers) */
    float *final_dnormed;             /* (N,D), only with the head */
};

struct vl_stretch {
    size_t layers;
    size_t unit;        /* the first of its units among the model's */
    size_t first_layer; /* among the model's layers here */
    int embeds, has_head;
    struct vl_forward_buffer *forward_buffers; /* (forward_count) */
    size_t forward_count;
    struct vl_backward_buffer *backward_buffers; /* (backward_count) */
    size_t backward_count;
    float **leaving; /* (micro-batches): gradients to send to the stage before, some in the same
                      * memory; NULL: none */
};

struct vl_model {
    struct vl_shape shape;
    struct vl_layout layout;
    struct vl_learner learner;
    struct vl_arena state;       /* weights, gradients, m, v */
    struct vl_arena activations; /* all floats below */
    size_t rows;                 /* the most sequences of a micro-batch */
    enum vl_model_kind kind;
    enum vl_recompute recompute;
    struct vl_tensor_group tensor; /* ranks > 1: this rank has a place in it */
    struct vl_moe_size moe;        /* experts > 0: layers have them */
    struct vl_moe_working moe_working;
    struct vl_model_balance balance;
    struct vl_auxiliary auxiliary;
    double *balance_scratch; /* (2,E) */
    size_t kept_bytes;       /* of inputs, probs and rests: what backward needs */
    struct vl_model_batch batch;

    struct vl_stretch *stretches; /* (stretch_count) */
    size_t stretch_count;
    float *rotary;                /* (T,K) */
    float *losses;                /* (N) */
    float *scratch;               /* of the shared vocabulary's cross-entropy */
    float *whole, *sums;          /* as in struct vl_block_size */
    double *micro_loss;           /* (micro-batches of the pipeline) */
    size_t *unfinished;           /* (units): micro-batches whose weight part is still to come */
    size_t unready;               /* dense units whose gradients are not yet reported ready */
    size_t unready_experts;       /* and experts' units */
    int forgets_rest;             /* a stage restores rests into its backward buffers */
    int closing;                  /* this backward is the last of the step */
    struct vl_pipeline *pipeline; /* NULL: all layers are here */
};

/* A visit of one micro-batch to a stretch. */
struct vl_visit {
    struct vl_model *model;
    struct vl_stretch *stretch;
    struct vl_forward_buffer *forward;
    struct vl_backward_buffer *backward;
    const int32_t *tokens, *targets;
    size_t n; /* tokens of this micro-batch */
    struct vl_block_size size;
};

/* Memory for model->rows sequences in the mode model->recompute; in a pipeline, for all
 * micro-batches that live at once. */
enum vl_status vl_activations_create(struct vl_model *model);
void vl_activations_free(struct vl_model *model);
/* Stretches and their buffers, still without memory behind them. Free them even after VL_ENOMEM. */
enum vl_status vl_buffers_create(struct vl_model *model);
void vl_buffers_free(struct vl_model *model);
/* An arena that asks for large pages. */
enum vl_status vl_activations_reserve(struct vl_arena *arena, size_t bytes);

/* The tensor group; NULL: this rank is alone in it. */
const struct vl_tensor_group *vl_model_group(const struct vl_model *model);

/* A visit of micro-batch 'micro' of the batch; the caller fills in the two buffers. */
enum vl_status vl_visit_micro(struct vl_visit *visit, struct vl_model *model,
                              struct vl_stretch *stretch, size_t micro);
/* A visit of tokens that are not part of the batch. */
enum vl_status vl_visit_tokens(struct vl_visit *visit, struct vl_model *model,
                               const int32_t *tokens, size_t rows, size_t sequence);

/* ---- units: 'weights' and 'gradients' are of the unit ---- */

enum vl_status vl_unit_borrow(float **weights, const struct vl_model *model, size_t unit);
enum vl_status vl_unit_give_back(const struct vl_model *model, size_t unit);
/* The unit comes next: its weights may be fetched while the one that is borrowed computes. */
enum vl_status vl_unit_prefetch(const struct vl_model *model, size_t unit);
enum vl_status vl_unit_gradients(float **gradients, const struct vl_model *model, size_t unit);
/* Sum over the tensor group what needs it (gains, routers), then call the ready hook. */
enum vl_status vl_unit_ready(const struct vl_model *model, size_t unit, float *gradients);

/* The same for layer l of a stretch; with experts it has a second unit. */
enum vl_status vl_layer_borrow(struct vl_block_weights *weights, const struct vl_visit *visit,
                               size_t layer);
enum vl_status vl_layer_give_back(const struct vl_visit *visit, size_t layer);
/* Of a layer that comes next. Layer 'layers' is the head; where a stretch ends, nothing is next. */
enum vl_status vl_layer_prefetch(const struct vl_visit *visit, size_t layer);
enum vl_status vl_layer_gradients(struct vl_block_weights *gradients, const struct vl_visit *visit,
                                  size_t layer);
size_t vl_layer_unit(const struct vl_visit *visit, size_t layer);
/* Its experts' unit; 0 without experts. */
size_t vl_layer_expert_unit(const struct vl_visit *visit, size_t layer);

/* Forward of all units of a stretch, borrowed and given back one by one: from x[0] (or tokens) to
 * x[layers] (or logits). */
enum vl_status vl_visit_forward(const struct vl_visit *visit);
/* Sum of the losses of logits, which become probabilities. */
enum vl_status vl_visit_losses(double *sum, const struct vl_visit *visit);

/* The two parts of backward. The head's arrays begin with its norm's gain, and its input part
 * writes dx[layers] of the stretch. */
enum vl_status vl_head_backward_input(const struct vl_visit *visit, const float *gain);
enum vl_status vl_head_backward_weight(const struct vl_visit *visit, float *dgain);
enum vl_status vl_layer_backward_input(const struct vl_visit *visit, size_t layer,
                                       const struct vl_block_weights *weights);
enum vl_status vl_layer_backward_weight(const struct vl_visit *visit, size_t layer,
                                        struct vl_block_weights *gradients);
enum vl_status vl_embedding_backward(const struct vl_visit *visit, float *gradients);
/* Before a layer's input part: what forward has forgotten. 'layers' as lab 05 counts them. */
enum vl_status vl_layer_restore(const struct vl_visit *visit, size_t layer,
                                const struct vl_block_weights *weights, size_t layers);

/* For the learner. */
enum vl_status vl_pass_forward(void *model, size_t micro, double *loss);
enum vl_status vl_pass_backward(void *model, size_t micro);

#endif
