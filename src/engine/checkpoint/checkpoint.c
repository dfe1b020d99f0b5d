#include "engine/checkpoint/checkpoint.h"

#include "engine/check.h"
#include "engine/checkpoint/checkpoint_names.h"
#include "vialata/rmsnorm.h"
#include "vialata/rotary.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- opening ---- */

struct vl_checkpoint {
    struct vl_safetensors *file;
    struct vl_shape shape;
    struct vl_expert_shape experts;
    struct vl_training_state state;
    int has_state;
};

static bool read_count(size_t *value, const struct vl_safetensors *file, const char *key,
                       size_t most)
{
    const char *text = vl_safetensors_metadata(file, key);
    char *end;
    if (text == NULL || text[0] < '0' || text[0] > '9')
        return false;
    *value = strtoull(text, &end, 10);
    return *end == '\0' && *value <= most;
}

static int read_sizes(void *shape, const struct vl_safetensors *file,
                      const struct vl_checkpoint_size *sizes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t value;
        if (!read_count(&value, file, sizes[i].key, sizes[i].most))
            return 0;
        memcpy((char *)shape + sizes[i].offset, &value, sizeof value);
    }
    return 1;
}

/* Absent means ours. */
static bool says(const struct vl_safetensors *file, const char *key, const char *ours)
{
    const char *text = vl_safetensors_metadata(file, key);
    return text == NULL || strcmp(text, ours) == 0;
}

/* Groups of experts, if the file has any. */
static bool read_groups(struct vl_expert_shape *experts, const struct vl_safetensors *file)
{
    if (vl_safetensors_metadata(file, "n_group") == NULL)
        return true;
    return read_count(&experts->groups, file, "n_group", experts->experts) &&
           read_count(&experts->limit, file, "topk_group", experts->groups) &&
           experts->groups > 0 && experts->limit > 0 && experts->experts % experts->groups == 0 &&
           experts->chosen <= experts->limit * (experts->experts / experts->groups);
}

/* Refuse experts that are shared, chosen or weighted differently from ours. */
static bool read_experts(struct vl_expert_shape *experts, const struct vl_shape *shape,
                         const struct vl_safetensors *file)
{
    const char *scale = vl_safetensors_metadata(file, "routed_scaling_factor");
    size_t ff, shared;
    if (vl_safetensors_metadata(file, "n_routed_experts") == NULL)
        return true;
    if (!read_sizes(experts, file, vl_checkpoint_expert_sizes, VL_CHECKPOINT_EXPERT_SIZES) ||
        !read_count(&ff, file, "moe_intermediate_size", shape->ff) ||
        !read_count(&shared, file, "n_shared_experts", 1))
        return false;
    experts->scale = scale != NULL ? strtof(scale, NULL) : 1.0f;
    return ff == shape->ff && shared == 1 && experts->chosen >= 1 &&
           experts->chosen <= experts->experts && isfinite(experts->scale) &&
           experts->scale > 0.0f && says(file, "scoring_func", VL_CHECKPOINT_SCORING) &&
           says(file, "norm_topk_prob", "true") && read_groups(experts, file);
}

static bool read_shape(struct vl_checkpoint *c)
{
    return read_sizes(&c->shape, c->file, vl_checkpoint_sizes, VL_CHECKPOINT_SIZES) &&
           vl_shape_check(&c->shape) == VL_OK && read_experts(&c->experts, &c->shape, c->file);
}

/* With other rotary angles or norms a model would load, but predict nonsense. Absent means ours. */
static bool same_formula(const struct vl_safetensors *file)
{
    const char *theta = vl_safetensors_metadata(file, "rope_theta");
    const char *eps = vl_safetensors_metadata(file, "rms_norm_eps");
    return (theta == NULL || strtod(theta, NULL) == VL_ROTARY_THETA) &&
           (eps == NULL || (float)strtod(eps, NULL) == VL_RMSNORM_EPS);
}

