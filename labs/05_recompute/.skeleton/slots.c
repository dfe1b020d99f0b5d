/*
 * Lab 05, stations 1 and 2: who keeps what, and what is brought back.
 *
 * Begin here. The first two functions are a few lines each. Then, in a terminal:
 *
 *     ./vialata grade 05 --only vl_recompute_slot
 *
 * The contracts are in include/vialata/recompute.h. Remove a (void) line as soon as you use its
 * argument.
 */
#include "vialata/recompute.h"

/* include/vialata/recompute.h: the table at the top says one slot, or one a layer. */
enum vl_status vl_recompute_slots(size_t *slots, enum vl_recompute mode, enum vl_saved_kind kind,
                                  size_t layers)
{
    (void)slots;
    (void)mode;
    (void)kind;
    (void)layers;
    /* TODO(05): refuse a mode or a kind that is none, and no layers. */
    /* TODO(05): do all layers share one slot of this kind in this mode? A static function that
     * answers this serves vl_recompute_slot too. */
    return VL_TODO;
}

/* include/vialata/recompute.h: which of these slots is a layer's. */
enum vl_status vl_recompute_slot(size_t *slot, enum vl_recompute mode, enum vl_saved_kind kind,
                                 size_t layer, size_t layers)
{
    (void)slot;
    (void)mode;
    (void)kind;
    (void)layer;
    (void)layers;
    /* TODO(05): refuse what vl_recompute_slots refuses, and a layer that is none. */
    /* TODO(05): a shared slot has one number; otherwise layers keep to their own. */
    return VL_TODO;
}

/* include/vialata/recompute.h: just before the backward of one layer. */
enum vl_status vl_recompute_restore(const struct vl_layer_again *again, enum vl_recompute mode)
{
    (void)again;
    (void)mode;
    /* TODO(05): refuse a mode that is none. */
    /* TODO(05): which layer's arrays lie in a shared slot when backward begins? See the drawing. */
    /* TODO(05): the attention, the whole layer or nothing; hand on the status of what you call. */
    return VL_TODO;
}
