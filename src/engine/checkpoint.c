#include "engine/checkpoint.h"

#include "base/safetensors.h"
#include "vialata/rmsnorm.h"
#include "vialata/rotary.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_ROOM 96 /* "optimizer.m." and a tensor's name */

/* ---- the numbers of a run, each a tensor of one element ---- */

enum number_kind { WHOLE, REAL, SINGLE };

static const struct {
    const char *name;
    enum number_kind kind;
    size_t offset;
} numbers[] = {
    {"optimizer.step", WHOLE, offsetof(struct vl_training_state, step)},
    {"optimizer.seed", WHOLE, offsetof(struct vl_training_state, seed)},
    {"optimizer.batch", WHOLE, offsetof(struct vl_training_state, batch)},
    {"optimizer.warmup", WHOLE, offsetof(struct vl_training_state, warmup)},
    {"optimizer.horizon", WHOLE, offsetof(struct vl_training_state, horizon)},
    {"optimizer.text", WHOLE, offsetof(struct vl_training_state, text)},
    {"optimizer.lr", REAL, offsetof(struct vl_training_state, peak_rate)},
    {"optimizer.max_norm", REAL, offsetof(struct vl_training_state, max_norm)},
    {"optimizer.beta1", SINGLE, offsetof(struct vl_training_state, adamw.beta1)},
    {"optimizer.beta2", SINGLE, offsetof(struct vl_training_state, adamw.beta2)},
    {"optimizer.eps", SINGLE, offsetof(struct vl_training_state, adamw.eps)},
    {"optimizer.weight_decay", SINGLE, offsetof(struct vl_training_state, adamw.weight_decay)},
};
#define NUMBERS (sizeof numbers / sizeof *numbers)

static const enum vl_dtype number_dtypes[] = {[WHOLE] = VL_I64, [REAL] = VL_F64, [SINGLE] = VL_F32};

/* ---- the shape, as texts under Hugging Face's keys ---- */

static const struct {
    const char *key;
    size_t offset;
    size_t most;
} sizes[] = {
    {"num_hidden_layers", offsetof(struct vl_shape, layers), 1u << 12},
    {"hidden_size", offsetof(struct vl_shape, width), 1u << 20},
    {"num_attention_heads", offsetof(struct vl_shape, heads), 1u << 12},
    {"intermediate_size", offsetof(struct vl_shape, ff), 1u << 20},
    {"vocab_size", offsetof(struct vl_shape, vocabulary), 1u << 20},
    {"max_position_embeddings", offsetof(struct vl_shape, sequence), 1u << 13},
};
#define SIZES (sizeof sizes / sizeof *sizes)

static size_t size_of(const struct vl_shape *shape, size_t i)
{
    size_t value;
    memcpy(&value, (const char *)shape + sizes[i].offset, sizeof value);
    return value;
}

/* ---- saving ---- */

static struct vl_tensor_entry tensor_entry(const char *name, const struct vl_tensor *tensor,
                                           const float *array)
{
    struct vl_tensor_entry entry = {.name = name,
                                    .dtype = VL_F32,
                                    .count = tensor->rows * tensor->cols,
                                    .data = array + tensor->offset};
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

/* Weights, then m, v and the numbers. 'names' gives room for the names of m and v. */
static size_t list_entries(struct vl_tensor_entry *entries, char (*names)[NAME_ROOM],
                           const struct vl_learner *learner, const float *weights,
                           const float *const moments[2], const struct vl_training_state *state)
{
    size_t filled = 0, n = learner->tensor_count;
    for (size_t i = 0; i < n; i++)
        entries[filled++] = tensor_entry(learner->tensors[i].name, &learner->tensors[i], weights);
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < n; i++) {
            snprintf(names[k * n + i], NAME_ROOM, "optimizer.%c.%s", "mv"[k],
                     learner -> tensors[i].name);
            entries[filled++] = tensor_entry(names[k * n + i], &learner->tensors[i], moments[k]);
        }
    for (size_t i = 0; i < NUMBERS; i++)
        entries[filled++] =
            (struct vl_tensor_entry){.name = numbers[i].name,
                                     .dtype = number_dtypes[numbers[i].kind],
                                     .dims = 1,
                                     .shape = {1},
                                     .count = 1,
                                     .data = (const char *)state + numbers[i].offset};
    return filled;
}

