/*
 * Units, and the hooks that are called as they are used.
 *
 * The parameters of a model are grouped into units that are used together: the embedding, each
 * layer, the final norm with the head. Forward visits them first to last, backward last to first:
 *
 *   unit      0        1       2      ...    L      L+1
 *          embedding layer 1 layer 2      layer L  norm, head
 *   forward   ------------------------------------->
 *   backward  <-------------------------------------
 *
 * Code that sends gradients while backward still runs, or lends a unit its memory only while it is
 * used, sets these hooks in the learner. Each may be NULL and is then not called. If one returns a
 * status other than VL_OK, the forward or backward that called it ends.
 *
 *   forward of a unit:   borrow, prefetch of the next unit, compute, give_back
 *   backward of a unit:  borrow, prefetch of the unit below, gradients, compute (adds to them),
 *                        ready, give_back
 *   between operations:  poll
 */
#ifndef VIALATA_UNIT_HOOKS_H
#define VIALATA_UNIT_HOOKS_H

#include "vialata/status.h"
#include <stddef.h>

struct vl_unit_hooks {
    void *context; /* handed to every function */

    /* Set *weights to all weights of the unit, valid until give_back. NULL: learner->weights. */
    enum vl_status (*borrow)(void *context, size_t unit, const float **weights);
    enum vl_status (*give_back)(void *context, size_t unit);

    /* This unit is borrowed next, right after the one in use is given back: a chance to start
     * fetching its weights early. Called for every unit of a pass except its first. */
    enum vl_status (*prefetch)(void *context, size_t unit);

    /* Set *gradients to where backward adds the unit's gradients, from now until ready. NULL:
     * learner->gradients. */
    enum vl_status (*gradients)(void *context, size_t unit, float **gradients);

    /* This micro-batch adds nothing more to the gradients of the unit. */
    enum vl_status (*ready)(void *context, size_t unit);

    /* A chance to make progress with what is under way. Called often, so it must be cheap. */
    enum vl_status (*poll)(void *context);
};

#endif
