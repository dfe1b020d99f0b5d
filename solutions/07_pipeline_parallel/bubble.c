/*
 * Lab 07, station 5: what a schedule costs, before anything has run.
 */
#include "vialata/schedule.h"

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static enum vl_status check_sizes(const void *out, size_t p, size_t v, size_t m, size_t stage)
{
    if (out == NULL || p == 0 || v == 0 || m == 0 || stage >= p)
        return VL_EINVAL;
    return v > 1 && m % p != 0 ? VL_ESHAPE : VL_OK;
}

/* The first micro-batch passes p - 1 stages before the last one is busy, and the last gradient
 * passes p - 1 on its way back. A chunk is a v-th of a stage, so (p-1) (F+B+W) / v is spent
 * waiting, for m (F+B+W) of work. */
enum vl_status vl_bubble_of_ideal(double *share, size_t stages, size_t chunks, size_t micro_batches)
{
    enum vl_status status = check_sizes(share, stages, chunks, micro_batches, 0);
    if (status == VL_OK)
        *share = (double)(stages - 1) / ((double)chunks * (double)micro_batches);
    return status;
}

/* No backward before the last forward: all of them. */
enum vl_status vl_live_afab(size_t *live, size_t stages, size_t micro_batches, size_t stage)
{
    enum vl_status status = check_sizes(live, stages, 1, micro_batches, stage);
    if (status == VL_OK)
        *live = micro_batches;
    return status;
}

/* The p - s - 1 of the start, and the one at work. More micro-batches add none: 1F1B's purpose. */
enum vl_status vl_live_1f1b(size_t *live, size_t stages, size_t micro_batches, size_t stage)
{
    enum vl_status status = check_sizes(live, stages, 1, micro_batches, stage);
    if (status == VL_OK)
        *live = smaller(micro_batches, stages - stage);
    return status;
}

/* Again the forwards of the start, and the one at work: smaller chunks, but more of them. */
enum vl_status vl_live_interleaved(size_t *live, size_t stages, size_t chunks, size_t micro_batches,
                                   size_t stage)
{
    if (chunks == 1)
        return vl_live_1f1b(live, stages, micro_batches, stage);
    enum vl_status status = check_sizes(live, stages, chunks, micro_batches, stage);
    if (status == VL_OK)
        *live =
            smaller(micro_batches * chunks, 2 * (stages - stage - 1) + (chunks - 1) * stages + 1);
    return status;
}
