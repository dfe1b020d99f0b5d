/*
 * Lab 07, station 3: from an order to messages.
 *
 * Each stage works this out alone, and both ends of a message must come to the same tag: name the
 * task that made it, with the chunk that it has on the sender's stage (vl_schedule_tag, worked.c).
 *
 *     F(k)   comes from virtual stage k - 1, goes to k + 1        k = c p + s
 *     B(k)   comes from virtual stage k + 1, goes to k - 1        so s = k mod p, c = k / p
 *     W(k)   comes from nowhere, goes nowhere
 *
 * You will want a small static function that appends an action if it still fits, and counts it in
 * any case.
 *
 *     ./vialata grade 07 --only vl_schedule_actions
 */
#include "vialata/schedule.h"

/* include/vialata/schedule.h: what one stage computes, sends and receives, in order. */
enum vl_status vl_schedule_actions(struct vl_action *actions, size_t *count, size_t capacity,
                                   const struct vl_schedule *schedule, size_t stage)
{
    (void)actions;
    (void)count;
    (void)capacity;
    (void)schedule;
    (void)stage;
    /* TODO(07): refuse a stage that does not exist. Go through the stage's row. */
    /* TODO(07): refuse a task that does not exist (kind, chunk, micro-batch) or an empty slot. */
    /* TODO(07): what the task waits for, if it comes from another stage: RECEIVE. */
    /* TODO(07): the task itself: COMPUTE. Then, if another stage waits for it: SEND. */
    /* TODO(07): how many are there, and did they all fit? */
    return VL_TODO;
}
