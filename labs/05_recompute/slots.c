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

/* include/vialata/recompute.h: the table at the top says one slot, or one per layer. */
enum vl_status vl_recompute_slots(size_t *slots, enum vl_recompute mode, enum vl_saved_kind kind,
                                  size_t layers)
{
    (void)slots;
    (void)mode;
    (void)kind;
    (void)layers;
    /* TODO(05): refuse an unknown mode or kind, and a model without layers. */
    /* TODO(05): do all layers share one slot of this kind in this mode? A static function that
     * answers this serves vl_recompute_slot too. */
    return VL_TODO;
}

/* include/vialata/recompute.h: which of these slots a layer uses. */
enum vl_status vl_recompute_slot(size_t *slot, enum vl_recompute mode, enum vl_saved_kind kind,
                                 size_t layer, size_t layers)
{
    (void)slot;
    (void)mode;
    (void)kind;
    (void)layer;
    (void)layers;
    /* TODO(05): refuse what vl_recompute_slots refuses, and a layer out of range. */
    /* TODO(05): what number does a shared slot have? If none is shared, each layer has its own. */
    return VL_TODO;
}

/* include/vialata/recompute.h: just before the backward of one layer. */
enum vl_status vl_recompute_restore(const struct vl_layer_again *again, enum vl_recompute mode)
{
    (void)again;
    (void)mode;
    /* TODO(05): refuse an unknown mode. */
    /* TODO(05): which layer's arrays are in a shared slot when backward begins? See the drawing. */
    /* TODO(05): the attention, the whole layer or nothing; return the status of what you call. */
    return VL_TODO;
}
