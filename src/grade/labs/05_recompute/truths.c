/*
 * What lab 05 must give.
 */
#include "grade/catalogue/maker.h"
#include "grade/catalogue/scope.h"
#include "grade/labs/05_recompute/recompute.h"
#include "grade/shared/model.h"

#include <string.h>

/* A table of whole numbers in the bag; NULL without memory. */
static int64_t *table(struct vl_bag *bag, const char *name, size_t rows, size_t cols)
{
    return vl_bag_add(bag, name, VL_I64, 2, (size_t[]){rows, cols});
}

static enum vl_status refused(struct vl_bag *expected, enum vl_status status)
{
    return vl_bag_set_int(expected, "status", status) ? VL_OK : VL_ENOMEM;
}

/* ---- slots ---- */

VL_TRUTH(recompute_slots)
{
    if (vl_bag_int(inputs, "bad"))
        return refused(expected, VL_EINVAL);
    const struct vl_tensor_entry *counts = vl_bag_find(inputs, "layer_counts");
    int64_t *slots = table(expected, "slots", counts->count, 9);
    for (size_t i = 0; slots != NULL && i < 9 * counts->count; i++)
        slots[i] = (int64_t)vl_oracle_places((enum vl_oracle_mode)(i % 9 / 3),
                                             (enum vl_oracle_kind)(i % 3),
                                             (size_t)((const int32_t *)counts->data)[i / 9]);
    return slots != NULL ? VL_OK : VL_ENOMEM;
}

VL_TRUTH(recompute_slot)
{
    size_t layers = vl_bag_size(inputs, "layers");
    if (vl_bag_int(inputs, "bad"))
        return refused(expected, VL_EINVAL);
    int64_t *slot = table(expected, "slot", layers, 9);
    for (size_t i = 0; slot != NULL && i < 9 * layers; i++)
        slot[i] = (int64_t)vl_oracle_place((enum vl_oracle_mode)(i % 9 / 3),
                                           (enum vl_oracle_kind)(i % 3), i / 9);
    return slot != NULL ? VL_OK : VL_ENOMEM;
}

/* ---- restoring ---- */

/* The toy in float64. Probs and rest have one row for each slot. */
struct toy {
    const double *a, *b;
    double *x, *probs, *rest; /* x (layers + 1, width) */
    size_t width;
    enum vl_oracle_mode mode;
};

static double *slot_of(const struct toy *toy, double *rows, enum vl_oracle_kind kind, size_t layer)
{
    return rows + vl_oracle_place(toy->mode, kind, layer) * toy->width;
}

static void attend(const struct toy *toy, size_t layer)
{
    const double *rest = slot_of(toy, toy->rest, VL_ORACLE_REST, layer);
    double *probs = slot_of(toy, toy->probs, VL_ORACLE_PROBS, layer);
    for (size_t i = 0; i < toy->width; i++)
        probs[i] = rest[i] * toy->b[layer * toy->width + i];
}

static void go_forward(const struct toy *toy, size_t layer)
{
    double *rest = slot_of(toy, toy->rest, VL_ORACLE_REST, layer);
    const double *probs = slot_of(toy, toy->probs, VL_ORACLE_PROBS, layer);
    double *x = toy->x + layer * toy->width;
    for (size_t i = 0; i < toy->width; i++)
        rest[i] = toy->a[layer * toy->width + i] * x[i];
    attend(toy, layer);
    for (size_t i = 0; i < toy->width; i++)
        x[toy->width + i] = (rest[i] + probs[i]) / 2;
}

