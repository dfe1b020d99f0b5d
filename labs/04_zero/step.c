/*
 * Lab 04, station 5: one training step, with the state sharded.
 *
 * Compare vl_replica_step in lab 03. With one micro-batch per step, the loss, the norm and the
 * weights must have the same bits as there, when every unit is a bucket.
 *
 *     ./vialata grade 04 --only vl_zero_step
 */
#include "vialata/zero.h"

/* include/vialata/zero.h: the training step, sharded. */
enum vl_status vl_zero_step(struct vl_zero *zero, struct vl_learner *learner, size_t micro_batches,
                            const struct vl_adamw *settings, float max_norm, uint64_t step,
                            struct vl_step_result *result)
{
    (void)zero;
    (void)learner;
    (void)micro_batches;
    (void)settings;
    (void)max_norm;
    (void)step;
    (void)result;
    /* TODO(04): refuse step 0 and zero micro-batches. */
    /* TODO(04): set what you keep of the gradients to zero. Your plan knows how much that is. */
    /* TODO(04): a struct vl_unit_hooks: which of the six does each stage need? */
    /* TODO(04): micro-batch by micro-batch, with the hooks in the learner when they are needed. Put
     * back the hooks that were there before, even after an error. */
    /* TODO(04): vl_zero_finish; the loss of all ranks; norm; clipping; update; the result. */
    return VL_TODO;
}
