/*
 * What lab 05 must give.
 */
#include "grade/catalogue/scope.h"
#include "grade/labs/05_recompute/recompute.h"
#include "grade/shared/model.h"

/* ---- slots ---- */

typedef size_t place_fn(enum vl_oracle_mode mode, enum vl_oracle_kind kind, size_t layers);

/* A row for each of the numbers (NULL: for 0, 1, 2 ...), with a column for each mode and kind. */
static void answer_places(struct vl_scope *s, const char *name, place_fn *place,
                          const int32_t *numbers, size_t rows)
{
    int64_t *places = vl_scope_whole(s, name, rows, VL_ORACLE_MODES * VL_ORACLE_KINDS);
    for (size_t i = 0; places != NULL && i < rows; i++)
        for (enum vl_oracle_mode mode = 0; mode < VL_ORACLE_MODES; mode++)
            for (enum vl_oracle_kind kind = 0; kind < VL_ORACLE_KINDS; kind++)
                *places++ = (int64_t)place(mode, kind, numbers != NULL ? (size_t)numbers[i] : i);
}

VL_SCOPED_TRUTH(recompute_slots)
{
    if (!vl_scope_bad(s))
        answer_places(s, "slots", vl_oracle_places, vl_bag_i32(s->inputs, "layer_counts"),
                      vl_bag_find(s->inputs, "layer_counts")->count);
}

VL_SCOPED_TRUTH(recompute_slot)
{
    if (!vl_scope_bad(s))
        answer_places(s, "slot", vl_oracle_place, NULL, vl_scope_size(s, "layers"));
}

/* ---- restoring ---- */

/* Whatever is forgotten, backward reads what the same layer's forward wrote. */
VL_SCOPED_TRUTH(recompute_restore)
{
    size_t layers = vl_scope_size(s, "layers"), width = vl_scope_size(s, "width"),
           passes = vl_scope_size(s, "passes"), mode = vl_scope_size(s, "mode");
    if (vl_scope_refused(s, mode >= VL_ORACLE_MODES, VL_EINVAL) ||
        vl_scope_refused(s, vl_scope_size(s, "fails_at") > 0, VL_EIO))
        return;
    vl_scope_whole(s, "foreign", 1, 1); /* calls with something other than the context: none */
    double *probs = vl_scope_out(s, "probs", passes * layers, width, 0),
           *rest = vl_scope_out(s, "rest", passes * layers, width, 0);
    int64_t *forwards = vl_scope_whole(s, "forwards", passes, layers),
            *attentions = vl_scope_whole(s, "attentions", passes, layers);
    for (size_t turn = 0; !s->failed && turn < passes * layers; turn++) {
        size_t layer = turn % layers, row = turn * width;
        double *x = vl_scope_in(s, "x") + turn / layers * width; /* becomes the next layer's */
        enum vl_oracle_lost lost = vl_oracle_lost((enum vl_oracle_mode)mode, layer, layers);
        forwards[turn] = lost == VL_ORACLE_LOST_REST;
        attentions[turn] = lost == VL_ORACLE_LOST_PROBS;
        for (size_t i = 0; i < width; i++) {
            rest[row + i] = vl_scope_in(s, "a")[layer * width + i] * x[i];
            probs[row + i] = vl_scope_in(s, "b")[layer * width + i] * rest[row + i];
            x[i] = (rest[row + i] + probs[row + i]) / 2;
        }
    }
}

/* ---- the whole model ---- */

VL_SCOPED_TRUTH(same_bits)
{
    vl_scope_give_real(s, "loss", vl_answer_gradients(s));
    /* How many numbers differ from those of the same step without recomputation. */
    vl_scope_give_int(s, "differences", 0);
}

/* ---- bytes ---- */

int64_t vl_recompute_kept(const struct vl_bag *inputs, enum vl_oracle_mode mode)
{
    struct vl_oracle_shape shape = vl_shape_read(inputs);
    return (int64_t)vl_oracle_kept_bytes(mode, &shape, vl_bag_size(inputs, "rows"));
}

static void answer_bytes(struct vl_scope *s, const char *name)
{
    int64_t *bytes = vl_scope_whole(s, name, 1, VL_ORACLE_MODES);
    for (enum vl_oracle_mode mode = 0; bytes != NULL && mode < VL_ORACLE_MODES; mode++)
        bytes[mode] = vl_recompute_kept(s->inputs, mode);
}

