/*
 * Timed calls of lab 05: steps of a real model that recomputes. It has only three layers, so that
 * the time shows if one too many is computed again.
 */
#include "runner/call.h"
#include "runner/timed_model.h"

static enum vl_status prepare(void **work, uint64_t seed, enum vl_recompute mode)
{
    static const struct vl_shape shape = {3, 96, 4, 256, 256, 64};
    return vl_timed_model_prepare(work, &shape, 4, mode, seed, 0, vl_timed_model_alone);
}

static enum vl_status prepare_full(void **work, uint64_t seed)
{
    return prepare(work, seed, VL_RECOMPUTE_FULL);
}

static enum vl_status prepare_selective(void **work, uint64_t seed)
{
    return prepare(work, seed, VL_RECOMPUTE_SELECTIVE);
}

const struct vl_timed_call vl_timed_recompute[] = {
    {"full_step", prepare_full, vl_timed_model_turn, vl_timed_model_finish, vl_timed_model_release},
    {"selective_step", prepare_selective, vl_timed_model_turn, vl_timed_model_finish,
     vl_timed_model_release},
    {NULL, NULL, NULL, NULL, NULL},
};
