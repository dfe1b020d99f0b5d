/*
 * Calls of lab 05: slots, a toy that forgets, the engine in each mode, and the figures on paper.
 *
 * Names of the inputs are described in recompute.h.
 */
#include "runner/arrays.h"
#include "runner/call.h"
#include "runner/learner.h"

#include "engine/model/model.h"
#include "vialata/recompute.h"

#include <string.h>

#define CALL(name)                                                                                 \
    static enum vl_status call_##name(struct vl_bag *outputs, const struct vl_bag *inputs)

#define MODES   3
#define NEITHER 3 /* not a mode, and not a kind */

/* Real numbers as outputs: poisoned. */
static double *real(struct vl_bag *outputs, const char *name, size_t cols)
{
    double *numbers = vl_bag_add_f64(outputs, name, 1, cols);
    vl_bag_poison(outputs, name);
    return numbers;
}

/* ---- slots ---- */

CALL(recompute_slots)
{
    const struct vl_tensor_entry *counts = vl_bag_find(inputs, "layer_counts");
    size_t one;
    if (vl_input_size(inputs, "bad"))
        return vl_first_unrefused(
            vl_recompute_slots(&one, (enum vl_recompute)NEITHER, VL_SAVED_PROBS, 4),
            vl_recompute_slots(&one, VL_RECOMPUTE_FULL, (enum vl_saved_kind)NEITHER, 4),
            vl_recompute_slots(&one, VL_RECOMPUTE_FULL, VL_SAVED_REST, 0));
    int64_t *slots = counts ? vl_unwritten_numbers(outputs, "slots", counts->count, 9) : NULL;
    enum vl_status status = slots ? VL_OK : VL_EINTERNAL;
    for (size_t i = 0; status == VL_OK && i < 9 * counts->count; i++) {
        one = (size_t)slots[i]; /* poison */
        status =
            vl_recompute_slots(&one, (enum vl_recompute)(i % 9 / 3), (enum vl_saved_kind)(i % 3),
                               (size_t)((const int32_t *)counts->data)[i / 9]);
        slots[i] = (int64_t)one;
    }
    return status;
}

CALL(recompute_slot)
{
    size_t layers = vl_input_size(inputs, "layers"), one;
    if (vl_input_size(inputs, "bad"))
        return vl_first_unrefused(
            vl_recompute_slot(&one, (enum vl_recompute)NEITHER, VL_SAVED_PROBS, 0, layers),
            vl_recompute_slot(&one, VL_RECOMPUTE_FULL, (enum vl_saved_kind)NEITHER, 0, layers),
            vl_recompute_slot(&one, VL_RECOMPUTE_FULL, VL_SAVED_REST, layers, layers),
            vl_recompute_slot(&one, VL_RECOMPUTE_NONE, VL_SAVED_REST, 0, 0));
    int64_t *slot = vl_unwritten_numbers(outputs, "slot", layers, 9);
    enum vl_status status = slot ? VL_OK : VL_EINTERNAL;
    for (size_t i = 0; status == VL_OK && i < 9 * layers; i++) {
        one = (size_t)slot[i];
        status = vl_recompute_slot(&one, (enum vl_recompute)(i % 9 / 3),
                                   (enum vl_saved_kind)(i % 3), i / 9, layers);
        slot[i] = (int64_t)one;
    }
    return status;
}

/* ---- restoring ---- */

/* The toy of recompute.h. Its layers overwrite each other's arrays, whatever the submission says
 * about slots. */
struct toy {
    const float *a, *b;
    float *x;            /* (layers + 1, width) */
    float *probs, *rest; /* (layers, width); where layers share a slot, the first row */
    size_t layers, width, fails_at;
    enum vl_recompute mode;
    size_t layer; /* whose turn it is */
    uint64_t *forwards, *attentions, *foreign;
};
static struct toy *now; /* the toy at work, whatever context the functions are given */

static float *probs_of(const struct toy *toy)
{
    return toy->probs + (toy->mode == VL_RECOMPUTE_NONE ? toy->layer * toy->width : 0);
}

static float *rest_of(const struct toy *toy)
{
    return toy->rest + (toy->mode == VL_RECOMPUTE_FULL ? 0 : toy->layer * toy->width);
}

