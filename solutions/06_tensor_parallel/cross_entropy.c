/*
 * Lab 06, station 3, finished: the loss of logits that no rank has whole.
 *
 *   loss = log sum_j exp(z_j - m) - (z_target - m)        m = the largest logit
 *
 * m is the maximum of the ranks' maxima, and the sum is the sum of their sums. One rank has the
 * target's logit, and the others put zero. So three numbers per token are enough. The maximum
 * must be known before the sum can begin: two collectives, not one.
 */
#include "vialata/tensor_parallel.h"

#include <math.h>

static enum vl_status check(const int32_t *targets, size_t n, size_t vocabulary)
{
    for (size_t i = 0; i < n; i++)
        if (targets[i] < 0 || (size_t)targets[i] >= vocabulary)
            return VL_EINVAL;
    return VL_OK;
}

static float largest_of(const float *x, size_t count, size_t stride)
{
    float largest = -INFINITY;
    for (size_t j = 0; j < count; j++)
        largest = x[j * stride] > largest ? x[j * stride] : largest;
    return largest;
}

/* largest (N): over the whole vocabulary. maxima (t,N): row r is what rank r has found. */
static enum vl_status find_largest(float *largest, float *maxima, const float *logits, size_t n,
                                   size_t count, const struct vl_tensor_group *group)
{
    size_t ranks = (size_t)group->ranks;
    float *own = maxima + (size_t)group->rank * n;
    for (size_t i = 0; i < n; i++)
        own[i] = largest_of(logits + i * count, count, 1);
    enum vl_status status = vl_all_gather(group->comm, maxima, ranks * n, sizeof *maxima);
    if (status != VL_OK)
        return status;
    for (size_t i = 0; i < n; i++)
        largest[i] = largest_of(maxima + i, ranks, n);
    return VL_OK;
}

/* probs = exp(logits - largest) for a row; returns their sum. */
static float exp_row(float *probs, const float *logits, float largest, size_t count)
{
    float sum = 0.0f;
    for (size_t j = 0; j < count; j++) {
        probs[j] = expf(logits[j] - largest);
        sum += probs[j];
    }
    return sum;
}

enum vl_status vl_tensor_cross_entropy_forward(float *losses, float *probs, float *scratch,
                                               const float *logits, const int32_t *targets,
                                               size_t n, size_t vocabulary,
                                               const struct vl_tensor_group *group)
{
    size_t first, count;
    enum vl_status status = vl_tensor_part(&first, &count, vocabulary, group);
    if (status != VL_OK || n == 0)
        return status;
    if (losses == NULL || probs == NULL || scratch == NULL || logits == NULL || targets == NULL)
        return VL_EINVAL;
    float *sums = scratch + (size_t)group->ranks * n; /* (N) */
    float *wanted = sums + n;                         /* (N), next to sums: one sum for both */
    status = check(targets, n, vocabulary);
    if (status == VL_OK) /* losses holds the maxima until the end */
        status = find_largest(losses, scratch, logits, n, count, group);
    if (status != VL_OK)
        return status;

    for (size_t i = 0; i < n; i++) {
        size_t at = (size_t)targets[i] - first; /* huge if the target comes before ours */
        /* Read before it is overwritten: probs and logits may be the same memory. */
        wanted[i] = at < count ? logits[i * count + at] : 0.0f;
        sums[i] = exp_row(probs + i * count, logits + i * count, losses[i], count);
    }
    status = vl_all_reduce(group->comm, sums, 2 * n);
    if (status != VL_OK)
        return status;
    for (size_t i = 0; i < n; i++) {
        float scale = 1.0f / sums[i];
        for (size_t j = 0; j < count; j++)
            probs[i * count + j] *= scale;
        /* Everything here has the same bits on all ranks, and so has the loss. */
        losses[i] = (float)(log((double)sums[i]) + ((double)losses[i] - (double)wanted[i]));
    }
    return VL_OK;
}

/* Each column needs only its own probability and the target's index: nothing is sent. */
enum vl_status vl_tensor_cross_entropy_backward(float *dlogits, const float *probs,
                                                const int32_t *targets, float scale, size_t n,
                                                size_t vocabulary,
                                                const struct vl_tensor_group *group)
{
    size_t first, count;
    enum vl_status status = vl_tensor_part(&first, &count, vocabulary, group);
    if (status != VL_OK || n == 0)
        return status;
    if (dlogits == NULL || probs == NULL || targets == NULL)
        return VL_EINVAL;
    status = check(targets, n, vocabulary);
    if (status != VL_OK)
        return status;
    for (size_t i = 0; i < n; i++) {
        size_t at = (size_t)targets[i] - first;
        /* Read first: dlogits and probs may be the same memory. */
        float at_target = at < count ? scale * (probs[i * count + at] - 1.0f) : 0.0f;
        for (size_t j = 0; j < count; j++)
            dlogits[i * count + j] = scale * probs[i * count + j];
        if (at < count)
            dlogits[i * count + at] = at_target;
    }
    return VL_OK;
}
