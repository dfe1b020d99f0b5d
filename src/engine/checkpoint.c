#include "engine/checkpoint.h"

#include "base/safetensors.h"
#include "engine/check.h"
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

static const char *const prefixes[] = {
    [VL_STATE_WEIGHTS] = "", [VL_STATE_M] = "optimizer.m.", [VL_STATE_V] = "optimizer.v."};

/* A tensor's name in the array of this kind. */
static void name_in(char name[NAME_ROOM], enum vl_state_kind kind, const struct vl_tensor *tensor)
{
    snprintf(name, NAME_ROOM, "%s%s", prefixes[kind], tensor->name);
}

/* Weights, then m, v and the numbers. 'names' gives room for all names. */
static size_t list_entries(struct vl_tensor_entry *entries, char (*names)[NAME_ROOM],
                           const struct vl_layout *layout, float *const arrays[VL_STATE_KINDS],
                           const struct vl_training_state *state)
{
    size_t filled = 0;
    for (int kind = 0; kind < VL_STATE_KINDS; kind++)
        for (size_t i = 0; i < layout->tensor_count; i++, filled++) {
            name_in(names[filled], (enum vl_state_kind)kind, &layout->tensors[i]);
            entries[filled] = tensor_entry(names[filled], &layout->tensors[i], arrays[kind]);
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
    float *const arrays[VL_STATE_KINDS] = {learner->weights, learner->m, learner->v};
    return vl_checkpoint_save_arrays(path, vl_model_shape(model), arrays, state);
}

static enum vl_status write_file(const char *path, const struct vl_layout *layout,
                                 float *const arrays[VL_STATE_KINDS],
                                 const struct vl_training_state *state,
                                 const struct vl_metadata *metadata, size_t metadata_count)
{
    size_t most = VL_STATE_KINDS * layout->tensor_count + NUMBERS;
    struct vl_tensor_entry *entries = calloc(most, sizeof *entries);
    char(*names)[NAME_ROOM] = calloc(most, sizeof *names);
    enum vl_status status = VL_ENOMEM;
    if (entries != NULL && names != NULL) {
        size_t count = list_entries(entries, names, layout, arrays, state);
        status = vl_safetensors_write(path, entries, count, metadata, metadata_count);
    }
    free(entries); /* free keeps errno */
    free(names);
    return status;
}

enum vl_status vl_checkpoint_save_arrays(const char *path, const struct vl_shape *shape,
                                         float *const arrays[VL_STATE_KINDS],
                                         const struct vl_training_state *state)
{
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

    struct vl_layout layout;
    VL_CHECK(vl_layout_create(&layout, shape, NULL, &VL_SLICE_WHOLE));
    enum vl_status status = write_file(path, &layout, arrays, state, metadata, SIZES + 4);
    vl_layout_free(&layout);
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

/* The rectangle that the slice has of one tensor. */
static enum vl_status load_tensor(float *array, const struct vl_checkpoint *checkpoint,
                                  enum vl_state_kind kind, const struct vl_layout *slice, size_t i,
                                  const struct vl_layout *whole)
{
    char name[NAME_ROOM];
    const struct vl_tensor *own = &slice->tensors[i];
    const struct vl_rectangle *in = &slice->rectangles[i];
    name_in(name, kind, own);
    const struct vl_tensor_entry wanted = tensor_entry(name, &whole->tensors[in->tensor], NULL);
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

enum vl_status vl_checkpoint_load(const struct vl_checkpoint *checkpoint, struct vl_model *model)
{
    const struct vl_learner *learner = vl_model_learner(model);
    float *const arrays[VL_STATE_KINDS] = {learner->weights, learner->m, learner->v};
    for (int kind = 0; kind < VL_STATE_KINDS; kind++)
        if (arrays[kind] != NULL)
            VL_CHECK(vl_checkpoint_load_array(arrays[kind], checkpoint, (enum vl_state_kind)kind,
                                              vl_model_layout(model)));
    return VL_OK;
}

void vl_checkpoint_close(struct vl_checkpoint *checkpoint)
{
    if (checkpoint == NULL)
        return;
    vl_safetensors_close(checkpoint->file);
    free(checkpoint);
}
