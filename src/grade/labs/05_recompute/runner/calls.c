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

/* How many modes and kinds there are. As a mode or kind, this number is invalid. */
#define MODES 3
#define KINDS 3

static const char *const mode_names[] = {"VL_RECOMPUTE_NONE", "VL_RECOMPUTE_SELECTIVE",
                                         "VL_RECOMPUTE_FULL", "3"},
                         *const kind_names[] = {"VL_SAVED_INPUT", "VL_SAVED_PROBS", "VL_SAVED_REST",
                                                "3"};

/* ---- slots ---- */

/* An unknown mode must be refused with every kind, and an unknown kind in every mode, also where all of
 * them have the same answer; so must 0 layers. Returns the first status of vl_recompute_slots that is
 * not VL_EINVAL; else VL_EINVAL. */
static enum vl_status unrefused_slots(struct vl_bag *outputs, size_t layers)
{
    enum vl_status status = VL_EINVAL;
    size_t one;
    for (enum vl_recompute mode = 0; mode <= MODES; mode++)
        for (enum vl_saved_kind kind = 0; kind <= KINDS; kind++)
            if (status == VL_EINVAL && (mode == MODES || kind == KINDS || layers == 0))
                status = vl_must_refuse(outputs, vl_recompute_slots(&one, mode, kind, layers),
                                        "mode = %s, kind = %s, layers = %zu", mode_names[mode],
                                        kind_names[kind], layers);
    return status;
}

/* The same of vl_recompute_slot, for a layer. */
static enum vl_status unrefused_slot(struct vl_bag *outputs, size_t layer, size_t layers)
{
    enum vl_status status = VL_EINVAL;
    size_t one;
    for (enum vl_recompute mode = 0; mode <= MODES; mode++)
        for (enum vl_saved_kind kind = 0; kind <= KINDS; kind++)
            if (status == VL_EINVAL && (mode == MODES || kind == KINDS || layer >= layers))
                status = vl_must_refuse(outputs, vl_recompute_slot(&one, mode, kind, layer, layers),
                                        "mode = %s, kind = %s, layer = %zu, layers = %zu",
                                        mode_names[mode], kind_names[kind], layer, layers);
    return status;
}

static enum vl_status refuse_slots(struct vl_bag *outputs)
{
    static const size_t layers[] = {0, 1, 4};
    enum vl_status status = VL_EINVAL;
    for (size_t i = 0; status == VL_EINVAL && i < sizeof layers / sizeof *layers; i++)
        status = unrefused_slots(outputs, layers[i]);
    return status;
}

/* The first layer, one layer, and layers that are none. */
static enum vl_status refuse_slot(struct vl_bag *outputs, size_t layers)
{
    const size_t of[][2] = {{0, layers},          {layers - 1, layers}, {0, 1}, {layers, layers},
                            {layers + 1, layers}, {SIZE_MAX, layers},   {0, 0}, {1, 1}};
    enum vl_status status = VL_EINVAL;
    for (size_t i = 0; status == VL_EINVAL && i < sizeof of / sizeof *of; i++)
        status = unrefused_slot(outputs, of[i][0], of[i][1]);
    return status;
}

static VL_CALL(recompute_slots)
{
    const struct vl_tensor_entry *layers = vl_bag_find(inputs, "layer_counts");
    if (vl_input_size(inputs, "bad"))
        return refuse_slots(outputs);
    size_t *slots = vl_unwritten_sizes(outputs, "slots", layers->count, MODES * KINDS);
    enum vl_status status = slots ? VL_OK : VL_EINTERNAL;
    for (size_t i = 0; i < layers->count; i++)
        for (enum vl_recompute mode = 0; mode < MODES; mode++)
            for (enum vl_saved_kind kind = 0; kind < KINDS; kind++)
                VL_NEXT(status, vl_recompute_slots(slots++, mode, kind,
                                                   (size_t)((const int32_t *)layers->data)[i]));
    return status;
}

