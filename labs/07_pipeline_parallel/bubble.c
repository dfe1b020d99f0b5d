/*
 * Lab 07, station 5: on paper. What a schedule costs in time and in memory, before it has run.
 *
 * Find the closed forms with a pencil; the explanation says how to count, and `vialata schedule`
 * counts any example for you.
 *
 *     ./vialata grade 07 --only vl_bubble_of_ideal
 */
#include "vialata/schedule.h"

/* include/vialata/schedule.h: idle time over the time of the work, backward in one piece. */
enum vl_status vl_bubble_of_ideal(double *share, size_t stages, size_t chunks, size_t micro_batches)
{
    (void)share;
    (void)stages;
    (void)chunks;
    (void)micro_batches;
    /* TODO(07): refuse zeros, and, with several chunks, an m that p does not divide. */
    /* TODO(07): how long does a stage wait, and how long does it work? */
    return VL_TODO;
}

/* include/vialata/schedule.h: micro-batches alive at once under all-forward-all-backward. */
enum vl_status vl_live_afab(size_t *live, size_t stages, size_t micro_batches, size_t stage)
{
    (void)live;
    (void)stages;
    (void)micro_batches;
    (void)stage;
    /* TODO(07): refuse zeros, and a stage that does not exist. */
    /* TODO(07): how many forwards are done before the first W? */
    return VL_TODO;
}

/* include/vialata/schedule.h: the same under 1F1B. */
enum vl_status vl_live_1f1b(size_t *live, size_t stages, size_t micro_batches, size_t stage)
{
    (void)live;
    (void)stages;
    (void)micro_batches;
    (void)stage;
    /* TODO(07): the same question. Does the number grow afterwards? */
    return VL_TODO;
}

/* include/vialata/schedule.h: chunks of micro-batches alive at once, interleaved. */
enum vl_status vl_live_interleaved(size_t *live, size_t stages, size_t chunks, size_t micro_batches,
                                   size_t stage)
{
    (void)live;
    (void)stages;
    (void)chunks;
    (void)micro_batches;
    (void)stage;
    /* TODO(07): one chunk: you have that already. More: refuse an m that p does not divide. */
    /* TODO(07): the forwards ahead, as in station 2, plus one. But there are only m v. */
    return VL_TODO;
}