VL_SCOPED_TRUTH(peak_kept)
{
    answer_bytes(s, "kept_bytes");
}

VL_SCOPED_TRUTH(peak_arena)
{
    int64_t *saved = vl_scope_whole(s, "bytes_saved", 1, VL_ORACLE_MODES - 1);
    for (enum vl_oracle_mode mode = 1; saved != NULL && mode < VL_ORACLE_MODES; mode++)
        saved[mode - 1] =
            vl_recompute_kept(s->inputs, VL_ORACLE_NONE) - vl_recompute_kept(s->inputs, mode);
}

/* ---- on paper ---- */

VL_TRUTH(activation_rule_bytes)
{
    struct vl_oracle_shape s = vl_shape_read(inputs);
    double tokens = (double)(s.sequence * vl_bag_size(inputs, "rows"));
    return vl_answer_real(expected, "bytes",
                          34 * tokens * (double)s.width +
                              5 * tokens * (double)(s.sequence * s.heads));
}

VL_SCOPED_TRUTH(activation_count)
{
    static const char *const names[] = {"input", "probs", "rest"};
    struct vl_oracle_shape shape = vl_shape_read(s->inputs);
    for (enum vl_oracle_kind kind = 0; kind < VL_ORACLE_KINDS; kind++) {
        uint64_t count = vl_oracle_elements(kind, &shape, vl_scope_size(s, "rows"));
        s->failed |= !vl_bag_set_int(s->answer, names[kind], (int64_t)count);
    }
}

VL_SCOPED_TRUTH(recompute_bytes)
{
    if (!vl_scope_bad(s))
        answer_bytes(s, "bytes");
}

VL_SCOPED_TRUTH(recompute_flops)
{
    struct vl_oracle_shape shape = vl_shape_read(s->inputs);
    double *flops = vl_scope_bad(s) ? NULL : vl_scope_out(s, "flops", 1, VL_ORACLE_MODES, 0);
    for (enum vl_oracle_mode mode = 0; flops != NULL && mode < VL_ORACLE_MODES; mode++)
        flops[mode] = vl_oracle_again_flops(mode, &shape);
}

/* Of the modes that fit, the one that adds the fewest operations. */
VL_SCOPED_TRUTH(recompute_choose)
{
    struct vl_oracle_shape shape = vl_shape_read(s->inputs);
    const struct vl_tensor_entry *budgets = vl_bag_find(s->inputs, "budgets");
    int64_t *modes = vl_scope_whole(s, "modes", 1, budgets->count),
            *statuses = vl_scope_whole(s, "statuses", 1, budgets->count);
    for (size_t i = 0; !s->failed && i < budgets->count; i++) {
        double least = 0;
        modes[i] = vl_bag_int(s->inputs, "preset");
        statuses[i] = VL_ENOMEM;
        for (enum vl_oracle_mode mode = 0; mode < VL_ORACLE_MODES; mode++) {
            double adds = vl_oracle_again_flops(mode, &shape);
            uint64_t kept = (uint64_t)vl_recompute_kept(s->inputs, mode);
            if (kept > (uint64_t)((const double *)budgets->data)[i] ||
                (statuses[i] == VL_OK && adds >= least))
                continue;
            least = adds;
            modes[i] = mode;
            statuses[i] = VL_OK;
        }
    }
}

/* ---- sealed: a case for each number, so that each earns its own points ---- */

#define SEALED_BYTES(number, mode)                                                                 \
    VL_TRUTH(predict_##number)                                                                     \
    {                                                                                              \
        return vl_answer_int(expected, #number, vl_recompute_kept(inputs, mode));                  \
    }
SEALED_BYTES(none_bytes, VL_ORACLE_NONE)
SEALED_BYTES(selective_bytes, VL_ORACLE_SELECTIVE)
SEALED_BYTES(full_bytes, VL_ORACLE_FULL)

VL_TRUTH(predict_full_share)
{
    struct vl_oracle_shape shape = vl_shape_read(inputs);
    return vl_answer_real(expected, "full_share",
                          vl_oracle_again_flops(VL_ORACLE_FULL, &shape) /
                              vl_oracle_step_flops(&shape));
}
