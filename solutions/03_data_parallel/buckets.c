/*
 * Lab 03, station 2, finished: buckets, sent while backward still runs.
 *
 * Units become ready from the last to the first, so the open bucket grows downwards:
 *
 *      units[waiting]        open_end
 *           | ready, not sent | sent in buckets started-1 ... 0 |
 */
#include "vialata/data_parallel.h"

enum { TAGS = 16384 }; /* what vialata/collectives.h allows */

enum vl_status vl_buckets_begin(struct vl_buckets *buckets, MPI_Comm comm, float *gradients,
                                const size_t *units, size_t unit_count, size_t bucket_bytes,
                                struct vl_transfer **flight)
{
    if (buckets == NULL || units == NULL || (unit_count > 0 && flight == NULL))
        return VL_EINVAL;
    if (gradients == NULL && units[unit_count] > 0)
        return VL_EINVAL;
    *buckets = (struct vl_buckets){
        .comm = comm,
        .gradients = gradients,
        .units = units,
        .unit_count = unit_count,
        .bucket_bytes = bucket_bytes,
        .waiting = unit_count,
        .open_end = units[unit_count],
        .started = 0,
        .flight = flight,
    };
    for (size_t i = 0; i < unit_count; i++)
        flight[i] = NULL;
    return VL_OK;
}

/* The open bucket holds [begin, open_end): start its all-reduce, and open the next below it. */
static enum vl_status start_bucket(struct vl_buckets *buckets, size_t begin)
{
    size_t bucket = buckets->started;
    enum vl_status status =
        vl_all_reduce_start(&buckets->flight[bucket], buckets->comm, buckets->gradients + begin,
                            buckets->open_end - begin, (int)(bucket % TAGS));
    if (status != VL_OK)
        return status;
    buckets->open_end = begin;
    buckets->started++;
    return VL_OK;
}

enum vl_status vl_buckets_ready(struct vl_buckets *buckets, size_t unit)
{
    if (buckets == NULL || unit + 1 != buckets->waiting)
        return VL_EINVAL;
    buckets->waiting = unit;
    size_t begin = buckets->units[unit];
    size_t bytes = (buckets->open_end - begin) * sizeof *buckets->gradients;
    if (unit > 0 && bytes < buckets->bucket_bytes)
        return VL_OK;
    return start_bucket(buckets, begin);
}

/* A bucket that is done is freed at once; later polls find NULL and skip it. */
enum vl_status vl_buckets_poll(struct vl_buckets *buckets)
{
    if (buckets == NULL)
        return VL_EINVAL;
    for (size_t k = 0; k < buckets->started; k++) {
        if (buckets->flight[k] == NULL)
            continue;
        int done = 0;
        enum vl_status status = vl_transfer_poll(buckets->flight[k], &done);
        if (status == VL_OK && done) {
            status = vl_transfer_finish(buckets->flight[k]);
            buckets->flight[k] = NULL;
        }
        if (status != VL_OK)
            return status;
    }
    return VL_OK;
}

/* Every transfer is freed, even after one that failed; the first failure is reported. */
enum vl_status vl_buckets_finish(struct vl_buckets *buckets)
{
    if (buckets == NULL)
        return VL_EINVAL;
    enum vl_status first = buckets->waiting > 0 ? VL_EINVAL : VL_OK;
    for (size_t k = 0; k < buckets->started; k++) {
        /* While this bucket is waited for, the later ones make no progress: poll them first. */
        for (size_t behind = k + 1; behind < buckets->started; behind++) {
            int done = 0;
            enum vl_status status = vl_transfer_poll(buckets->flight[behind], &done);
            if (first == VL_OK)
                first = status;
        }
        enum vl_status status = vl_transfer_finish(buckets->flight[k]);
        buckets->flight[k] = NULL;
        if (first == VL_OK)
            first = status;
    }
    return first;
}