/* Each pass goes forward through all layers, then backward, restoring what each layer needs. */
static enum vl_status replay(struct vl_bag *answer, const struct vl_bag *inputs)
{
    struct vl_scope s = vl_scope_begin(answer, inputs);
    size_t layers = vl_scope_size(&s, "layers"), width = vl_scope_size(&s, "width"),
           passes = vl_scope_size(&s, "passes"), row = sizeof(double) * width;
    double *read_probs = vl_scope_out(&s, "probs", passes * layers, width, 0),
           *read_rest = vl_scope_out(&s, "rest", passes * layers, width, 0);
    int64_t *forwards = table(answer, "forwards", passes, layers),
            *attentions = table(answer, "attentions", passes, layers);
    struct toy toy = {.a = vl_scope_in(&s, "a"),
                      .b = vl_scope_in(&s, "b"),
                      .x = vl_scope_work(&s, "streams", (layers + 1) * width),
                      .probs = vl_scope_work(&s, "probs_slots", layers * width),
                      .rest = vl_scope_work(&s, "rest_slots", layers * width),
                      .width = width,
                      .mode = (enum vl_oracle_mode)vl_bag_int(inputs, "mode")};
    s.failed |= !forwards || !attentions;
    for (size_t pass = 0; !s.failed && pass < passes; pass++) {
        memcpy(toy.x, vl_scope_in(&s, "x") + pass * width, row);
        for (size_t layer = 0; layer < layers; layer++)
            go_forward(&toy, layer);
        for (size_t layer = layers; layer-- > 0;) {
            enum vl_oracle_lost lost = vl_oracle_lost(toy.mode, layer, layers);
            size_t at = pass * layers + layer;
            if ((forwards[at] = lost == VL_ORACLE_LOST_REST))
                go_forward(&toy, layer);
            if ((attentions[at] = lost == VL_ORACLE_LOST_PROBS))
                attend(&toy, layer);
            memcpy(read_probs + at * width, slot_of(&toy, toy.probs, VL_ORACLE_PROBS, layer), row);
            memcpy(read_rest + at * width, slot_of(&toy, toy.rest, VL_ORACLE_REST, layer), row);
        }
    }
    return vl_scope_end(&s);
}

VL_TRUTH(recompute_restore)
{
    if (vl_bag_int(inputs, "mode") >= VL_ORACLE_MODES)
        return refused(expected, VL_EINVAL);
    if (vl_bag_int(inputs, "fails_at"))
        return refused(expected, VL_EIO);
    if (!vl_bag_set_int(expected, "foreign", 0)) /* calls with something other than the context */
        return VL_ENOMEM;
    return replay(expected, inputs);
}

/* ---- the whole model ---- */

VL_TRUTH(same_bits)
{
    struct vl_oracle_transformer model;
    size_t rows = vl_bag_size(inputs, "rows_per_micro") * vl_bag_size(inputs, "micro_batches");
    enum vl_status status = vl_transformer_read(&model, inputs);
    if (status != VL_OK)
        return status;
    double loss;
    status = vl_oracle_transformer_loss(&loss, &model, vl_bag_i32(inputs, "tokens"),
                                        vl_bag_i32(inputs, "targets"), rows,
                                        1 / ((double)rows * (double)model.shape.sequence), 1);
    for (size_t i = 0; status == VL_OK && i < model.tensor_count; i++) {
        const struct vl_oracle_tensor *t = &model.tensors[i];
        double *d = vl_bag_add_f64(expected, t->name, t->rows, t->cols);
        if (d)
            memcpy(d, model.gradients + t->offset, t->rows * t->cols * sizeof *d);
        else
            status = VL_ENOMEM;
    }
    /* How many numbers differ in their bits from the same step without recomputation. */
    if (status == VL_OK &&
        (!vl_bag_set_real(expected, "loss", loss) || !vl_bag_set_int(expected, "differences", 0)))
        status = VL_ENOMEM;
    vl_oracle_transformer_free(&model);
    return status;
}

/* ---- bytes ---- */

static int64_t bytes_of(enum vl_oracle_mode mode, const struct vl_bag *inputs)
{
    struct vl_oracle_shape shape = vl_shape_read(inputs);
    return (int64_t)vl_oracle_kept_bytes(mode, &shape, vl_bag_size(inputs, "rows"));
}

static enum vl_status bytes_of_modes(struct vl_bag *expected, const char *name,
                                     const struct vl_bag *inputs)
{
    int64_t *bytes = table(expected, name, 1, VL_ORACLE_MODES);
    for (int mode = 0; bytes != NULL && mode < VL_ORACLE_MODES; mode++)
        bytes[mode] = bytes_of((enum vl_oracle_mode)mode, inputs);
    return bytes != NULL ? VL_OK : VL_ENOMEM;
}

VL_TRUTH(peak_kept)
{
    return bytes_of_modes(expected, "kept_bytes", inputs);
}