static void toy_attention(const struct toy *toy)
{
    for (size_t i = 0; i < toy->width; i++)
        probs_of(toy)[i] = rest_of(toy)[i] * toy->b[toy->layer * toy->width + i];
}

static void toy_forward(const struct toy *toy)
{
    size_t first = toy->layer * toy->width;
    for (size_t i = 0; i < toy->width; i++)
        rest_of(toy)[i] = toy->a[first + i] * toy->x[first + i];
    toy_attention(toy);
    for (size_t i = 0; i < toy->width; i++)
        toy->x[first + toy->width + i] = (rest_of(toy)[i] + probs_of(toy)[i]) / 2;
}

/* One of the toy's functions is called again, and counted. */
static enum vl_status compute_again(void *context, uint64_t *calls,
                                    void (*compute)(const struct toy *toy))
{
    *now->foreign += context != now;
    calls[now->layer]++;
    compute(now);
    return now->fails_at == now->layer + 1 ? VL_EIO : VL_OK;
}

static enum vl_status forward_again(void *context)
{
    return compute_again(context, now->forwards, toy_forward);
}

static enum vl_status attention_again(void *context)
{
    return compute_again(context, now->attentions, toy_attention);
}

static enum vl_status toy_pass(struct toy *toy, float *read_probs, float *read_rest)
{
    for (toy->layer = 0; toy->layer < toy->layers; toy->layer++)
        toy_forward(toy);
    for (size_t layer = toy->layers; layer-- > 0;) {
        const struct vl_layer_again again = {toy, layer, toy->layers, forward_again,
                                             attention_again};
        toy->layer = layer;
        enum vl_status status = vl_recompute_restore(&again, toy->mode);
        if (status != VL_OK)
            return status;
        memcpy(read_probs + layer * toy->width, probs_of(toy), toy->width * sizeof(float));
        memcpy(read_rest + layer * toy->width, rest_of(toy), toy->width * sizeof(float));
    }
    return VL_OK;
}

CALL(recompute_restore)
{
    size_t layers = vl_input_size(inputs, "layers"), width = vl_input_size(inputs, "width"),
           passes = vl_input_size(inputs, "passes");
    float *read_probs = vl_bag_add_f32(outputs, "probs", passes * layers, width),
          *read_rest = vl_bag_add_f32(outputs, "rest", passes * layers, width),
          *x = vl_bag_add_f32(outputs, "streams", layers + 1, width);
    uint64_t *forwards = vl_bag_add(outputs, "forwards", VL_I64, 2, (size_t[]){passes, layers}),
             *attentions = vl_bag_add(outputs, "attentions", VL_I64, 2, (size_t[]){passes, layers}),
             *foreign = vl_bag_add(outputs, "foreign", VL_I64, 1, (size_t[]){1});
    struct toy toy = {.a = vl_bag_f32(inputs, "a"),
                      .b = vl_bag_f32(inputs, "b"),
                      .x = x,
                      .probs = vl_bag_add_f32(outputs, "probs_slots", layers, width),
                      .rest = vl_bag_add_f32(outputs, "rest_slots", layers, width),
                      .layers = layers,
                      .width = width,
                      .fails_at = vl_input_size(inputs, "fails_at"),
                      .mode = (enum vl_recompute)vl_bag_int(inputs, "mode"),
                      .foreign = foreign};
    const float *first = vl_bag_f32(inputs, "x");
    if (!read_probs || !read_rest || !x || !forwards || !attentions || !foreign || !toy.a ||
        !toy.b || !toy.probs || !toy.rest || !first)
        return VL_EINTERNAL;
    enum vl_status status = VL_OK;
    now = &toy;
    for (size_t pass = 0; status == VL_OK && pass < passes; pass++) {
        size_t row = pass * layers;
        toy.forwards = forwards + row;
        toy.attentions = attentions + row;
        memcpy(x, first + pass * width, width * sizeof *x);
        status = toy_pass(&toy, read_probs + row * width, read_rest + row * width);
    }
    now = NULL;
    return status;
}

/* ---- the engine ---- */