enum vl_status vl_checkpoint_save(const char *path, struct vl_model *model,
                                  const struct vl_training_state *state)
{
    const struct vl_learner *learner = vl_model_learner(model);
    return vl_checkpoint_save_arrays(path, model, learner->weights, learner->m, learner->v, state);
}

enum vl_status vl_checkpoint_save_arrays(const char *path, struct vl_model *model,
                                         const float *weights, const float *m, const float *v,
                                         const struct vl_training_state *state)
{
    const struct vl_learner *learner = vl_model_learner(model);
    const float *const moments[2] = {m, v};
    const struct vl_shape *shape = vl_model_shape(model);
    char values[SIZES][24], eps[32], theta[32];
    struct vl_metadata metadata[SIZES + 4];
    for (size_t i = 0; i < SIZES; i++) {
        snprintf(values[i], sizeof values[i], "%zu", size_of(shape, i));
        metadata[i] = (struct vl_metadata){sizes[i].key, values[i]};
    }
    snprintf(eps, sizeof eps, "%g", (double)VL_RMSNORM_EPS);
    snprintf(theta, sizeof theta, "%.1f", VL_ROTARY_THETA);
    metadata[SIZES] = (struct vl_metadata){"num_key_value_heads", values[2]};
    metadata[SIZES + 1] = (struct vl_metadata){"rms_norm_eps", eps};
    metadata[SIZES + 2] = (struct vl_metadata){"rope_theta", theta};
    metadata[SIZES + 3] = (struct vl_metadata){"model_type", "llama"};

    size_t most = 3 * learner->tensor_count + NUMBERS;
    struct vl_tensor_entry *entries = calloc(most, sizeof *entries);
    char(*names)[NAME_ROOM] = calloc(2 * learner->tensor_count + 1, sizeof *names);
    enum vl_status status = VL_ENOMEM;
    if (entries != NULL && names != NULL) {
        size_t count = list_entries(entries, names, learner, weights, moments, state);
        status = vl_safetensors_write(path, entries, count, metadata, SIZES + 4);
    }
    free(entries); /* free keeps errno */
    free(names);
    return status;
}

/* ---- opening ---- */

struct vl_checkpoint {
    struct vl_safetensors *file;
    struct vl_shape shape;
    struct vl_training_state state;
    int has_state;
};

static int read_shape(struct vl_shape *shape, const struct vl_safetensors *file)
{
    for (size_t i = 0; i < SIZES; i++) {
        const char *text = vl_safetensors_metadata(file, sizes[i].key);
        char *end;
        if (text == NULL || text[0] < '0' || text[0] > '9')
            return 0;
        size_t value = strtoull(text, &end, 10);
        if (*end != '\0' || value > sizes[i].most)
            return 0;
        memcpy((char *)shape + sizes[i].offset, &value, sizeof value);
    }
    return vl_shape_check(shape) == VL_OK;
}

/* Other rotary angles or norms would load and then answer nonsense. Absent means ours. */
static int same_formula(const struct vl_safetensors *file)
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

/* Before memory is taken for a shape that a text claims, the file must hold that much. */
static int shape_is_there(const struct vl_shape *shape, const struct vl_safetensors *file)
{
    char name[NAME_ROOM];
    if (find_matrix(file, "model.embed_tokens.weight", shape->vocabulary, shape->width) == NULL)
        return 0;
    for (size_t layer = 0; layer < shape->layers; layer++) {
        snprintf(name, sizeof name, "model.layers.%zu.mlp.gate_proj.weight", layer);
        if (find_matrix(file, name, shape->ff, shape->width) == NULL)
            return 0;
    }
    snprintf(name, sizeof name, "model.layers.%zu.mlp.gate_proj.weight", shape->layers);
    return vl_safetensors_find(file, name) == NULL;
}

