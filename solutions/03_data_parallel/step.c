/*
 * Lab 03, station 3, finished: one training step of a replica.
 */
#include "vialata/data_parallel.h"

#include <string.h>

/* ---- the learner's hooks, which get the buckets as 'context' ---- */

static enum vl_status unit_ready(void *context, size_t unit)
{
    return vl_buckets_ready(context, unit);
}

static enum vl_status between_operations(void *context)
{
    return vl_buckets_poll(context);
}

/* Backward of the last micro-batch, with the hooks set. */
static enum vl_status backward_with_buckets(struct vl_learner *learner, size_t micro_batch,
                                            struct vl_buckets *buckets)
{
    const struct vl_unit_hooks hooks = {
        .context = buckets, .ready = unit_ready, .poll = between_operations};
    const struct vl_unit_hooks *before = learner->hooks;
    learner->hooks = &hooks;
    enum vl_status status = learner->backward(learner->model, micro_batch);
    learner->hooks = before;
    return status;
}

/* Loss and gradients of this replica's own rows. With 'buckets', gradients are sent unit by unit:
 * in the backward of the last micro-batch, or at once if there is none. */
static enum vl_status accumulate(struct vl_learner *learner, size_t micro_batches,
                                 struct vl_buckets *buckets, double *loss)
{
    enum vl_status status = VL_OK;
    *loss = 0.0;
    for (size_t k = 0; k < micro_batches && status == VL_OK; k++) {
        double part = 0.0;
        status = learner->forward(learner->model, k, &part);
        if (status != VL_OK)
            return status;
        *loss += part;
        if (buckets != NULL && k + 1 == micro_batches)
            status = backward_with_buckets(learner, k, buckets);
        else
            status = learner->backward(learner->model, k);
    }
    if (buckets != NULL && micro_batches == 0) /* no backward: its zeros are ready now */
        for (size_t unit = learner->unit_count; unit > 0 && status == VL_OK; unit--)
            status = vl_buckets_ready(buckets, unit - 1);
    return status;
}

/* The gradients of the whole batch, on every replica. */
static enum vl_status gather_gradients(const struct vl_replicas *replicas,
                                       struct vl_learner *learner, size_t micro_batches,
                                       double *loss)
{
    if (learner->count > 0)
        memset(learner->gradients, 0, learner->count * sizeof *learner->gradients);
    if (!replicas->overlap) {
        enum vl_status status = accumulate(learner, micro_batches, NULL, loss);
        if (status != VL_OK)
            return status;
        return vl_replica_reduce(replicas->comm, learner->gradients, learner->count);
    }
    struct vl_buckets buckets;
    enum vl_status status =
        vl_buckets_begin(&buckets, replicas->comm, learner->gradients, learner->units,
                         learner->unit_count, replicas->bucket_bytes, replicas->flight);
    if (status == VL_OK)
        status = accumulate(learner, micro_batches, &buckets, loss);
    if (status != VL_OK)
        return status; /* what is under way is left: without this rank it would never end */
    return vl_buckets_finish(&buckets);
}

static enum vl_status update(struct vl_learner *learner, const struct vl_adamw *settings,
                             float scale, uint64_t step)
{
    for (size_t i = 0; i < learner->tensor_count; i++) {
        const struct vl_tensor *tensor = &learner->tensors[i];
        struct vl_adamw own = *settings;
        if (!tensor->decays)
            own.weight_decay = 0.0f;
        size_t at = tensor->offset;
        enum vl_status status = vl_adamw_update(learner->weights + at, learner->m + at,
                                                learner->v + at, learner->gradients + at, scale,
                                                &own, step, tensor->rows * tensor->cols);
        if (status != VL_OK)
            return status;
    }
    return VL_OK;
}

enum vl_status vl_replica_step(const struct vl_replicas *replicas, struct vl_learner *learner,
                               size_t micro_batches, const struct vl_adamw *settings,
                               float max_norm, uint64_t step, struct vl_step_result *result)
{
    if (replicas == NULL || learner == NULL || settings == NULL || result == NULL || step == 0)
        return VL_EINVAL;
    if (learner->units == NULL ||
        (learner->count > 0 && (learner->weights == NULL || learner->gradients == NULL ||
                                learner->m == NULL || learner->v == NULL)))
        return VL_EINVAL;

    double loss, norm;
    enum vl_status status = gather_gradients(replicas, learner, micro_batches, &loss);
    if (status == VL_OK)
        status = vl_replica_sum(replicas->comm, &loss);
    if (status != VL_OK)
        return status;

    int ranks;
    MPI_Comm_size(replicas->comm, &ranks);
    status = vl_chunked_norm(&norm, learner->gradients, learner->units, learner->unit_count, ranks);
    if (status != VL_OK)
        return status;
    float scale = 1.0f;
    if (max_norm > 0.0f && norm > (double)max_norm)
        scale = (float)((double)max_norm / norm);
    status = update(learner, settings, scale, step);
    if (status != VL_OK)
        return status;
    result->loss = loss;
    result->gradient_norm = norm;
    return VL_OK;
}