static VL_CALL(recompute_slot)
{
    size_t layers = vl_input_size(inputs, "layers");
    if (vl_input_size(inputs, "bad"))
        return refuse_slot(outputs, layers);
    size_t *slot = vl_unwritten_sizes(outputs, "slot", layers, MODES * KINDS);
    enum vl_status status = slot ? VL_OK : VL_EINTERNAL;
    for (size_t layer = 0; layer < layers; layer++)
        for (enum vl_recompute mode = 0; mode < MODES; mode++)
            for (enum vl_saved_kind kind = 0; kind < KINDS; kind++)
                VL_NEXT(status, vl_recompute_slot(slot++, mode, kind, layer, layers));
    return status;
}

/* ---- restoring ---- */

/* The toy of recompute.h. Its layers overwrite each other's arrays as the mode has it, whatever the
 * submission says about slots. */
struct toy {
    const float *a, *b;
    float *x;            /* (layers + 1, width) */
    float *probs, *rest; /* (layers, width); where layers share a slot, the first row */
    size_t layers, width, fails_at;
    enum vl_recompute mode;
    size_t pass, layer; /* whose turn it is */
    /* Outputs, with a row for each pass and layer; 'foreign': calls with another context. */
    float *read_probs, *read_rest;
    int64_t *forwards, *attentions, *foreign;
};
static struct toy *now; /* the toy in use, whatever context the functions get */

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

static size_t turn_of(const struct toy *toy)
{
    return toy->pass * toy->layers + toy->layer;
}

/* Count a call of one of the toy's functions, and compute again. Where the layer fails, only the function of the
 * mode does: calling the other one instead must not pass for its error. */
static enum vl_status compute_again(void *context, int64_t *calls,
                                    void (*compute)(const struct toy *toy))
{
    *now->foreign += context != now;
    calls[turn_of(now)]++;
    compute(now);
    const int64_t *of_mode = now->mode == VL_RECOMPUTE_FULL ? now->forwards : now->attentions;
    return calls == of_mode && now->fails_at == now->layer + 1 ? VL_EIO : VL_OK;
}

static enum vl_status forward_again(void *context)
{
    return compute_again(context, now->forwards, toy_forward);
}

static enum vl_status attention_again(void *context)
{
    return compute_again(context, now->attentions, toy_attention);
}

static enum vl_status toy_backward(struct toy *toy)
{
    const struct vl_layer_again again = {toy, toy->layer, toy->layers, forward_again,
                                         attention_again};
    size_t first = turn_of(toy) * toy->width, bytes = toy->width * sizeof(float);
    enum vl_status status = vl_recompute_restore(&again, toy->mode);
    memcpy(toy->read_probs + first, probs_of(toy), bytes);
    memcpy(toy->read_rest + first, rest_of(toy), bytes);
    return status;
}

static VL_CALL(recompute_restore)
{
    size_t layers = vl_input_size(inputs, "layers"), width = vl_input_size(inputs, "width"),
           passes = vl_input_size(inputs, "passes");
    struct toy toy = {.a = vl_bag_f32(inputs, "a"),
                      .b = vl_bag_f32(inputs, "b"),
                      .x = vl_bag_add_f32(outputs, "streams", layers + 1, width),
                      .probs = vl_bag_add_f32(outputs, "probs_slots", layers, width),
                      .rest = vl_bag_add_f32(outputs, "rest_slots", layers, width),
                      .layers = layers,
                      .width = width,
                      .fails_at = vl_input_size(inputs, "fails_at"),
                      .mode = (enum vl_recompute)vl_bag_int(inputs, "mode"),
                      .read_probs = vl_bag_add_f32(outputs, "probs", passes * layers, width),
                      .read_rest = vl_bag_add_f32(outputs, "rest", passes * layers, width),
                      .forwards = vl_filled_numbers(outputs, "forwards", passes, layers, 0),
                      .attentions = vl_filled_numbers(outputs, "attentions", passes, layers, 0),
                      .foreign = vl_filled_numbers(outputs, "foreign", 1, 1, 0)};
    const float *first = vl_bag_f32(inputs, "x");
    if (!toy.x || !toy.probs || !toy.rest || !toy.read_probs || !toy.read_rest || !toy.forwards ||
        !toy.attentions || !toy.foreign)
        return VL_EINTERNAL;
    /* An unknown mode must be refused in every layer, so backward goes on there. */
    const enum vl_status right = toy.mode < MODES ? VL_OK : VL_EINVAL;
    enum vl_status status = right;
    now = &toy;
    for (toy.pass = 0; status == right && toy.pass < passes; toy.pass++) {
        memcpy(toy.x, first + toy.pass * width, width * sizeof *first);
        for (toy.layer = 0; toy.layer < layers; toy.layer++)
            toy_forward(&toy);
        while (status == right && toy.layer-- > 0)
            status = toy_backward(&toy);
    }
    now = NULL;
    return status;
}

