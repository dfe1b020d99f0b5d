/*
 * Lab 07, station 1: one forward, one backward.
 *
 * Begin here. You have written this order by hand, for p = 2 and m = 3; now write it for any sizes,
 * in about twenty lines. worked.c shows how rows are filled. Then, in a terminal:
 *
 *     ./vialata grade 07 --only vl_schedule_1f1b
 *
 * Remove the (void) line as soon as you use the argument.
 */
#include "vialata/schedule.h"

/* include/vialata/schedule.h: forwards ahead, then both in turn, then the backwards left. */
enum vl_status vl_schedule_1f1b(struct vl_schedule *schedule)
{
    (void)schedule;
    /* TODO(07): refuse sizes of zero, and more than one chunk. */
    /* TODO(07): for each stage: how many forwards come first? Never more than m. */
    /* TODO(07): the n-th forward and, once n is large enough, a backward after it. Which one? */
    /* TODO(07): the backwards that are left. Right after each B comes its W. */
    return VL_TODO;
}
