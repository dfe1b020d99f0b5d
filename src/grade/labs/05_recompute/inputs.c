/*
 * Inputs of lab 05's cases: shapes whose sizes differ, budgets that just fit, the toy and the small
 * transformer.
 */
#include "grade/catalogue/maker.h"
#include "grade/labs/05_recompute/recompute.h"
#include "grade/shared/model.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Note whether the case is about a bad argument; return it. */
static bool add_bad(struct vl_maker *m, const struct vl_case *self)
{
    return vl_maker_size(m, "bad", self->variant == VL_RECOMPUTE_BAD) != 0;
}

/* How many layers; one if the case is about one layer. */
static size_t draw_layers(struct vl_maker *m, const struct vl_case *self, size_t low, size_t high)
{
    const int one =
        self->variant == VL_RECOMPUTE_ONE_LAYER || self->variant == VL_RECOMPUTE_BAD_LAST;
    return one ? 1 : vl_maker_between(m, low, high);
}

VL_SCOPED_MAKE(recompute_slots)
{
    size_t count = self->variant == VL_RECOMPUTE_ONE_LAYER ? 1 : 4;
    if (add_bad(m, self))
        return;
    int32_t *counts = vl_maker_whole(m, "layer_counts", 1, count);
    for (size_t i = 0; counts && i < count; i++)
        counts[i] = (int32_t)draw_layers(m, self, 3 + 8 * i, 9 + 8 * i);
}

VL_SCOPED_MAKE(recompute_slot)
{
    add_bad(m, self);
    vl_maker_size(m, "layers", draw_layers(m, self, 4, 9));
}

static enum vl_oracle_mode mode_of(const struct vl_case *self)
{
    switch (self->variant) {
    case VL_RECOMPUTE_BAD:
    case VL_RECOMPUTE_BAD_LAST:
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

VL_SCOPED_MAKE(recompute_restore)
{
    int fails =
        self->variant == VL_RECOMPUTE_FAILS_FULL || self->variant == VL_RECOMPUTE_FAILS_PART;
    size_t layers = vl_maker_size(m, "layers", draw_layers(m, self, 4, 6));
    size_t passes = vl_maker_size(m, "passes", 1 + (self->variant == VL_RECOMPUTE_TWO_PASSES));
    size_t width = vl_maker_size(m, "width", vl_maker_prime(m, layers));
    vl_maker_size(m, "mode", mode_of(self));
    /* 1 + the layer that cannot be computed again; 0: none. Not the first and not the last. */
    vl_maker_size(m, "fails_at", fails ? vl_maker_between(m, 2, layers - 1) : 0);
    vl_maker_normal(m, "a", layers, width, 1);
    vl_maker_normal(m, "b", layers, width, 1);
    vl_maker_normal(m, "x", passes, width, 1);
}

static void put_shape(struct vl_maker *m, struct vl_oracle_shape shape, size_t rows)
{
    vl_maker_sizes(m, {"heads", shape.heads}, {"layers", shape.layers}, {"width", shape.width},
                   {"ff", shape.ff}, {"vocabulary", shape.vocabulary}, {"sequence", shape.sequence},
                   {"rows", rows});
}

/* With an odd sequence and an odd number of layers to compute again, a float cannot hold the operations. */
static size_t draw_many_layers(struct vl_maker *m)
{
    return 2 * vl_maker_between(m, 24, 48);
}

/* Sizes that differ, as a rule, so that none passes for another. */
static void add_shape(struct vl_maker *m, size_t layers, int large)
{
    struct vl_oracle_shape shape = {.layers = layers, .heads = vl_maker_between(m, 2, 4)};
    shape.width = shape.heads * (large ? 128 : 2) * vl_maker_prime(m, 0);
    shape.ff = (large ? 1024 : 32) * vl_maker_prime(m, 0);
    shape.vocabulary = vl_maker_between(m, 97, 509);
    shape.sequence = large ? 131073 + 2 * vl_maker_between(m, 0, 49) : vl_maker_wide(m);
    put_shape(m, shape, vl_maker_between(m, large ? 32 : 2, large ? 48 : 9));
}

VL_SCOPED_MAKE(recompute_shape)
{
    int large = self->variant == VL_RECOMPUTE_LARGE;
    add_bad(m, self);
    add_shape(m, large ? draw_many_layers(m) : draw_layers(m, self, 3, 9), large);
}

VL_SCOPED_MAKE(recompute_choose)
{
    int large = self->variant == VL_RECOMPUTE_NONE_FITS; /* nor does it after 32 bits are full */
    add_shape(m, large ? draw_many_layers(m) : vl_maker_between(m, 3, 9), large);
    vl_maker_size(m, "preset", 77); /* *mode before each call */
    double none = (double)vl_recompute_kept(m->bag, VL_ORACLE_NONE),
           selective = (double)vl_recompute_kept(m->bag, VL_ORACLE_SELECTIVE),
           full = (double)vl_recompute_kept(m->bag, VL_ORACLE_FULL);
    /* All 64 bits are a budget's: of 2^32 the lower 32 are empty, and the last one, the most that is a
     * float64 as well, is below zero if its sign is looked at. */
    const double of[][5] = {
        [VL_RECOMPUTE_EXACT_BUDGETS] = {none, selective, full, 0x1p32, 0x1.fffffffffffffp63},
        [VL_RECOMPUTE_BYTE_SHORT] = {none - 1, selective - 1, floor(selective / 2 + full / 2)},
        [VL_RECOMPUTE_NONE_FITS] = {full - 1, 0, floor(full / 4)},
    };
    size_t count = self->variant == VL_RECOMPUTE_EXACT_BUDGETS ? 5 : 3;
    double *budgets = vl_maker_doubles(m, "budgets", 1, count);
    if (budgets != NULL)
        memcpy(budgets, of[self->variant], count * sizeof *budgets);
}

/* Arrays that fill whole cache lines, so that rounding up in the engine's arena adds nothing. */
VL_SCOPED_MAKE(recompute_engine)
{
    struct vl_oracle_shape shape = {.heads = vl_maker_between(m, 2, 3), .vocabulary = 31};
    shape.layers = vl_maker_between(m, 3, 6);
    shape.width = shape.heads * 8;
    shape.ff = 8 * vl_maker_prime(m, 3);
    shape.sequence = 32 * vl_maker_between(m, 1, 2);
    put_shape(m, shape, vl_maker_between(m, 2, 4));
}

VL_SCOPED_MAKE(recompute_model)
{
    vl_maker_size(m, "mode", mode_of(self));
    vl_maker_size(m, "layers", draw_layers(m, self, 3, 4));
    size_t per_micro = vl_maker_small_shape(m);
    vl_maker_transformer(m, per_micro * vl_maker_size(m, "micro_batches", 2));
}
