/* Writing a checkpoint. */
#include "engine/checkpoint/checkpoint.h"

#include "engine/check.h"
#include "engine/checkpoint/checkpoint_names.h"
#include "vialata/rmsnorm.h"
#include "vialata/rotary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- tensors ---- */

/* The entries listed so far; 'names' holds their names. */
struct list {
    struct vl_tensor_entry *entries;
    char (*names)[VL_CHECKPOINT_NAME];
    size_t count;
};

static void list_arrays(struct list *list, const struct vl_layout *layout,
                        const struct vl_whole_arrays *whole)
{
    for (int kind = 0; kind < VL_STATE_KINDS; kind++)
        for (size_t i = 0; i < layout->tensor_count; i++, list->count++) {
            char *name = list->names[list->count];
            vl_checkpoint_name(name, (enum vl_state_kind)kind, &layout->tensors[i]);
            list->entries[list->count] =
                vl_checkpoint_entry(name, &layout->tensors[i], whole->arrays[kind]);
        }
}

static void list_bias(struct list *list, const struct vl_whole_arrays *whole)
{
    size_t e = whole->experts.experts;
    for (size_t layer = 0; e > 0 && layer < whole->shape.layers; layer++, list->count++) {
        char *name = list->names[list->count];
        vl_checkpoint_bias_name(name, layer);
        list->entries[list->count] = (struct vl_tensor_entry){.name = name,
                                                              .dtype = VL_F32,
                                                              .dims = 1,
                                                              .shape = {e},
                                                              .count = e,
                                                              .data = whole->bias + layer * e};
    }
}

static void list_numbers(struct list *list, const struct vl_training_state *state, size_t count)
{
    for (size_t i = 0; i < count; i++)
        list->entries[list->count++] =
            (struct vl_tensor_entry){.name = vl_checkpoint_numbers[i].name,
                                     .dtype = vl_checkpoint_numbers[i].dtype,
                                     .dims = 1,
                                     .shape = {1},
                                     .count = 1,
                                     .data = (const char *)state + vl_checkpoint_numbers[i].offset};
}

/* ---- the shape, as texts ---- */

enum { METADATA = 24, TEXT = 32 };

struct texts {
    struct vl_metadata metadata[METADATA];
    char values[METADATA][TEXT];
    size_t count;
};

static void add_text(struct texts *texts, const char *key, const char *value)
{
    char *own = texts->values[texts->count];
    snprintf(own, TEXT, "%s", value);
    texts->metadata[texts->count++] = (struct vl_metadata){key, own};
}

static void add_count(struct texts *texts, const char *key, size_t value)
{
    char text[TEXT];
    snprintf(text, sizeof text, "%zu", value);
    add_text(texts, key, text);
}

static void add_sizes(struct texts *texts, const void *shape,
                      const struct vl_checkpoint_size *sizes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t value;
        memcpy(&value, (const char *)shape + sizes[i].offset, sizeof value);
        add_count(texts, sizes[i].key, value);
    }
}

static void tell_experts(struct texts *texts, const struct vl_whole_arrays *whole)
{
    char scale[TEXT];
    if (whole->experts.experts == 0)
        return;
    snprintf(scale, sizeof scale, "%.9g", (double)whole->experts.scale);
    add_sizes(texts, &whole->experts, vl_checkpoint_expert_sizes, VL_CHECKPOINT_EXPERT_SIZES);
    add_count(texts, "moe_intermediate_size", whole->shape.ff);
    add_text(texts, "n_shared_experts", "1");
    add_text(texts, "routed_scaling_factor", scale);
    add_text(texts, "scoring_func", VL_CHECKPOINT_SCORING);
    add_text(texts, "norm_topk_prob", "true");
    if (whole->experts.groups > 0) {
        add_count(texts, "n_group", whole->experts.groups);
        add_count(texts, "topk_group", whole->experts.limit);
    }
}

static void tell_model(struct texts *texts, const struct vl_whole_arrays *whole)
{
    char eps[TEXT], theta[TEXT];
    snprintf(eps, sizeof eps, "%g", (double)VL_RMSNORM_EPS);
    snprintf(theta, sizeof theta, "%.1f", VL_ROTARY_THETA);
    add_sizes(texts, &whole->shape, vl_checkpoint_sizes, VL_CHECKPOINT_SIZES);
    add_count(texts, "num_key_value_heads", whole->shape.heads);
    add_text(texts, "rms_norm_eps", eps);
    add_text(texts, "rope_theta", theta);
    add_text(texts, "model_type", vl_checkpoint_model_type(&whole->experts));
    tell_experts(texts, whole);
}

/* ---- the file ---- */

static enum vl_status write_file(const char *path, const struct vl_layout *layout,
                                 const struct vl_whole_arrays *whole,
                                 const struct vl_training_state *state)
{
    size_t numbers = vl_checkpoint_number_count(&whole->experts);
    size_t most = VL_STATE_KINDS * layout->tensor_count + whole->shape.layers + numbers;
    struct list list = {calloc(most, sizeof *list.entries), calloc(most, sizeof *list.names), 0};
    struct texts texts = {.count = 0};
    enum vl_status status = VL_ENOMEM;
    if (list.entries != NULL && list.names != NULL) {
        list_arrays(&list, layout, whole);
        list_bias(&list, whole);
        list_numbers(&list, state, numbers);
        tell_model(&texts, whole);
        status = vl_safetensors_write(path, list.entries, list.count, texts.metadata, texts.count);
    }
    free(list.entries); /* free keeps errno */
    free(list.names);
    return status;
}

enum vl_status vl_checkpoint_save_arrays(const char *path, const struct vl_whole_arrays *whole,
                                         const struct vl_training_state *state)
{
    struct vl_layout layout;
    VL_CHECK(vl_layout_create(&layout, &whole->shape, &whole->experts, &VL_SLICE_WHOLE));
    enum vl_status status = write_file(path, &layout, whole, state);
    vl_layout_free(&layout);
    return status;
}

enum vl_status vl_checkpoint_save(const char *path, struct vl_model *model,
                                  const struct vl_training_state *state)
{
    const struct vl_learner *learner = vl_model_learner(model);
    const struct vl_model_balance *balance = vl_model_balance(model);
    const struct vl_whole_arrays whole = {.shape = *vl_model_shape(model),
                                          .experts = vl_model_layout(model)->experts,
                                          .arrays = {learner->weights, learner->m, learner->v},
                                          .bias = balance != NULL ? balance->bias : NULL};
    return vl_checkpoint_save_arrays(path, &whole, state);
}
