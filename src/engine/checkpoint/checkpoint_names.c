#include "engine/checkpoint/checkpoint_names.h"

#include <stddef.h>
#include <stdio.h>

#define AT(field) offsetof(struct vl_training_state, field)
const struct vl_checkpoint_number vl_checkpoint_numbers[VL_CHECKPOINT_NUMBERS] = {
    {"optimizer.step", VL_I64, AT(step)},
    {"optimizer.seed", VL_I64, AT(seed)},
    {"optimizer.batch", VL_I64, AT(batch)},
    {"optimizer.warmup", VL_I64, AT(warmup)},
    {"optimizer.horizon", VL_I64, AT(horizon)},
    {"optimizer.text", VL_I64, AT(text)},
    {"optimizer.lr", VL_F64, AT(peak_rate)},
    {"optimizer.max_norm", VL_F64, AT(max_norm)},
    {"optimizer.beta1", VL_F32, AT(adamw.beta1)},
    {"optimizer.beta2", VL_F32, AT(adamw.beta2)},
    {"optimizer.eps", VL_F32, AT(adamw.eps)},
    {"optimizer.weight_decay", VL_F32, AT(adamw.weight_decay)},
    {"optimizer.bias_speed", VL_F32, AT(bias_speed)}, /* from here on: only with experts */
    {"optimizer.aux_alpha", VL_F32, AT(aux_alpha)},
    {"optimizer.aux_scope", VL_I64, AT(aux_scope)},
};

size_t vl_checkpoint_number_count(const struct vl_expert_shape *experts)
{
    return experts->experts > 0 ? VL_CHECKPOINT_NUMBERS
                                : VL_CHECKPOINT_NUMBERS - VL_CHECKPOINT_EXPERT_NUMBERS;
}

const struct vl_checkpoint_size vl_checkpoint_sizes[VL_CHECKPOINT_SIZES] = {
    {"num_hidden_layers", offsetof(struct vl_shape, layers), 1u << 12},
    {"hidden_size", offsetof(struct vl_shape, width), 1u << 20},
    {"num_attention_heads", offsetof(struct vl_shape, heads), 1u << 12},
    {"intermediate_size", offsetof(struct vl_shape, ff), 1u << 20},
    {"vocab_size", offsetof(struct vl_shape, vocabulary), 1u << 20},
    {"max_position_embeddings", offsetof(struct vl_shape, sequence), 1u << 13},
};

const struct vl_checkpoint_size vl_checkpoint_expert_sizes[VL_CHECKPOINT_EXPERT_SIZES] = {
    {"n_routed_experts", offsetof(struct vl_expert_shape, experts), 1u << 12},
    {"num_experts_per_tok", offsetof(struct vl_expert_shape, chosen), 1u << 12},
};

const char *vl_checkpoint_model_type(const struct vl_expert_shape *experts)
{
    return experts->experts > 0 ? "vialata_moe" : "llama";
}

struct vl_tensor_entry vl_checkpoint_entry(const char *name, const struct vl_tensor *tensor,
                                           const float *array)
{
    struct vl_tensor_entry entry = {.name = name,
                                    .dtype = VL_F32,
                                    .count = tensor->rows * tensor->cols,
                                    .data = array != NULL ? array + tensor->offset : NULL};
    if (tensor->decays) { /* a matrix; gains are vectors */
        entry.dims = 2;
        entry.shape[0] = tensor->rows;
        entry.shape[1] = tensor->cols;
    } else {
        entry.dims = 1;
        entry.shape[0] = entry.count;
    }
    return entry;
}

void vl_checkpoint_name(char name[VL_CHECKPOINT_NAME], enum vl_state_kind kind,
                        const struct vl_tensor *tensor)
{
    static const char *const prefixes[] = {
        [VL_STATE_WEIGHTS] = "", [VL_STATE_M] = "optimizer.m.", [VL_STATE_V] = "optimizer.v."};
    snprintf(name, VL_CHECKPOINT_NAME, "%s%s", prefixes[kind], tensor->name);
}

void vl_checkpoint_bias_name(char name[VL_CHECKPOINT_NAME], size_t layer)
{
    snprintf(name, VL_CHECKPOINT_NAME, "model.layers.%zu.mlp.gate.e_score_correction_bias", layer);
}
