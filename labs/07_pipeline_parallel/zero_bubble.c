/*
 * Lab 07, bonus: zero bubble, H1. No points, but graded like everything else.
 *
 *   p = 2, m = 3, F = B = W:
 *   stage 0  F0 F1 .. B0 W0 F2 B1 W1 B2 W2
 *   stage 1  .. F0 B0 F1 B1 W0 F2 B2 W1 W2
 *
 *     ./vialata grade 07 --only vl_schedule_zb_h1
 */
#include "vialata/schedule.h"

/* include/vialata/schedule.h: 1F1B with weight parts put off. */
enum vl_status vl_schedule_zb_h1(struct vl_schedule *schedule)
{
    (void)schedule;
    /* TODO(07): forward and backward as in 1F1B. Stage s is s weight parts behind. */
    /* TODO(07): the weight parts that are left. With few micro-batches that may be all of them. */
    return VL_TODO;
}
