/*
 * Lab 08, station 3: there and back.
 *
 * Four journeys, but only two kinds: choices go to their experts, and rows come back from
 * them. Each needs vl_all_to_all, with rows as its elements, between 'leaving' and 'landing'.
 * Write each kind once, as a static function.
 *
 * Rows arrive grouped by rank, and within a rank by expert. The experts need them grouped by
 * expert, and within an expert by rank. On the way back it is the other way round.
 *
 *     ./vialata grade 08 --only vl_dispatch_forward
 */
#include "vialata/expert_parallel.h"

/* include/vialata/expert_parallel.h: x of every rank to the experts. */
enum vl_status vl_dispatch_forward(float *rows, const float *x, struct vl_dispatch *dispatch)
{
    (void)rows;
    (void)x;
    (void)dispatch;
    /* TODO(08): into 'leaving', place by place: the token whose choice is there. */
    /* TODO(08): how many rows go to each rank, and how many come? The plan has the counts. */
    /* TODO(08): all-to-all into 'landing'; then bring the rows of each expert together. */
    return VL_TODO;
}

/* include/vialata/expert_parallel.h: the gradient of x, from the experts. */
enum vl_status vl_dispatch_backward(float *dx, const float *drows, struct vl_dispatch *dispatch)
{
    (void)dx;
    (void)drows;
    (void)dispatch;
    /* TODO(08): the same way back: apart into 'landing', all-to-all into 'leaving'. */
    /* TODO(08): a token has left k times. What becomes of the k rows that come back? */
    return VL_TODO;
}

/* include/vialata/expert_parallel.h: what the experts say, weighted and added up. */
enum vl_status vl_combine_forward(float *y, float *returned, const float *out, const float *weights,
                                  struct vl_dispatch *dispatch)
{
    (void)y;
    (void)returned;
    (void)out;
    (void)weights;
    (void)dispatch;
    /* TODO(08): back into 'leaving'; from there each row to its choice in 'returned'. */
    /* TODO(08): y of a token grows by each of its choices, times its weight. */
    return VL_TODO;
}

/* include/vialata/expert_parallel.h: gradients for the experts, and for the weights. */
enum vl_status vl_combine_backward(float *dout, float *dweights, const float *dy,
                                   const float *returned, const float *weights,
                                   struct vl_dispatch *dispatch)
{
    (void)dout;
    (void)dweights;
    (void)dy;
    (void)returned;
    (void)weights;
    (void)dispatch;
    /* TODO(08): y = sum of weight times returned. What is the gradient of one weight, and what that
     * of one returned row? */
    /* TODO(08): the latter goes to the experts, as x did. */
    return VL_TODO;
}
