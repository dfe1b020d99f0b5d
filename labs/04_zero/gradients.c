/*
 * Lab 04, station 3: gradients that nobody keeps whole.
 *
 * At stage 1 they are whole, and these functions are short. Write that first: each is graded at
 * stage 1 and at stage 2 apart. Then the two buffers. A buffer is always in one of three states:
 *
 *     free             adding = 0
 *     added to         adding = unit + 1, flight[unit] = NULL      from 'gradients' to 'ready'
 *     on its way       adding = unit + 1, flight[unit] under way   until its chunk has landed
 *
 * Buffer 1 begins one largest unit behind buffer 0. Transfers under way together need different tags.
 * You will want static functions of your own: where a buffer begins, and what is done when a unit
 * has landed.
 *
 *     ./vialata grade 04 --only vl_zero_gradients
 */
#include "vialata/zero.h"

/* include/vialata/zero.h: where backward adds the gradients of a unit. */
enum vl_status vl_zero_gradients(void *context, size_t unit, float **gradients)
{
    (void)context;
    (void)unit;
    (void)gradients;
    /* TODO(04): refuse a unit that is none. Stage 1: the unit's place in the whole array. */
    /* TODO(04): the buffer whose turn it is, and no other. If a unit is on its way there, wait for it
     * and let it land; if it is still being added to, refuse. */
    /* TODO(04): a model of one unit: it may be on its way in the other buffer. One transfer a unit.
     */
    /* TODO(04): it belongs to this unit now, and the next turn is the other's. All zeros. */
    return VL_TODO;
}

/* include/vialata/zero.h: start the reduce-scatter of the unit; never wait. */
enum vl_status vl_zero_ready(void *context, size_t unit)
{
    (void)context;
    (void)unit;
    /* TODO(04): stage 1: on the whole array, at the unit's place; the tag is the unit's number. */
    /* TODO(04): stages 2 and 3: on the buffer that this unit has; refuse if it has none. */
    return VL_TODO;
}

/* include/vialata/zero.h: drive on what is under way; what is done lands. */
enum vl_status vl_zero_poll(void *context)
{
    (void)context;
    /* TODO(04): stage 1: vl_transfer_poll for each flight. At P = 1 that is not an error either. */
    /* TODO(04): stages 2 and 3: only what is in a buffer. Done: finish it, add your chunk of the buffer
     * to your shard, and the buffer is free. */
    /* TODO(04): once vl_zero_prefetch is written: the gather that is coming. */
    return VL_TODO;
}

/* include/vialata/zero.h: wait for everything under way. */
enum vl_status vl_zero_finish(struct vl_zero *zero)
{
    (void)zero;
    /* TODO(04): vl_transfer_finish for what is left; its chunk lands; flights are NULL again. */
    return VL_TODO;
}