static const struct vl_tensor_entry *find_matrix(const struct vl_safetensors *file,
                                                 const char *name, size_t rows, size_t cols)
{
    const struct vl_tensor_entry *entry = vl_safetensors_find(file, name);
    return entry != NULL && entry->dtype == VL_F32 && entry->dims == 2 && entry->shape[0] == rows &&
                   entry->shape[1] == cols
               ? entry
               : NULL;
}

/* Has one layer all of its experts, and no more? */
static bool experts_are_there(const struct vl_checkpoint *c, size_t layer)
{
    char name[VL_CHECKPOINT_NAME];
    snprintf(name, sizeof name, "model.layers.%zu.mlp.gate.weight", layer);
    if (find_matrix(c->file, name, c->experts.experts, c->shape.width) == NULL)
        return false;
    for (size_t e = 0; e <= c->experts.experts; e++) {
        snprintf(name, sizeof name, "model.layers.%zu.mlp.experts.%zu.gate_proj.weight", layer, e);
        int there = find_matrix(c->file, name, c->shape.ff, c->shape.width) != NULL;
        if (there != (e < c->experts.experts))
            return false;
    }
    return true;
}

/* The metadata only claims a shape: before memory is taken for it, the file must hold that much. */
static bool shape_is_there(const struct vl_checkpoint *c)
{
    const struct vl_shape *shape = &c->shape;
    const char *part = c->experts.experts > 0 ? "mlp.shared_experts" : "mlp";
    char name[VL_CHECKPOINT_NAME];
    if (find_matrix(c->file, "model.embed_tokens.weight", shape->vocabulary, shape->width) == NULL)
        return false;
    for (size_t layer = 0; layer < shape->layers; layer++) {
        snprintf(name, sizeof name, "model.layers.%zu.%s.gate_proj.weight", layer, part);
        if (find_matrix(c->file, name, shape->ff, shape->width) == NULL ||
            (c->experts.experts > 0 && !experts_are_there(c, layer)))
            return false;
    }
    snprintf(name, sizeof name, "model.layers.%zu.%s.gate_proj.weight", shape->layers, part);
    return vl_safetensors_find(c->file, name) == NULL;
}

static bool read_state(struct vl_training_state *state, const struct vl_checkpoint *c)
{
    for (size_t i = 0; i < vl_checkpoint_number_count(&c->experts); i++) {
        const struct vl_checkpoint_number *number = &vl_checkpoint_numbers[i];
        const struct vl_tensor_entry *entry = vl_safetensors_find(c->file, number->name);
        if (entry == NULL || entry->dtype != number->dtype || entry->count != 1)
            return false;
        memcpy((char *)state + number->offset, entry->data, vl_dtype_bytes(number->dtype));
    }
    return state->batch > 0 && state->horizon > 0 && isfinite(state->peak_rate) &&
           isfinite(state->max_norm) && isfinite(state->bias_speed) && state->bias_speed >= 0.0f &&
           isfinite(state->aux_alpha) && state->aux_alpha >= 0.0f &&
           state->aux_scope <= VL_BALANCE_SEQUENCE;
}

enum vl_status vl_checkpoint_open(struct vl_checkpoint **checkpoint, const char *path,
                                  const char **reason)
{
    *checkpoint = NULL;
    struct vl_checkpoint *opened = calloc(1, sizeof *opened);
    if (opened == NULL) {
        *reason = "there is not enough memory";
        return VL_ENOMEM;
    }
    enum vl_status status = vl_safetensors_open(&opened->file, path, reason);
    if (status == VL_OK) {
        *reason = !read_shape(opened)           ? "its metadata gives no shape"
                  : !same_formula(opened->file) ? "another eps or theta"
                  : !shape_is_there(opened)     ? "its tensors have other shapes"
                                                : "";
        if ((*reason)[0] != '\0')
            status = VL_EFORMAT;
    }
    if (status != VL_OK) {
        vl_checkpoint_close(opened); /* frees only, so errno stays */
        return status;
    }
    opened->has_state = read_state(&opened->state, opened);
    *checkpoint = opened;
    return VL_OK;
}

const struct vl_shape *vl_checkpoint_shape(const struct vl_checkpoint *checkpoint)
{
    return &checkpoint->shape;
}

