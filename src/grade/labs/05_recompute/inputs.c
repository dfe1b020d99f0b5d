/*
 * Inputs of lab 05's cases: shapes whose sizes all differ, budgets that just fit, the toy and
 * the small transformer.
 */
#include "grade/catalogue/maker.h"
#include "grade/labs/05_recompute/recompute.h"
#include "grade/shared/model.h"

#include <string.h>

static int is_bad(struct vl_maker *m, const struct vl_case *self)
{
    int bad = self->variant == VL_RECOMPUTE_BAD;
    vl_maker_size(m, "bad", (size_t)bad);
    return bad;
}

/* How many layers; one if the case is about that. */
static size_t draw_layers(struct vl_maker *m, const struct vl_case *self, size_t low, size_t high)
{
    return self->variant == VL_RECOMPUTE_ONE_LAYER ? 1 : vl_maker_between(m, low, high);
}

VL_MAKE(recompute_slots)
{
    struct vl_maker m = vl_maker_start(inputs, self, seed);
    int alone = self->variant == VL_RECOMPUTE_ONE_LAYER;
    if (is_bad(&m, self))
        return vl_maker_end(&m);
    int32_t *counts = vl_bag_add_i32(inputs, "layer_counts", 1, alone ? 1 : 4);
    m.failed |= !counts;
    for (size_t i = 0; counts && i < (alone ? 1 : 4); i++)
        counts[i] = (int32_t)(alone ? 1 : vl_maker_between(&m, 3 + 8 * i, 9 + 8 * i));
    return vl_maker_end(&m);
}

VL_MAKE(recompute_slot)
{
    struct vl_maker m = vl_maker_start(inputs, self, seed);
    is_bad(&m, self);
    vl_maker_size(&m, "layers", draw_layers(&m, self, 4, 9));
    return vl_maker_end(&m);
}

static enum vl_oracle_mode mode_of(const struct vl_case *self)
{
    switch (self->variant) {
    case VL_RECOMPUTE_BAD:
        return VL_ORACLE_MODES;
    case VL_RECOMPUTE_IN_NONE:
        return VL_ORACLE_NONE;
    case VL_RECOMPUTE_IN_SELECTIVE:
    case VL_RECOMPUTE_FAILS_PART:
        return VL_ORACLE_SELECTIVE;
    default:
        return VL_ORACLE_FULL;
    }
}

VL_MAKE(recompute_restore)
{
    struct vl_maker m = vl_maker_start(inputs, self, seed);
    int fails =
        self->variant == VL_RECOMPUTE_FAILS_FULL || self->variant == VL_RECOMPUTE_FAILS_PART;
    size_t layers = vl_maker_size(&m, "layers", draw_layers(&m, self, 4, 6));
    size_t passes = vl_maker_size(&m, "passes", 1 + (self->variant == VL_RECOMPUTE_TWO_PASSES));
    size_t width = vl_maker_size(&m, "width", vl_maker_prime(&m, layers));
    vl_maker_size(&m, "mode", mode_of(self));
    /* 1 + the layer that cannot be computed again; 0: none. Not the first and not the last. */
    vl_maker_size(&m, "fails_at", fails ? vl_maker_between(&m, 2, layers - 1) : 0);
    vl_maker_normal(&m, "a", layers, width, 1);
    vl_maker_normal(&m, "b", layers, width, 1);
    vl_maker_normal(&m, "x", passes, width, 1);
    return vl_maker_end(&m);
}

static void put_shape(struct vl_maker *m, struct vl_oracle_shape shape, size_t rows)
{
    vl_maker_size(m, "heads", shape.heads);
    vl_maker_size(m, "layers", shape.layers);
    vl_maker_size(m, "width", shape.width);
    vl_maker_size(m, "ff", shape.ff);
    vl_maker_size(m, "vocabulary", shape.vocabulary);
    vl_maker_size(m, "sequence", shape.sequence);
    vl_maker_size(m, "rows", rows);
}