static int read_state(struct vl_training_state *state, const struct vl_safetensors *file)
{
    for (size_t i = 0; i < NUMBERS; i++) {
        const struct vl_tensor_entry *entry = vl_safetensors_find(file, numbers[i].name);
        enum vl_dtype dtype = number_dtypes[numbers[i].kind];
        if (entry == NULL || entry->dtype != dtype || entry->count != 1)
            return 0;
        memcpy((char *)state + numbers[i].offset, entry->data, vl_dtype_bytes(dtype));
    }
    return state->batch > 0 && state->horizon > 0 && isfinite(state->peak_rate) &&
           isfinite(state->max_norm);
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
        *reason = !read_shape(&opened->shape, opened->file)       ? "its metadata gives no shape"
                  : !same_formula(opened->file)                   ? "another eps or theta"
                  : !shape_is_there(&opened->shape, opened->file) ? "its tensors have other shapes"
                                                                  : "";
        if ((*reason)[0] != '\0')
            status = VL_EFORMAT;
    }
    if (status != VL_OK) {
        vl_checkpoint_close(opened); /* frees only, so errno stays */
        return status;
    }
    opened->has_state = read_state(&opened->state, opened->file);
    *checkpoint = opened;
    return VL_OK;
}

const struct vl_shape *vl_checkpoint_shape(const struct vl_checkpoint *checkpoint)
{
    return &checkpoint->shape;
}

const struct vl_training_state *vl_checkpoint_state(const struct vl_checkpoint *checkpoint)
{
    return checkpoint->has_state ? &checkpoint->state : NULL;
}

/* ---- loading ---- */

static enum vl_status load_array(float *array, const char *prefix, const struct vl_learner *learner,
                                 const struct vl_safetensors *file)
{
    char name[NAME_ROOM];
    for (size_t i = 0; i < learner->tensor_count; i++) {
        const struct vl_tensor *tensor = &learner->tensors[i];
        snprintf(name, sizeof name, "%s%s", prefix, tensor->name);
        const struct vl_tensor_entry wanted = tensor_entry(name, tensor, array);
        const struct vl_tensor_entry *found = vl_safetensors_find(file, name);
        if (found == NULL || found->dtype != VL_F32 || found->dims != wanted.dims ||
            memcmp(found->shape, wanted.shape, wanted.dims * sizeof *wanted.shape) != 0)
            return VL_EFORMAT;
        memcpy(array + tensor->offset, found->data, found->count * sizeof *array);
    }
    return VL_OK;
}

enum vl_status vl_checkpoint_load_arrays(const struct vl_checkpoint *checkpoint,
                                         struct vl_model *model, float *weights, float *m, float *v)
{
    const struct vl_learner *learner = vl_model_learner(model);
    enum vl_status status = load_array(weights, "", learner, checkpoint->file);
    if (status == VL_OK && m != NULL)
        status = load_array(m, "optimizer.m.", learner, checkpoint->file);
    if (status == VL_OK && v != NULL)
        status = load_array(v, "optimizer.v.", learner, checkpoint->file);
    return status;
}

enum vl_status vl_checkpoint_load(const struct vl_checkpoint *checkpoint, struct vl_model *model)
{
    const struct vl_learner *learner = vl_model_learner(model);
    return vl_checkpoint_load_arrays(checkpoint, model, learner->weights, learner->m, learner->v);
}

void vl_checkpoint_close(struct vl_checkpoint *checkpoint)
{
    if (checkpoint == NULL)
        return;
    vl_safetensors_close(checkpoint->file);
    free(checkpoint);
}