/* ---- the engine ---- */

/* Loss and gradients of a batch, in a mode. The model is to be freed, also after an error. */
static enum vl_status pass_within(struct vl_model **model, double *loss,
                                  const struct vl_bag *inputs, enum vl_recompute mode)
{
    struct vl_shape shape = vl_shape_of(inputs);
    enum vl_status status = vl_model_create_within(
        model, &shape, vl_input_size(inputs, "rows_per_micro"), VL_MODEL_LEARNS, mode);
    VL_NEXT(status, vl_take_weights(vl_model_learner(*model), inputs));
    VL_NEXT(status, vl_pass_batch(loss, *model, inputs));
    return status;
}

static VL_CALL(same_bits)
{
    struct vl_model *plain = NULL, *model = NULL;
    double plain_loss = 0, loss = 0;
    uint64_t differences = 0;
    enum vl_status status = pass_within(&plain, &plain_loss, inputs, VL_RECOMPUTE_NONE);
    VL_NEXT(status,
            pass_within(&model, &loss, inputs, (enum vl_recompute)vl_bag_int(inputs, "mode")));
    if (status == VL_OK) {
        const struct vl_learner *without = vl_model_learner(plain), *with = vl_model_learner(model);
        differences = memcmp(&loss, &plain_loss, sizeof loss) != 0;
        for (size_t i = 0; i < with->count; i++)
            differences += memcmp(with->gradients + i, without->gradients + i, sizeof(float)) != 0;
        status = vl_give_gradients(outputs, with);
    }
    status = vl_give_reals(outputs, status, {"loss", loss});
    status = vl_give_counts(outputs, status, {"differences", differences});
    vl_model_free(plain);
    vl_model_free(model);
    return status;
}

static VL_CALL(peak_bytes)
{
    struct vl_shape shape = vl_shape_of(inputs);
    int64_t *kept = vl_unwritten_numbers(outputs, "kept_bytes", 1, MODES),
            *saved = vl_unwritten_numbers(outputs, "bytes_saved", 1, MODES - 1);
    size_t none = 0;
    enum vl_status status = kept && saved ? VL_OK : VL_EINTERNAL;
    for (enum vl_recompute mode = 0; status == VL_OK && mode < MODES; mode++) {
        struct vl_model *model = NULL;
        status = vl_model_create_within(&model, &shape, vl_input_size(inputs, "rows"),
                                        VL_MODEL_LEARNS, mode);
        if (status != VL_OK)
            break;
        kept[mode] = (int64_t)vl_model_kept_bytes(model);
        if (mode == VL_RECOMPUTE_NONE)
            none = vl_model_activation_bytes(model);
        else
            saved[mode - 1] = (int64_t)(none - vl_model_activation_bytes(model));
        vl_model_free(model);
    }
    return status;
}

/* ---- on paper ---- */

static VL_CALL(activation_rule_bytes)
{
    struct vl_shape shape = vl_shape_of(inputs);
    double *bytes = vl_unwritten_real(outputs, "bytes");
    return bytes ? vl_activation_rule_bytes(bytes, &shape, vl_input_size(inputs, "rows"))
                 : VL_EINTERNAL;
}

static VL_CALL(activation_count)
{
    struct vl_shape shape = vl_shape_of(inputs);
    struct vl_activation_count count = {VL_UNWRITTEN_COUNT, VL_UNWRITTEN_COUNT, VL_UNWRITTEN_COUNT};
    enum vl_status status = vl_activation_count(&count, &shape, vl_input_size(inputs, "rows"));
    return vl_give_counts(outputs, status, {"input", count.input}, {"probs", count.probs},
                          {"rest", count.rest});
}

