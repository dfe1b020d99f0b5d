/*
 * Lab 03, station 3: one training step of a replica.
 *
 *     ./vialata grade 03 --only vl_replica_step
 *
 * Begin with your vl_training_step of lab 01. Two things change: gradients are summed over the
 * replicas before anybody uses them, and with overlap someone listens to the last backward.
 */
#include "vialata/data_parallel.h"

/* include/vialata/data_parallel.h; the hooks are in include/vialata/unit_hooks.h. */
enum vl_status vl_replica_step(const struct vl_replicas *replicas, struct vl_learner *learner,
                               size_t micro_batches, const struct vl_adamw *settings,
                               float max_norm, uint64_t step, struct vl_step_result *result)
{
    (void)replicas;
    (void)learner;
    (void)micro_batches;
    (void)settings;
    (void)max_norm;
    (void)step;
    (void)result;
    /* TODO(03): refuse step 0 and what is missing. Zero micro-batches are allowed here. */
    /* TODO(03): gradients = 0; forward and backward of every micro-batch; add up the losses. */
    /* TODO(03): the flat way: one reduction after the loop. */
    /* TODO(03): the overlapping way: begin buckets before the loop, finish them after it. */
    /* TODO(03): set hooks (ready and poll, two small static functions; context: your buckets)
     * in learner->hooks for the last backward, and remove them after it, even if it failed. */
    /* TODO(03): no micro-batch at all? Then no backward says 'ready': say it for every unit. */
    /* TODO(03): the loss of the whole batch: vl_replica_sum. */
    /* TODO(03): the chunked norm, clipping and AdamW as in lab 01, tensor by tensor. */
    return VL_TODO;
}