/* Sizes that all differ, so that none passes for another. */
static void add_shape(struct vl_maker *m, size_t layers, int large)
{
    struct vl_oracle_shape shape = {.layers = layers, .heads = vl_maker_between(m, 2, 4)};
    shape.width = shape.heads * (large ? 128 : 2) * vl_maker_prime(m, 0);
    shape.ff = (large ? 1024 : 32) * vl_maker_prime(m, 0);
    shape.vocabulary = vl_maker_between(m, 97, 509);
    shape.sequence = large ? 8192 + vl_maker_between(m, 1, 99) : vl_maker_wide(m);
    put_shape(m, shape, vl_maker_between(m, large ? 32 : 2, large ? 48 : 9));
}

VL_MAKE(recompute_shape)
{
    struct vl_maker m = vl_maker_start(inputs, self, seed);
    int large = self->variant == VL_RECOMPUTE_LARGE;
    is_bad(&m, self);
    add_shape(&m, large ? vl_maker_between(&m, 32, 96) : draw_layers(&m, self, 3, 9), large);
    return vl_maker_end(&m);
}

VL_MAKE(recompute_choose)
{
    struct vl_maker m = vl_maker_start(inputs, self, seed);
    add_shape(&m, vl_maker_between(&m, 3, 9), 0);
    vl_maker_size(&m, "preset", 77); /* *mode before each call */
    struct vl_oracle_shape shape = vl_shape_read(inputs);
    int64_t bytes[VL_ORACLE_MODES];
    for (int mode = 0; mode < VL_ORACLE_MODES; mode++)
        bytes[mode] = (int64_t)vl_oracle_kept_bytes((enum vl_oracle_mode)mode, &shape,
                                                    vl_bag_size(inputs, "rows"));
    int64_t none = bytes[VL_ORACLE_NONE], selective = bytes[VL_ORACLE_SELECTIVE],
            full = bytes[VL_ORACLE_FULL];
    const int64_t exact[] = {none, selective, full},
                  byte_short[] = {none - 1, selective - 1, selective / 2 + full / 2},
                  none_fits[] = {full - 1, 0, full / 4};
    int64_t *budgets = vl_bag_add(inputs, "budgets", VL_I64, 2, (size_t[]){1, 3});
    m.failed |= !budgets;
    if (budgets != NULL)
        memcpy(budgets,
               self->variant == VL_RECOMPUTE_NONE_FITS    ? none_fits
               : self->variant == VL_RECOMPUTE_BYTE_SHORT ? byte_short
                                                          : exact,
               sizeof exact);
    return vl_maker_end(&m);
}

/* Arrays that fill whole cache lines, so that rounding up in the engine's arena adds nothing. */
VL_MAKE(recompute_engine)
{
    struct vl_maker m = vl_maker_start(inputs, self, seed);
    struct vl_oracle_shape shape = {.heads = vl_maker_between(&m, 2, 3), .vocabulary = 31};
    shape.layers = vl_maker_between(&m, 3, 6);
    shape.width = shape.heads * 8;
    shape.ff = 8 * vl_maker_prime(&m, 3);
    shape.sequence = 32 * vl_maker_between(&m, 1, 2);
    put_shape(&m, shape, vl_maker_between(&m, 2, 4));
    return vl_maker_end(&m);
}

VL_MAKE(recompute_model)
{
    struct vl_maker m = vl_maker_start(inputs, self, seed);
    vl_maker_size(&m, "mode", mode_of(self));
    vl_maker_size(&m, "layers", draw_layers(&m, self, 3, 4));
    size_t per_micro = vl_maker_small_shape(&m);
    vl_maker_transformer(&m, per_micro * vl_maker_size(&m, "micro_batches", 2));
    return vl_maker_end(&m);
}

/* The model that the lab's text gives; the runner does not need it. */
VL_MAKE(recompute_prediction)
{
    struct vl_maker m = vl_maker_start(inputs, self, seed);
    put_shape(&m, (struct vl_oracle_shape){4, 128, 4, 352, 256, 128}, 8);
    return vl_maker_end(&m);
}