/* A shape for what must be refused however many layers there are. */
static struct vl_shape one_layer(struct vl_shape shape)
{
    shape.layers = 1;
    return shape;
}

static VL_CALL(recompute_bytes)
{
    struct vl_shape shape = vl_shape_of(inputs);
    const struct vl_shape shallow = one_layer(shape);
    size_t rows = vl_input_size(inputs, "rows");
    uint64_t *bytes = (uint64_t *)vl_unwritten_numbers(outputs, "bytes", 1, MODES);
    enum vl_status status = bytes ? VL_OK : VL_EINTERNAL;
    if (bytes && vl_input_size(inputs, "bad"))
        return vl_first_unrefused(
            outputs, {"mode = 3", vl_recompute_bytes(bytes, MODES, &shape, rows)},
            {"mode = 3, shape->layers = 1", vl_recompute_bytes(bytes, MODES, &shallow, rows)});
    for (enum vl_recompute mode = 0; status == VL_OK && mode < MODES; mode++)
        status = vl_recompute_bytes(&bytes[mode], mode, &shape, rows);
    return status;
}

static VL_CALL(recompute_flops)
{
    struct vl_shape shape = vl_shape_of(inputs);
    const struct vl_shape shallow = one_layer(shape);
    double *flops = vl_unwritten_doubles(outputs, "flops", MODES);
    enum vl_status status = flops ? VL_OK : VL_EINTERNAL;
    if (flops && vl_input_size(inputs, "bad"))
        return vl_first_unrefused(
            outputs, {"mode = 3", vl_recompute_flops(flops, MODES, &shape)},
            {"mode = 3, shape->layers = 1", vl_recompute_flops(flops, MODES, &shallow)});
    for (enum vl_recompute mode = 0; status == VL_OK && mode < MODES; mode++)
        status = vl_recompute_flops(&flops[mode], mode, &shape);
    return status;
}

/* A refusal is a result here: each budget has its status. */
static VL_CALL(recompute_choose)
{
    struct vl_shape shape = vl_shape_of(inputs);
    const struct vl_tensor_entry *budgets = vl_bag_find(inputs, "budgets");
    int64_t *modes = vl_unwritten_numbers(outputs, "modes", 1, budgets->count),
            *statuses = vl_unwritten_numbers(outputs, "statuses", 1, budgets->count);
    if (!modes || !statuses)
        return VL_EINTERNAL;
    for (size_t i = 0; i < budgets->count; i++) {
        enum vl_recompute mode = (enum vl_recompute)vl_bag_int(inputs, "preset");
        enum vl_status status = vl_recompute_choose(&mode, &shape, vl_input_size(inputs, "rows"),
                                                    (uint64_t)((const double *)budgets->data)[i]);
        if (status == VL_TODO || status == VL_EMISSING)
            return status;
        modes[i] = (int64_t)mode;
        statuses[i] = (int64_t)status;
    }
    return VL_OK;
}

static VL_CALL(predict_recompute)
{
    struct vl_recompute_prediction sealed = {0};
    enum vl_status status = vl_predict_recompute(&sealed);
    (void)inputs;
    status = vl_give_reals(outputs, status, {"full_share", sealed.full_share});
    return vl_give_counts(outputs, status, {"none_bytes", sealed.none_bytes},
                          {"selective_bytes", sealed.selective_bytes},
                          {"full_bytes", sealed.full_bytes});
}

const struct vl_call vl_calls_recompute[] = {
    VL_CALLED(activation_rule_bytes), VL_CALLED(recompute_slots),
    VL_CALLED(recompute_slot),        VL_CALLED(recompute_restore),
    VL_CALLED(activation_count),      VL_CALLED(recompute_bytes),
    VL_CALLED(recompute_flops),       VL_CALLED(recompute_choose),
    VL_CALLED(predict_recompute),     {"peak_bytes", vl_call_peak_bytes},
    {"same_bits", vl_call_same_bits}, {NULL, NULL},
};
