/*
 * Lab 04, station 3: gradients that nobody keeps whole.
 *
 * At stage 1 they are whole, and these functions are short. Write that first: stage 1 and stage 2
 * are graded separately. Then write the two buffers. A buffer is always in one of three states:
 *
 *     free             adding = 0
 *     added to         adding = unit + 1, flight[unit] = NULL      from 'gradients' to 'ready'
 *     on its way       adding = unit + 1, flight[unit] under way   until its chunk has arrived
 *
 * Buffer 1 begins where buffer 0 ends, one largest unit later. Transfers that are under way at the
 * same time need different tags. You will want static functions of your own: where a buffer begins,
 * and what is done when a unit has arrived.
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
    /* TODO(04): refuse a unit out of range. Stage 1: the unit's place in the whole array. */
    /* TODO(04): the buffer whose turn it is, and no other. If a unit is on its way there, wait for
     * it and add its chunk to the shard; if it is still being added to, refuse. */
    /* TODO(04): a unit has only one transfer. In a model of one unit, it may be on its way in the
     * other buffer: wait for that too. */
    /* TODO(04): the buffer is this unit's now, and the other one is next. Fill it with zeros. */
    return VL_TODO;
}

/* include/vialata/zero.h: start the reduce-scatter of the unit; never wait. */
enum vl_status vl_zero_ready(void *context, size_t unit)
{
    (void)context;
    (void)unit;
    /* TODO(04): stage 1: on the whole array, at the unit's place; the tag is the unit's number. */
    /* TODO(04): stages 2 and 3: on the buffer that this unit is in; refuse if it is in none. */
    return VL_TODO;
}

/* include/vialata/zero.h: move on what is under way, and take in what is done. */
enum vl_status vl_zero_poll(void *context)
{
    (void)context;
    /* TODO(04): stage 1: vl_transfer_poll for each flight. At P = 1 that is not an error either. */
    /* TODO(04): stages 2 and 3: only what is in a buffer. When that is done: finish it, add your
     * chunk of the buffer to your shard, and the buffer is free. */
    /* TODO(04): once vl_zero_prefetch is written: poll its gather too. */
    return VL_TODO;
}

/* include/vialata/zero.h: wait for everything under way. */
enum vl_status vl_zero_finish(struct vl_zero *zero)
{
    (void)zero;
    /* TODO(04): vl_transfer_finish for what is left; at stages 2 and 3 add its chunk to the shard;
     * then every flight is NULL again. */
    return VL_TODO;
}