const struct vl_expert_shape *vl_checkpoint_experts(const struct vl_checkpoint *checkpoint)
{
    return &checkpoint->experts;
}

const struct vl_training_state *vl_checkpoint_state(const struct vl_checkpoint *checkpoint)
{
    return checkpoint->has_state ? &checkpoint->state : NULL;
}

/* ---- loading ---- */

/* The rectangle that the slice has of one tensor. */
static enum vl_status load_tensor(float *array, const struct vl_checkpoint *checkpoint,
                                  enum vl_state_kind kind, const struct vl_layout *slice, size_t i,
                                  const struct vl_layout *whole)
{
    char name[VL_CHECKPOINT_NAME];
    const struct vl_tensor *own = &slice->tensors[i];
    const struct vl_rectangle *in = &slice->rectangles[i];
    vl_checkpoint_name(name, kind, own);
    const struct vl_tensor_entry wanted =
        vl_checkpoint_entry(name, &whole->tensors[in->tensor], NULL);
    const struct vl_tensor_entry *found = vl_safetensors_find(checkpoint->file, name);
    if (found == NULL || found->dtype != VL_F32 || found->dims != wanted.dims ||
        memcmp(found->shape, wanted.shape, wanted.dims * sizeof *wanted.shape) != 0)
        return VL_EFORMAT;
    const float *from = (const float *)found->data + in->skipped;
    for (size_t row = 0; row < own->rows; row++)
        memcpy(array + own->offset + row * own->cols, from + row * in->stride,
               own->cols * sizeof *array);
    return VL_OK;
}

enum vl_status vl_checkpoint_load_array(float *array, const struct vl_checkpoint *checkpoint,
                                        enum vl_state_kind kind, const struct vl_layout *slice)
{
    struct vl_layout whole;
    VL_CHECK(vl_layout_create(&whole, &slice->whole, &slice->experts, &VL_SLICE_WHOLE));
    enum vl_status status = VL_OK;
    for (size_t i = 0; status == VL_OK && i < slice->tensor_count; i++)
        status = load_tensor(array, checkpoint, kind, slice, i, &whole);
    vl_layout_free(&whole);
    return status;
}

enum vl_status vl_checkpoint_load_bias(struct vl_model *model,
                                       const struct vl_checkpoint *checkpoint)
{
    const struct vl_layout *layout = vl_model_layout(model);
    const struct vl_model_balance *balance = vl_model_balance(model);
    size_t e = layout->experts.experts;
    char name[VL_CHECKPOINT_NAME];
    for (size_t i = 0; balance != NULL && i < balance->layers; i++) {
        vl_checkpoint_bias_name(name, vl_layout_expert_layer(layout, i));
        const struct vl_tensor_entry *found = vl_safetensors_find(checkpoint->file, name);
        if (found == NULL || found->dtype != VL_F32 || found->dims != 1 || found->shape[0] != e)
            return VL_EFORMAT;
        memcpy(balance->bias + i * e, found->data, e * sizeof *balance->bias);
        for (size_t k = i * e; k < (i + 1) * e; k++)
            if (!isfinite(balance->bias[k])) /* nothing else would show it: it enters no loss */
                return VL_EFORMAT;
    }
    return VL_OK;
}

enum vl_status vl_checkpoint_load(const struct vl_checkpoint *checkpoint, struct vl_model *model)
{
    const struct vl_learner *learner = vl_model_learner(model);
    float *const arrays[VL_STATE_KINDS] = {learner->weights, learner->m, learner->v};
    for (int kind = 0; kind < VL_STATE_KINDS; kind++)
        if (arrays[kind] != NULL)
            VL_CHECK(vl_checkpoint_load_array(arrays[kind], checkpoint, (enum vl_state_kind)kind,
                                              vl_model_layout(model)));
    return vl_checkpoint_load_bias(model, checkpoint);
}

void vl_checkpoint_close(struct vl_checkpoint *checkpoint)
{
    if (checkpoint == NULL)
        return;
    vl_safetensors_close(checkpoint->file);
    free(checkpoint);
}
