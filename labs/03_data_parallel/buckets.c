/*
 * Lab 03, station 2: buckets, sent while backward still works.
 *
 *     ./vialata grade 03 --only vl_buckets_ready
 *
 * Units become ready from the last to the first, so the open bucket grows downwards:
 *
 *      units[waiting]        open_end
 *           | ready, not sent | sent in buckets started-1 ... 0 |
 */
#include "vialata/data_parallel.h"

/* include/vialata/data_parallel.h: nothing is ready, nothing is sent. */
enum vl_status vl_buckets_begin(struct vl_buckets *buckets, MPI_Comm comm, float *gradients,
                                const size_t *units, size_t unit_count, size_t bucket_bytes,
                                struct vl_transfer **flight)
{
    (void)buckets;
    (void)comm;
    (void)gradients;
    (void)units;
    (void)unit_count;
    (void)bucket_bytes;
    (void)flight;
    /* TODO(03): refuse what is missing. */
    /* TODO(03): fill every field; look at the drawing above for 'waiting' and 'open_end'. */
    /* TODO(03): no bucket is under way: every entry of flight is NULL. */
    return VL_TODO;
}

/* include/vialata/data_parallel.h: is the open bucket full? Then it goes on its way. */
enum vl_status vl_buckets_ready(struct vl_buckets *buckets, size_t unit)
{
    (void)buckets;
    (void)unit;
    /* TODO(03): refuse any unit but the next one down, then note that it is ready. */
    /* TODO(03): how many bytes does the open bucket hold now? Too few: done, unless unit is 0. */
    /* TODO(03): start its all-reduce. The tag is its number, modulo 16384. */
    /* TODO(03): the next bucket opens where this one began. */
    return VL_TODO;
}

/* include/vialata/data_parallel.h: called between all operations, so it must be cheap. */
enum vl_status vl_buckets_poll(struct vl_buckets *buckets)
{
    (void)buckets;
    /* TODO(03): poll each bucket that was started and is not done. */
    /* TODO(03): one that is done is finished and forgotten: next time it costs nothing. */
    return VL_TODO;
}

/* include/vialata/data_parallel.h: at the end of the overlap, wait for what is left. */
enum vl_status vl_buckets_finish(struct vl_buckets *buckets)
{
    (void)buckets;
    /* TODO(03): finish each bucket that was started, even after one that failed. */
    /* TODO(03): while you wait for one, the later ones stand still: poll each of them first. */
    /* TODO(03): report a unit that was never ready, or the first failure. */
    return VL_TODO;
}