/* Losses and gradients of one step's micro-batches, in a mode. */
static enum vl_status step_within(struct vl_model **model, double *loss,
                                  const struct vl_bag *inputs, enum vl_recompute mode)
{
    struct vl_shape shape = vl_shape_of(inputs);
    size_t per_micro = vl_input_size(inputs, "rows_per_micro"),
           micro_batches = vl_input_size(inputs, "micro_batches");
    enum vl_status status = vl_model_create_within(model, &shape, per_micro, VL_MODEL_LEARNS, mode);
    if (status != VL_OK)
        return status;
    struct vl_learner *learner = vl_model_learner(*model);
    for (size_t i = 0; i < learner->tensor_count; i++) {
        const struct vl_tensor *t = &learner->tensors[i];
        const float *w = vl_bag_f32(inputs, t->name);
        if (!w)
            return VL_EINTERNAL;
        memcpy(learner->weights + t->offset, w, t->rows * t->cols * sizeof *w);
    }
    status = vl_model_set_batch(*model, vl_bag_i32(inputs, "tokens"), vl_bag_i32(inputs, "targets"),
                                per_micro, micro_batches);
    for (size_t k = 0; status == VL_OK && k < micro_batches; k++) {
        double part = 0;
        status = learner->forward(learner->model, k, &part);
        *loss += part;
        if (status == VL_OK)
            status = learner->backward(learner->model, k);
    }
    return status;
}

CALL(same_bits)
{
    struct vl_model *plain = NULL, *model = NULL;
    double plain_loss = 0, loss = 0;
    int64_t differences = 0;
    enum vl_status status = step_within(&plain, &plain_loss, inputs, VL_RECOMPUTE_NONE);
    if (status == VL_OK)
        status = step_within(&model, &loss, inputs, (enum vl_recompute)vl_bag_int(inputs, "mode"));
    if (status == VL_OK) {
        const struct vl_learner *without = vl_model_learner(plain), *with = vl_model_learner(model);
        differences = memcmp(&loss, &plain_loss, sizeof loss) != 0;
        for (size_t i = 0; i < with->count; i++)
            differences += memcmp(with->gradients + i, without->gradients + i, sizeof(float)) != 0;
        status = vl_give_gradients(outputs, with);
    }
    if (!vl_bag_set_real(outputs, "loss", loss) ||
        !vl_bag_set_int(outputs, "differences", differences))
        status = VL_EINTERNAL;
    vl_model_free(plain);
    vl_model_free(model);
    return status;
}

CALL(peak_bytes)
{
    struct vl_shape shape = vl_shape_of(inputs);
    int64_t *kept = vl_unwritten_numbers(outputs, "kept_bytes", 1, MODES),
            *saved = vl_unwritten_numbers(outputs, "bytes_saved", 1, MODES - 1), all[MODES] = {0};
    enum vl_status status = kept && saved ? VL_OK : VL_EINTERNAL;
    for (int mode = 0; status == VL_OK && mode < MODES; mode++) {
        struct vl_model *model = NULL;
        status = vl_model_create_within(&model, &shape, vl_input_size(inputs, "rows"),
                                        VL_MODEL_LEARNS, (enum vl_recompute)mode);
        if (status == VL_OK) {
            kept[mode] = (int64_t)vl_model_kept_bytes(model);
            all[mode] = (int64_t)vl_model_activation_bytes(model);
        }
        vl_model_free(model);
    }
    for (int mode = 1; status == VL_OK && mode < MODES; mode++)
        saved[mode - 1] = all[0] - all[mode];
    return status;
}

/* ---- on paper ---- */

CALL(activation_rule_bytes)
{
    struct vl_shape shape = vl_shape_of(inputs);
    double *bytes = real(outputs, "bytes", 1);
    return bytes ? vl_activation_rule_bytes(bytes, &shape, vl_input_size(inputs, "rows"))
                 : VL_EINTERNAL;
}

