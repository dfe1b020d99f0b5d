/*
 * What lab 05 must give.
 */
#include "grade/catalogue/maker.h"
#include "grade/catalogue/scope.h"
#include "grade/labs/05_recompute/recompute.h"
#include "grade/shared/model.h"

#include <string.h>

int64_t *vl_recompute_table(struct vl_bag *bag, const char *name, size_t rows, size_t cols)
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
    int64_t *slots = vl_recompute_table(expected, "slots", counts->count, 9);
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
    int64_t *slot = vl_recompute_table(expected, "slot", layers, 9);
    for (size_t i = 0; slot != NULL && i < 9 * layers; i++)
        slot[i] = (int64_t)vl_oracle_place((enum vl_oracle_mode)(i % 9 / 3),
                                           (enum vl_oracle_kind)(i % 3), i / 9);
    return slot != NULL ? VL_OK : VL_ENOMEM;
}

/* ---- bringing back ---- */

/* The toy in float64: what lies where. Probs and rest have a row a place. */
struct toy {
    const double *a, *b;
    double *x, *probs, *rest; /* x (layers + 1, width) */
    size_t width;
    enum vl_oracle_mode mode;
};

static double *place_of(const struct toy *toy, double *rows, enum vl_oracle_kind kind, size_t layer)
{
    return rows + vl_oracle_place(toy->mode, kind, layer) * toy->width;
}

static void attend(const struct toy *toy, size_t layer)
{
    const double *rest = place_of(toy, toy->rest, VL_ORACLE_REST, layer);
    double *probs = place_of(toy, toy->probs, VL_ORACLE_PROBS, layer);
    for (size_t i = 0; i < toy->width; i++)
        probs[i] = rest[i] * toy->b[layer * toy->width + i];
}

static void go_forward(const struct toy *toy, size_t layer)
{
    double *rest = place_of(toy, toy->rest, VL_ORACLE_REST, layer);
    const double *probs = place_of(toy, toy->probs, VL_ORACLE_PROBS, layer);
    const double *x = toy->x + layer * toy->width;
    double *next = toy->x + (layer + 1) * toy->width;
    for (size_t i = 0; i < toy->width; i++)
        rest[i] = toy->a[layer * toy->width + i] * x[i];
    attend(toy, layer);
    for (size_t i = 0; i < toy->width; i++)
        next[i] = (rest[i] + probs[i]) / 2;
}

enum vl_status vl_recompute_replay(struct vl_bag *answer, const struct vl_bag *inputs, int mistake,
                                   struct vl_recompute_calls (*calls)(enum vl_oracle_mode mode,
                                                                      size_t layer, size_t layers,
                                                                      int mistake))
{
    struct vl_scope s = vl_scope_begin(answer, inputs);
    size_t layers = vl_scope_size(&s, "layers"), width = vl_scope_size(&s, "width"),
           passes = vl_scope_size(&s, "passes"), row = sizeof(double) * width;
    double *read_probs = vl_scope_out(&s, "probs", passes * layers, width, 0),
           *read_rest = vl_scope_out(&s, "rest", passes * layers, width, 0),
           *x = vl_scope_work(&s, "streams", (layers + 1) * width),
           *probs = vl_scope_work(&s, "probs_rooms", layers * width),
           *rest = vl_scope_work(&s, "rest_rooms", layers * width);
    int64_t *forwards = vl_recompute_table(answer, "forwards", passes, layers),
            *attentions = vl_recompute_table(answer, "attentions", passes, layers);
    s.failed |= !forwards || !attentions;
    struct toy toy = {.mode = (enum vl_oracle_mode)vl_bag_int(inputs, "mode"), .width = width};
    for (size_t pass = 0; !s.failed && pass < passes; pass++) {
        toy = (struct toy){
            vl_scope_in(&s, "a"), vl_scope_in(&s, "b"), x, probs, rest, width, toy.mode};
        memcpy(x, vl_scope_in(&s, "x") + pass * width, row);
        for (size_t layer = 0; layer < layers; layer++)
            go_forward(&toy, layer);
        for (size_t layer = layers; layer-- > 0;) {
            struct vl_recompute_calls made = calls(toy.mode, layer, layers, mistake);
            size_t at = pass * layers + layer;
            if (made.forwards > 0)
                go_forward(&toy, layer);
            if (made.attentions > 0)
                attend(&toy, layer);
            forwards[at] = made.forwards;
            attentions[at] = made.attentions;
            memcpy(read_probs + at * width, place_of(&toy, probs, VL_ORACLE_PROBS, layer), row);
            memcpy(read_rest + at * width, place_of(&toy, rest, VL_ORACLE_REST, layer), row);
        }
    }
    return vl_scope_end(&s);
}

static struct vl_recompute_calls needed(enum vl_oracle_mode mode, size_t layer, size_t layers,
                                        int mistake)
{
    (void)mistake;
    enum vl_oracle_lost lost = vl_oracle_lost(mode, layer, layers);
    return (struct vl_recompute_calls){lost == VL_ORACLE_LOST_REST, lost == VL_ORACLE_LOST_PROBS};
}

