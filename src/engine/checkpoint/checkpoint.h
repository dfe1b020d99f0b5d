/*
 * A checkpoint: everything a run needs to continue as if it had never stopped, in one safetensors
 * file. Without experts, other tools open it as a Llama model.
 *
 *   model.embed_tokens.weight, model.layers.0.self_attn.q_proj.weight ...   the weights
 *   optimizer.m.<name>, optimizer.v.<name>                                  AdamW's averages
 *   optimizer.step, .seed, .batch, .horizon, .lr ...                        one number each
 *   model.layers.0.mlp.gate.e_score_correction_bias ...                     the experts' bias
 *   metadata: hidden_size, num_hidden_layers ...                            the shape, as texts
 *   config.json in the same folder                                          the same, for others
 *
 * Written whole or not at all (base/file.h). Batches and rates follow from step and seed, so there
 * is no random generator's state to keep.
 */
#ifndef VIALATA_ENGINE_CHECKPOINT_CHECKPOINT_H
#define VIALATA_ENGINE_CHECKPOINT_CHECKPOINT_H

#include "engine/model/layout.h"
#include "engine/model/model.h"
#include "vialata/adamw.h"
#include "vialata/status.h"
#include <stdint.h>

/* The arrays of a run; the file has every tensor of each. */
enum vl_state_kind { VL_STATE_WEIGHTS, VL_STATE_M, VL_STATE_V, VL_STATE_KINDS };

/* The rest of a run's state. */
struct vl_training_state {
    uint64_t step; /* the last one done */
    uint64_t seed;
    uint64_t batch;
    uint64_t warmup;
    uint64_t horizon;
    uint64_t text;         /* fingerprint of the text that it learns from */
    double peak_rate;      /* of the schedule; adamw.lr changes every step and is not kept */
    double max_norm;       /* of the global gradient */
    struct vl_adamw adamw; /* betas, eps, weight decay */
    float bias_speed;      /* only with experts; 0: the bias is fixed */
    float aux_alpha;       /* likewise; 0: no auxiliary loss */
    uint64_t aux_scope;    /* its enum vl_balance_scope */
};

/* A whole model, and what its optimizer keeps. */
struct vl_whole_arrays {
    struct vl_shape shape;
    struct vl_expert_shape experts;
    float *arrays[VL_STATE_KINDS]; /* (vl_layout_parameters) each */
    float *bias;                   /* (L,E), with experts */
};

/* Weights, optimizer and state into 'path'. VL_EIO (errno), VL_ENOMEM. */
enum vl_status vl_checkpoint_save(const char *path, struct vl_model *model,
                                  const struct vl_training_state *state);

/* The same for a caller that has the whole model's arrays, but no such model. */
enum vl_status vl_checkpoint_save_arrays(const char *path, const struct vl_whole_arrays *whole,
                                         const struct vl_training_state *state);

/* Write config.json into the folder of 'path'. One that is not ours (it has no vialata_version) is
 * left unchanged, and *foreign is set. VL_EIO, VL_ENOMEM. */
enum vl_status vl_checkpoint_describe(const char *path, const struct vl_shape *shape,
                                      const struct vl_expert_shape *experts, int *foreign);

struct vl_checkpoint; /* an open file whose shape has been checked against its tensors */

/* VL_EIO (errno), VL_EFORMAT (not a checkpoint of ours, damaged, cut short), VL_ENOMEM. *reason
 * receives a short English phrase. */
enum vl_status vl_checkpoint_open(struct vl_checkpoint **checkpoint, const char *path,
                                  const char **reason);
const struct vl_shape *vl_checkpoint_shape(const struct vl_checkpoint *checkpoint);
const struct vl_expert_shape *vl_checkpoint_experts(const struct vl_checkpoint *checkpoint);

/* NULL if the file holds only weights: enough for eval and sample, not to resume a run. */
const struct vl_training_state *vl_checkpoint_state(const struct vl_checkpoint *checkpoint);

/* Fill a model of that shape, or a part of one: its weights and bias, and m and v if it learns.
 * VL_EFORMAT if one is missing. */
enum vl_status vl_checkpoint_load(const struct vl_checkpoint *checkpoint, struct vl_model *model);

/* Load this layout's part of one kind of array into 'array' (slice->count). */
enum vl_status vl_checkpoint_load_array(float *array, const struct vl_checkpoint *checkpoint,
                                        enum vl_state_kind kind, const struct vl_layout *slice);
/* The bias of the layers that this model has; without experts there is nothing to do. */
enum vl_status vl_checkpoint_load_bias(struct vl_model *model,
                                       const struct vl_checkpoint *checkpoint);
void vl_checkpoint_close(struct vl_checkpoint *checkpoint);

#endif
