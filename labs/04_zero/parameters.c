/*
 * Lab 04, station 4: parameters on loan. A unit's weights are together in one place only while the
 * unit is used.
 *
 *     ./vialata grade 04 --only vl_zero_borrow
 */
#include "vialata/zero.h"

/* include/vialata/zero.h: gather the weights of a unit into a buffer. */
enum vl_status vl_zero_borrow(void *context, size_t unit, const float **weights)
{
    (void)context;
    (void)unit;
    (void)weights;
    /* TODO(04): stages 1 and 2: this rank has all weights already. Nothing is sent. */
    /* TODO(04): stage 3: a free buffer; refuse if both are taken. */
    /* TODO(04): copy your chunk from the shard to its place in the buffer. Then all-gather, with a
     * tag that no unit's reduce-scatter has: gradients may be on their way at the same time. */
    /* TODO(04): note which unit is in the buffer, and which buffer is next. */
    return VL_TODO;
}

/* include/vialata/zero.h: the unit is no longer read. */
enum vl_status vl_zero_give_back(void *context, size_t unit)
{
    (void)context;
    (void)unit;
    /* TODO(04): find its buffer and free it; refuse if it has none. Nothing is copied: why? */
    return VL_TODO;
}

/* include/vialata/zero.h: start to gather the unit that is borrowed next; never wait. */
enum vl_status vl_zero_prefetch(void *context, size_t unit)
{
    (void)context;
    (void)unit;
    /* TODO(04): stages 1 and 2: nothing to do. Refuse a second unit while one is ahead. */
    /* TODO(04): the first half of vl_zero_borrow: a buffer, your chunk in it, the start of the
     * all-gather. Put this into a static function that both call. Note which unit is ahead. */
    /* TODO(04): vl_zero_borrow: if this unit is ahead, only the wait is left. vl_zero_poll drives
     * the gather until then, and vl_zero_step sets the hook. */
    return VL_TODO;
}
