/*
 * What the parts of a checkpoint are called, for writing and reading one.
 */
#ifndef VIALATA_ENGINE_CHECKPOINT_CHECKPOINT_NAMES_H
#define VIALATA_ENGINE_CHECKPOINT_CHECKPOINT_NAMES_H

#include "engine/checkpoint/checkpoint.h"
#include "wire/safetensors.h"

#define VL_CHECKPOINT_NAME 96 /* a buffer of this size holds "optimizer.m." and any tensor's name */

/* A number of a run, each a tensor of one element; the last three are there only with experts. */
struct vl_checkpoint_number {
    const char *name;
    enum vl_dtype dtype;
    size_t offset; /* in struct vl_training_state */
};
enum { VL_CHECKPOINT_NUMBERS = 15, VL_CHECKPOINT_EXPERT_NUMBERS = 3 };
extern const struct vl_checkpoint_number vl_checkpoint_numbers[VL_CHECKPOINT_NUMBERS];
size_t vl_checkpoint_number_count(const struct vl_expert_shape *experts);

/* A size of the model, a text under Hugging Face's key. */
struct vl_checkpoint_size {
    const char *key;
    size_t offset; /* in struct vl_shape, or struct vl_expert_shape */
    size_t most;
};
enum { VL_CHECKPOINT_SIZES = 6, VL_CHECKPOINT_EXPERT_SIZES = 2 };
extern const struct vl_checkpoint_size vl_checkpoint_sizes[VL_CHECKPOINT_SIZES];
extern const struct vl_checkpoint_size vl_checkpoint_expert_sizes[VL_CHECKPOINT_EXPERT_SIZES];

/* The same in all our models with experts; written as metadata and to config.json, because others
 * score differently. */
#define VL_CHECKPOINT_SCORING "sigmoid"

/* The model_type: "llama", or with experts a name that no other tool knows, since no other model
 * has plain attention with such layers. */
const char *vl_checkpoint_model_type(const struct vl_expert_shape *experts);

/* A tensor's name in the array of this kind, and its entry. */
void vl_checkpoint_name(char name[VL_CHECKPOINT_NAME], enum vl_state_kind kind,
                        const struct vl_tensor *tensor);
struct vl_tensor_entry vl_checkpoint_entry(const char *name, const struct vl_tensor *tensor,
                                           const float *array);

/* The bias of a layer's experts, (E): not a parameter, so it has neither m nor v. */
void vl_checkpoint_bias_name(char name[VL_CHECKPOINT_NAME], size_t layer);

#endif
