/*
 * Lab 06, station 3: the loss of logits that no rank has whole.
 *
 * scratch has space for t + 2 rows of N floats. Logits may be large, and exp(100) does not fit into
 * a float, so the largest logit of the whole vocabulary is subtracted first.
 *
 *     ./vialata grade 06 --only vl_tensor_cross_entropy_forward
 */
#include "vialata/tensor_parallel.h"

/* include/vialata/tensor_parallel.h: losses and probabilities, from three numbers per token. */
enum vl_status vl_tensor_cross_entropy_forward(float *losses, float *probs, float *scratch,
                                               const float *logits, const int32_t *targets,
                                               size_t n, size_t vocabulary,
                                               const struct vl_tensor_group *group)
{
    (void)losses;
    (void)probs;
    (void)scratch;
    (void)logits;
    (void)targets;
    (void)n;
    (void)vocabulary;
    (void)group;
    /* TODO(06): your columns; refuse targets out of range, before anything is sent. */
    /* TODO(06): your largest logit of each token, into row 'rank' of scratch; all-gather the rows;
     * the largest of them is m. */
    /* TODO(06): for each token the target's logit, zero if another rank has it. Read it before it
     * may be overwritten. Then exp(logit - m) into probs, and their sum. */
    /* TODO(06): one all-reduce for the sums and the targets' logits together. */
    /* TODO(06): probs divided by the sum; loss = log sum + m - logit of the target. */
    return VL_TODO;
}

/* include/vialata/tensor_parallel.h: the gradient of this rank's columns. */
enum vl_status vl_tensor_cross_entropy_backward(float *dlogits, const float *probs,
                                                const int32_t *targets, float scale, size_t n,
                                                size_t vocabulary,
                                                const struct vl_tensor_group *group)
{
    (void)dlogits;
    (void)probs;
    (void)targets;
    (void)scale;
    (void)n;
    (void)vocabulary;
    (void)group;
    /* TODO(06): as in lab 01, for your columns. How many ranks have the target's column? */
    return VL_TODO;
}