VL_TRUTH(recompute_restore)
{
    int64_t mode = vl_bag_int(inputs, "mode");
    if (mode >= VL_ORACLE_MODES)
        return refused(expected, VL_EINVAL);
    if (vl_bag_int(inputs, "fails_at"))
        return refused(expected, VL_EIO);
    if (!vl_bag_set_int(expected, "foreign", 0)) /* calls with something else than the context */
        return VL_ENOMEM;
    return vl_recompute_replay(expected, inputs, 0, needed);
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
    /* Numbers whose bits are not those of the same step without recomputation. */
    if (status == VL_OK &&
        (!vl_bag_set_real(expected, "loss", loss) || !vl_bag_set_int(expected, "differences", 0)))
        status = VL_ENOMEM;
    vl_oracle_transformer_free(&model);
    return status;
}

/* ---- bytes ---- */

static enum vl_status bytes_of_modes(struct vl_bag *expected, const char *name,
                                     const struct vl_bag *inputs)
{
    struct vl_oracle_shape shape = vl_shape_read(inputs);
    int64_t *bytes = vl_recompute_table(expected, name, 1, VL_ORACLE_MODES);
    for (int mode = 0; bytes != NULL && mode < VL_ORACLE_MODES; mode++)
        bytes[mode] = (int64_t)vl_oracle_kept_bytes((enum vl_oracle_mode)mode, &shape,
                                                    vl_bag_size(inputs, "rows"));
    return bytes != NULL ? VL_OK : VL_ENOMEM;
}

VL_TRUTH(peak_kept)
{
    return bytes_of_modes(expected, "kept_bytes", inputs);
}

VL_TRUTH(peak_arena)
{
    struct vl_oracle_shape shape = vl_shape_read(inputs);
    size_t rows = vl_bag_size(inputs, "rows");
    int64_t *saved = vl_recompute_table(expected, "bytes_saved", 1, 2);
    uint64_t none = vl_oracle_kept_bytes(VL_ORACLE_NONE, &shape, rows);
    if (saved == NULL)
        return VL_ENOMEM;
    saved[0] = (int64_t)(none - vl_oracle_kept_bytes(VL_ORACLE_SELECTIVE, &shape, rows));
    saved[1] = (int64_t)(none - vl_oracle_kept_bytes(VL_ORACLE_FULL, &shape, rows));
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

/* Of the modes that fit, the one that adds least. */
VL_TRUTH(recompute_choose)
{
    struct vl_oracle_shape shape = vl_shape_read(inputs);
    const struct vl_tensor_entry *budgets = vl_bag_find(inputs, "budgets");
    int64_t *modes = vl_recompute_table(expected, "modes", 1, budgets->count),
            *statuses = vl_recompute_table(expected, "statuses", 1, budgets->count);
    if (modes == NULL || statuses == NULL)
        return VL_ENOMEM;
    for (size_t i = 0; i < budgets->count; i++) {
        double least = 0;
        modes[i] = vl_bag_int(inputs, "preset");
        statuses[i] = VL_ENOMEM;
        for (int mode = 0; mode < VL_ORACLE_MODES; mode++) {
            double adds = vl_oracle_again_flops((enum vl_oracle_mode)mode, &shape);
            int64_t bytes = (int64_t)vl_oracle_kept_bytes((enum vl_oracle_mode)mode, &shape,
                                                          vl_bag_size(inputs, "rows"));
            if (bytes > ((const int64_t *)budgets->data)[i] ||
                (statuses[i] == VL_OK && adds >= least))
                continue;
            least = adds;
            modes[i] = mode;
            statuses[i] = VL_OK;
        }
    }
    return VL_OK;
}

/* ---- sealed: one a case, so that each earns on its own ---- */

static enum vl_status sealed(struct vl_bag *expected, const char *name, enum vl_oracle_mode mode,
                             const struct vl_bag *inputs)
{
    struct vl_oracle_shape shape = vl_shape_read(inputs);
    uint64_t bytes = vl_oracle_kept_bytes(mode, &shape, vl_bag_size(inputs, "rows"));
    return vl_bag_set_int(expected, name, (int64_t)bytes) ? VL_OK : VL_ENOMEM;
}

VL_TRUTH(predict_none_bytes)
{
    return sealed(expected, "none_bytes", VL_ORACLE_NONE, inputs);
}

VL_TRUTH(predict_selective_bytes)
{
    return sealed(expected, "selective_bytes", VL_ORACLE_SELECTIVE, inputs);
}

VL_TRUTH(predict_full_bytes)
{
    return sealed(expected, "full_bytes", VL_ORACLE_FULL, inputs);
}

VL_TRUTH(predict_full_share)
{
    struct vl_oracle_shape shape = vl_shape_read(inputs);
    double share = vl_oracle_again_flops(VL_ORACLE_FULL, &shape) / vl_oracle_step_flops(&shape);
    return vl_bag_set_real(expected, "full_share", share) ? VL_OK : VL_ENOMEM;
}
