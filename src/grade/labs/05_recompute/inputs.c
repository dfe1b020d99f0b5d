/*
 * Inputs of lab 05's cases: shapes whose sizes all differ, budgets on the edge, the toy and the
 * small transformer.
 */
#include "grade/catalogue/maker.h"
#include "grade/labs/05_recompute/recompute.h"
#include "grade/shared/model.h"

static int is_bad(struct vl_maker *m, const struct vl_case *self)
{
    int bad = self->variant == VL_RECOMPUTE_BAD;
    vl_maker_size(m, "bad", (size_t)bad);
    return bad;
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
    vl_maker_size(&m, "layers",
                  self->variant == VL_RECOMPUTE_ONE_LAYER ? 1 : vl_maker_between(&m, 4, 9));
    return vl_maker_end(&m);
}

VL_MAKE(recompute_restore)
{
    struct vl_maker m = vl_maker_start(inputs, self, seed);
    int alone = self->variant == VL_RECOMPUTE_ONE_LAYER;
    int part =
        self->variant == VL_RECOMPUTE_IN_SELECTIVE || self->variant == VL_RECOMPUTE_FAILS_PART;
    int fails =
        self->variant == VL_RECOMPUTE_FAILS_FULL || self->variant == VL_RECOMPUTE_FAILS_PART;
    size_t layers = vl_maker_size(&m, "layers", alone ? 1 : vl_maker_between(&m, 4, 6));
    size_t passes = vl_maker_size(&m, "passes", 1 + (self->variant == VL_RECOMPUTE_TWO_PASSES));
    size_t width = vl_maker_size(&m, "width", vl_maker_prime(&m, layers));
    vl_maker_size(&m, "mode",
                  self->variant == VL_RECOMPUTE_BAD       ? VL_ORACLE_MODES
                  : self->variant == VL_RECOMPUTE_IN_NONE ? VL_ORACLE_NONE
                  : part                                  ? VL_ORACLE_SELECTIVE
                                                          : VL_ORACLE_FULL);
    /* 1 + the layer that cannot be computed again; 0: none. Not the first and not the last. */
    vl_maker_size(&m, "fails_at", fails ? vl_maker_between(&m, 2, layers - 1) : 0);
    vl_maker_normal(&m, "a", layers, width, 1);
    vl_maker_normal(&m, "b", layers, width, 1);
    vl_maker_normal(&m, "x", passes, width, 1);
    return vl_maker_end(&m);
}

/* Sizes that all differ, so that none stands for another. */
static void add_shape(struct vl_maker *m, size_t layers, int large)
{
    size_t heads = vl_maker_size(m, "heads", vl_maker_between(m, 2, 4));
    vl_maker_size(m, "layers", layers);
    vl_maker_size(m, "width", heads * (large ? 128 : 2) * vl_maker_prime(m, 0));
    vl_maker_size(m, "ff", (large ? 1024 : 32) * vl_maker_prime(m, 0));
    vl_maker_size(m, "vocabulary", vl_maker_between(m, 97, 509));
    vl_maker_size(m, "sequence", large ? 8192 + vl_maker_between(m, 1, 99) : vl_maker_wide(m));
    vl_maker_size(m, "rows", vl_maker_between(m, large ? 32 : 2, large ? 48 : 9));
}

VL_MAKE(recompute_shape)
{
    struct vl_maker m = vl_maker_start(inputs, self, seed);
    int large = self->variant == VL_RECOMPUTE_LARGE;
    is_bad(&m, self);
    add_shape(&m,
              self->variant == VL_RECOMPUTE_ONE_LAYER ? 1
              : large                                 ? vl_maker_between(&m, 32, 96)
                                                      : vl_maker_between(&m, 3, 9),
              large);
    return vl_maker_end(&m);
}

VL_MAKE(recompute_choose)
{
    struct vl_maker m = vl_maker_start(inputs, self, seed);
    add_shape(&m, vl_maker_between(&m, 3, 9), 0);
    vl_maker_size(&m, "preset", 77); /* what stands in *mode before each call */
    struct vl_oracle_shape shape = vl_shape_read(inputs);
    size_t rows = vl_bag_size(inputs, "rows");
    int64_t bytes[VL_ORACLE_MODES], *budgets = vl_recompute_table(inputs, "budgets", 1, 3);
    for (int mode = 0; mode < VL_ORACLE_MODES; mode++)
        bytes[mode] = (int64_t)vl_oracle_kept_bytes((enum vl_oracle_mode)mode, &shape, rows);
    m.failed |= !budgets;
    for (int i = 0; budgets && i < 3; i++) {
        if (self->variant == VL_RECOMPUTE_NONE_FITS)
            budgets[i] = i == 0   ? bytes[VL_ORACLE_FULL] - 1
                         : i == 1 ? 0
                                  : bytes[VL_ORACLE_FULL] / 4;
        else if (self->variant == VL_RECOMPUTE_BYTE_SHORT)
            budgets[i] =
                i < 2 ? bytes[i] - 1 : bytes[VL_ORACLE_SELECTIVE] / 2 + bytes[VL_ORACLE_FULL] / 2;
        else
            budgets[i] = bytes[i];
    }
    return vl_maker_end(&m);
}

/* Arrays that fill whole cache lines: what the engine's arena rounds up is nothing then. */
VL_MAKE(recompute_engine)
{
    struct vl_maker m = vl_maker_start(inputs, self, seed);
    size_t heads = vl_maker_size(&m, "heads", vl_maker_between(&m, 2, 3));
    vl_maker_size(&m, "layers", vl_maker_between(&m, 3, 6));
    vl_maker_size(&m, "width", heads * 8);
    vl_maker_size(&m, "ff", 8 * vl_maker_prime(&m, 3));
    vl_maker_size(&m, "vocabulary", 31);
    vl_maker_size(&m, "sequence", 32 * vl_maker_between(&m, 1, 2));
    vl_maker_size(&m, "rows", vl_maker_between(&m, 2, 4));
    return vl_maker_end(&m);
}

VL_MAKE(recompute_model)
{
    struct vl_maker m = vl_maker_start(inputs, self, seed);
    int alone = self->variant == VL_RECOMPUTE_ONE_LAYER;
    vl_maker_size(&m, "mode",
                  self->variant == VL_RECOMPUTE_IN_SELECTIVE ? VL_ORACLE_SELECTIVE
                                                             : VL_ORACLE_FULL);
    vl_maker_size(&m, "layers", alone ? 1 : vl_maker_between(&m, 3, 4));
    size_t per_micro = vl_maker_small_shape(&m);
    vl_maker_transformer(&m, per_micro * vl_maker_size(&m, "micro_batches", 2));
    return vl_maker_end(&m);
}

/* The model that the lab's text gives; the runner does not need it. */
VL_MAKE(recompute_prediction)
{
    struct vl_maker m = vl_maker_start(inputs, self, seed);
    vl_maker_size(&m, "layers", 4);
    vl_maker_size(&m, "width", 128);
    vl_maker_size(&m, "heads", 4);
    vl_maker_size(&m, "ff", 352);
    vl_maker_size(&m, "vocabulary", 256);
    vl_maker_size(&m, "sequence", 128);
    vl_maker_size(&m, "rows", 8);
    return vl_maker_end(&m);
}