CALL(activation_count)
{
    struct vl_shape shape = vl_shape_of(inputs);
    int64_t *input = vl_whole_output(outputs, "input", 1),
            *probs = vl_whole_output(outputs, "probs", 1),
            *rest = vl_whole_output(outputs, "rest", 1);
    if (!input || !probs || !rest)
        return VL_EINTERNAL;
    struct vl_activation_count count = {(uint64_t)*input, (uint64_t)*probs, (uint64_t)*rest};
    enum vl_status status = vl_activation_count(&count, &shape, vl_input_size(inputs, "rows"));
    *input = (int64_t)count.input;
    *probs = (int64_t)count.probs;
    *rest = (int64_t)count.rest;
    return status;
}

CALL(recompute_bytes)
{
    struct vl_shape shape = vl_shape_of(inputs);
    size_t rows = vl_input_size(inputs, "rows");
    uint64_t *bytes = (uint64_t *)vl_unwritten_numbers(outputs, "bytes", 1, MODES);
    enum vl_status status = bytes ? VL_OK : VL_EINTERNAL;
    if (bytes && vl_input_size(inputs, "bad"))
        return vl_recompute_bytes(bytes, (enum vl_recompute)NEITHER, &shape, rows);
    for (int mode = 0; status == VL_OK && mode < MODES; mode++)
        status = vl_recompute_bytes(&bytes[mode], (enum vl_recompute)mode, &shape, rows);
    return status;
}

CALL(recompute_flops)
{
    struct vl_shape shape = vl_shape_of(inputs);
    double *flops = real(outputs, "flops", MODES);
    enum vl_status status = flops ? VL_OK : VL_EINTERNAL;
    if (flops && vl_input_size(inputs, "bad"))
        return vl_recompute_flops(flops, (enum vl_recompute)NEITHER, &shape);
    for (int mode = 0; status == VL_OK && mode < MODES; mode++)
        status = vl_recompute_flops(&flops[mode], (enum vl_recompute)mode, &shape);
    return status;
}

/* A refusal is a result here: each budget has its status. */
CALL(recompute_choose)
{
    struct vl_shape shape = vl_shape_of(inputs);
    const struct vl_tensor_entry *budgets = vl_bag_find(inputs, "budgets");
    size_t count = budgets ? budgets->count : 0;
    int64_t *modes = vl_unwritten_numbers(outputs, "modes", 1, count),
            *statuses = vl_unwritten_numbers(outputs, "statuses", 1, count);
    for (size_t i = 0; modes && statuses && i < count; i++) {
        enum vl_recompute mode = (enum vl_recompute)vl_bag_int(inputs, "preset");
        enum vl_status status = vl_recompute_choose(&mode, &shape, vl_input_size(inputs, "rows"),
                                                    ((const uint64_t *)budgets->data)[i]);
        if (status == VL_TODO || status == VL_EMISSING)
            return status;
        modes[i] = (int64_t)mode;
        statuses[i] = (int64_t)status;
    }
    return modes && statuses ? VL_OK : VL_EINTERNAL;
}

CALL(predict_recompute)
{
    (void)inputs;
    int64_t *none = vl_whole_output(outputs, "none_bytes", 1),
            *selective = vl_whole_output(outputs, "selective_bytes", 1),
            *full = vl_whole_output(outputs, "full_bytes", 1);
    double *share = real(outputs, "full_share", 1);
    struct vl_recompute_prediction prediction = {0, 0, 0, 0};
    if (!none || !selective || !full || !share)
        return VL_EINTERNAL;
    enum vl_status status = vl_predict_recompute(&prediction);
    *none = (int64_t)prediction.none_bytes;
    *selective = (int64_t)prediction.selective_bytes;
    *full = (int64_t)prediction.full_bytes;
    *share = prediction.full_share;
    return status;
}

const struct vl_call vl_calls_recompute[] = {
    {"vl_activation_rule_bytes", call_activation_rule_bytes},
    {"vl_recompute_slots", call_recompute_slots},
    {"vl_recompute_slot", call_recompute_slot},
    {"vl_recompute_restore", call_recompute_restore},
    {"vl_activation_count", call_activation_count},
    {"vl_recompute_bytes", call_recompute_bytes},
    {"vl_recompute_flops", call_recompute_flops},
    {"vl_recompute_choose", call_recompute_choose},
    {"vl_predict_recompute", call_predict_recompute},
    {"peak_bytes", call_peak_bytes},
    {"same_bits", call_same_bits},
    {NULL, NULL},
};
