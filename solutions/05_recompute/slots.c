/*
 * Lab 05: what is kept in which slot, and what is computed again.
 */
#include "vialata/recompute.h"

static int is_mode(enum vl_recompute mode)
{
    return mode == VL_RECOMPUTE_NONE || mode == VL_RECOMPUTE_SELECTIVE || mode == VL_RECOMPUTE_FULL;
}

static int is_kind(enum vl_saved_kind kind)
{
    return kind == VL_SAVED_INPUT || kind == VL_SAVED_PROBS || kind == VL_SAVED_REST;
}

/* Do all layers share one slot of this kind? */
static int is_shared(enum vl_recompute mode, enum vl_saved_kind kind)
{
    return (kind == VL_SAVED_PROBS && mode != VL_RECOMPUTE_NONE) ||
           (kind == VL_SAVED_REST && mode == VL_RECOMPUTE_FULL);
}

enum vl_status vl_recompute_slots(size_t *slots, enum vl_recompute mode, enum vl_saved_kind kind,
                                  size_t layers)
{
    if (slots == NULL || !is_mode(mode) || !is_kind(kind) || layers == 0)
        return VL_EINVAL;
    *slots = is_shared(mode, kind) ? 1 : layers;
    return VL_OK;
}

enum vl_status vl_recompute_slot(size_t *slot, enum vl_recompute mode, enum vl_saved_kind kind,
                                 size_t layer, size_t layers)
{
    if (slot == NULL || !is_mode(mode) || !is_kind(kind) || layer >= layers)
        return VL_EINVAL;
    *slot = is_shared(mode, kind) ? 0 : layer;
    return VL_OK;
}

enum vl_status vl_recompute_restore(const struct vl_layer_again *again, enum vl_recompute mode)
{
    if (again == NULL || !is_mode(mode))
        return VL_EINVAL;
    int still_there = again->layer + 1 == again->layers; /* nobody has written to its slots since */
    if (mode == VL_RECOMPUTE_NONE || still_there)
        return VL_OK;
    return mode == VL_RECOMPUTE_FULL ? again->forward(again->context)
                                     : again->attention(again->context);
}