VL_TRUTH(peak_arena)
{
    int64_t *saved = table(expected, "bytes_saved", 1, 2), none = bytes_of(VL_ORACLE_NONE, inputs);
    if (saved == NULL)
        return VL_ENOMEM;
    saved[0] = none - bytes_of(VL_ORACLE_SELECTIVE, inputs);
    saved[1] = none - bytes_of(VL_ORACLE_FULL, inputs);
    return VL_OK;
}

/* ---- on paper ---- */

VL_TRUTH(activation_rule_bytes)
{
    struct vl_oracle_shape s = vl_shape_read(inputs);
    double tokens = (double)(s.sequence * vl_bag_size(inputs, "rows"));
    double bytes = 34 * tokens * (double)s.width + 5 * tokens * (double)(s.sequence * s.heads);
    return vl_bag_set_real(expected, "bytes", bytes) ? VL_OK : VL_ENOMEM;
}

VL_TRUTH(activation_count)
{
    static const char *const names[] = {"input", "probs", "rest"};
    struct vl_oracle_shape shape = vl_shape_read(inputs);
    for (int kind = 0; kind < VL_ORACLE_KINDS; kind++)
        if (!vl_bag_set_int(expected, names[kind],
                            (int64_t)vl_oracle_elements((enum vl_oracle_kind)kind, &shape,
                                                        vl_bag_size(inputs, "rows"))))
            return VL_ENOMEM;
    return VL_OK;
}

VL_TRUTH(recompute_bytes)
{
    return vl_bag_int(inputs, "bad") ? refused(expected, VL_EINVAL)
                                     : bytes_of_modes(expected, "bytes", inputs);
}

VL_TRUTH(recompute_flops)
{
    struct vl_oracle_shape shape = vl_shape_read(inputs);
    if (vl_bag_int(inputs, "bad"))
        return refused(expected, VL_EINVAL);
    double *flops = vl_bag_add_f64(expected, "flops", 1, VL_ORACLE_MODES);
    for (int mode = 0; flops != NULL && mode < VL_ORACLE_MODES; mode++)
        flops[mode] = vl_oracle_again_flops((enum vl_oracle_mode)mode, &shape);
    return flops != NULL ? VL_OK : VL_ENOMEM;
}

/* Of the modes that fit, the one that adds the fewest operations. */
VL_TRUTH(recompute_choose)
{
    struct vl_oracle_shape shape = vl_shape_read(inputs);
    const struct vl_tensor_entry *budgets = vl_bag_find(inputs, "budgets");
    int64_t *modes = table(expected, "modes", 1, budgets->count),
            *statuses = table(expected, "statuses", 1, budgets->count);
    if (modes == NULL || statuses == NULL)
        return VL_ENOMEM;
    for (size_t i = 0; i < budgets->count; i++) {
        double least = 0;
        modes[i] = vl_bag_int(inputs, "preset");
        statuses[i] = VL_ENOMEM;
        for (int mode = 0; mode < VL_ORACLE_MODES; mode++) {
            double adds = vl_oracle_again_flops((enum vl_oracle_mode)mode, &shape);
            if (bytes_of((enum vl_oracle_mode)mode, inputs) > ((int64_t *)budgets->data)[i] ||
                (statuses[i] == VL_OK && adds >= least))
                continue;
            least = adds;
            modes[i] = mode;
            statuses[i] = VL_OK;
        }
    }
    return VL_OK;
}

/* ---- sealed: one for each case, so that each earns on its own ---- */

#define SEALED_BYTES(number, mode)                                                                 \
    VL_TRUTH(predict_##number)                                                                     \
    {                                                                                              \
        return vl_bag_set_int(expected, #number, bytes_of(mode, inputs)) ? VL_OK : VL_ENOMEM;      \
    }
SEALED_BYTES(none_bytes, VL_ORACLE_NONE)
SEALED_BYTES(selective_bytes, VL_ORACLE_SELECTIVE)
SEALED_BYTES(full_bytes, VL_ORACLE_FULL)

VL_TRUTH(predict_full_share)
{
    struct vl_oracle_shape shape = vl_shape_read(inputs);
    double share = vl_oracle_again_flops(VL_ORACLE_FULL, &shape) / vl_oracle_step_flops(&shape);
    return vl_bag_set_real(expected, "full_share", share) ? VL_OK : VL_ENOMEM;
}
