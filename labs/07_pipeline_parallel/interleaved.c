/*
 * Lab 07, station 2: 1F1B over v chunks per stage.
 *
 * The n-th forward of a stage, p = 2, v = 2, m = 4, micro-batches in groups of p:
 *
 *   n              0  1  2  3 | 4  5  6  7
 *   chunk          0  0  1  1 | 0  0  1  1
 *   micro-batch    0  1  0  1 | 2  3  2  3
 *
 * Backward is the same with the last chunk first. Write a static function that returns the n-th
 * task of a kind; what is left is 1F1B with more forwards ahead.
 *
 *     ./vialata grade 07 --only vl_schedule_interleaved
 */
#include "vialata/schedule.h"

/* include/vialata/schedule.h: 1F1B over chunks. */
enum vl_status vl_schedule_interleaved(struct vl_schedule *schedule)
{
    (void)schedule;
    /* TODO(07): refuse zeros, and, with several chunks, an m that p does not divide. */
    /* TODO(07): how many forwards are ahead? The explanation counts them. Never more than m v. */
    /* TODO(07): as in 1F1B, with the n-th tasks. */
    return VL_TODO;
}
