#include "engine/mesh_step.h"

#include "engine/check.h"
#include "engine/layout.h"
#include "engine/pipeline.h"

#include <math.h>
#include <string.h>

/* ---- how gradients go over the replicas ---- */

/* What hangs in the learner, and when. */
struct reduction {
    struct vl_replicated *part;
    struct vl_buckets buckets;
    struct vl_unit_hooks hooks;
    int listens; /* hooks are to hang in the last backward */
    int every;   /* and in every forward and backward */
};

static enum vl_status buckets_ready(void *context, size_t unit)
{
    return vl_buckets_ready(context, unit);
}

static enum vl_status buckets_poll(void *context)
{
    return vl_buckets_poll(context);
}

static enum vl_status begin_reduction(struct reduction *r, struct vl_replicated *part)
{
    const struct vl_learner *a = vl_model_learner(part->model);
    *r = (struct reduction){.part = part};
    if (part->comm == MPI_COMM_NULL)
        return VL_OK;
    int stage = part->how.zero;
    r->listens = stage > 0 || part->how.overlap;
    r->every = stage >= 2;
    if (stage > 0) {
        r->hooks = (struct vl_unit_hooks){.context = &part->zero,
                                          .borrow = stage == 3 ? vl_zero_borrow : NULL,
                                          .give_back = stage == 3 ? vl_zero_give_back : NULL,
                                          .gradients = stage >= 2 ? vl_zero_gradients : NULL,
                                          .ready = vl_zero_ready,
                                          .poll = vl_zero_poll};
        return VL_OK;
    }
    r->hooks = (struct vl_unit_hooks){
        .context = &r->buckets, .ready = buckets_ready, .poll = buckets_poll};
    return vl_buckets_begin(&r->buckets, part->comm, a->gradients, a->units, a->unit_count,
                            part->how.bucket_bytes, part->flight);
}

static enum vl_status finish_reduction(struct reduction *r)
{
    struct vl_replicated *part = r->part;
    const struct vl_learner *a = vl_model_learner(part->model);
    if (part->comm == MPI_COMM_NULL)
        return VL_OK;
    if (part->how.zero > 0)
        return vl_zero_finish(&part->zero);
    return r->listens ? vl_buckets_finish(&r->buckets)
                      : vl_replica_reduce(part->comm, a->gradients, a->count);
}

/* ---- gradients and loss ---- */

static enum vl_status one_after_the_other(struct vl_learner *a, const struct reduction *r,
                                          size_t micro_batches, double *loss)
{
    for (size_t k = 0; k < micro_batches; k++) {
        double one;
        a->hooks = r->every ? &r->hooks : NULL;
        VL_CHECK(a->forward(a->model, k, &one));
        *loss += one;
        if (r->listens && k + 1 == micro_batches)
            a->hooks = &r->hooks;
        VL_CHECK(a->backward(a->model, k));
    }
    return VL_OK;
}

static enum vl_status accumulate(struct vl_replicated *part, size_t micro_batches, double *loss)
{
    struct vl_learner *a = vl_model_learner(part->model);
    float *gradients = part->how.zero > 0 ? part->zero.gradients : a->gradients;
    struct reduction r;
    memset(gradients, 0, part->held.gradients);
    VL_CHECK(begin_reduction(&r, part));
    enum vl_status status;
    *loss = 0.0;
    if (vl_model_schedule(part->model) != NULL) {
        a->hooks = r.listens ? &r.hooks : NULL;
        status = vl_pipeline_run(part->model, r.every, loss);
    } else {
        status = one_after_the_other(a, &r, micro_batches, loss);
    }
    a->hooks = NULL;
    return status == VL_OK ? finish_reduction(&r) : status;
}

/* The sum over all ranks of a group of the mesh, in their order. */
static enum vl_status sum_over(MPI_Comm comm, double *value)
{
    return comm == MPI_COMM_NULL ? VL_OK : vl_replica_sum(comm, value);
}

/* ---- the norm ---- */

/* Squares of the gradients in one piece of a unit. 'at' is where the piece stands. */
static double piece_squares(const struct vl_replicated *part, const struct vl_piece *piece,
                            const float *at)
{
    const struct vl_learner *a = vl_model_learner(part->model);
    size_t piece_end = piece->first + piece->count;
    double squares = 0.0;
    for (size_t t = 0; t < a->tensor_count; t++) {
        const struct vl_tensor *tensor = &a->tensors[t];
        size_t begin = tensor->offset, end = begin + tensor->rows * tensor->cols;
        if (!tensor->decays && part->how.mesh->place > 0) /* a gain: counted at place 0 */
            continue;
        for (size_t i = begin > piece->first ? begin : piece->first; i < end && i < piece_end; i++)
            squares += (double)at[i - piece->first] * (double)at[i - piece->first];
    }
    return squares;
}

/* Squares of what replica r has, or would have, in its shard. */
static enum vl_status replica_squares(double *squares, const struct vl_replicated *part, int r)
{
    const struct vl_learner *a = vl_model_learner(part->model);
    *squares = 0.0;
    for (size_t unit = 0; unit < a->unit_count; unit++) {
        struct vl_piece piece;
        VL_CHECK(vl_shard_piece(&piece, a->units, a->unit_count, unit, r, part->ranks));
        const float *at = part->how.zero == 0   ? a->gradients + piece.first
                          : part->how.zero == 1 ? part->zero.gradients + piece.first
                                                : part->zero.gradients + piece.place;
        *squares += piece_squares(part, &piece, at);
    }
    return VL_OK;
}

/* Whole gradients are summed as if they were shards, so all stages have the same bits. */
static enum vl_status mesh_norm(double *norm, const struct vl_replicated *part)
{
    double squares = 0.0, one;
    if (part->how.zero > 0) {
        VL_CHECK(replica_squares(&squares, part, part->rank));
        VL_CHECK(sum_over(part->comm, &squares));
    }
    for (int r = 0; part->how.zero == 0 && r < part->ranks; r++) {
        VL_CHECK(replica_squares(&one, part, r));
        squares += one;
    }
    VL_CHECK(sum_over(part->how.mesh->tensor, &squares));
    VL_CHECK(sum_over(part->how.mesh->stages, &squares));
    *norm = sqrt(squares);
    return VL_OK;
}

/* ---- the update ---- */

static enum vl_status update(struct vl_replicated *part, const struct vl_adamw *settings,
                             float scale, uint64_t step)
{
    const struct vl_learner *a = vl_model_learner(part->model);
    if (part->how.zero > 0)
        return vl_zero_update(&part->zero, settings, scale, step);
    struct vl_adamw plain = *settings;
    plain.weight_decay = 0.0f;
    for (const struct vl_tensor *t = a->tensors; t < a->tensors + a->tensor_count; t++)
        VL_CHECK(vl_adamw_update(a->weights + t->offset, a->m + t->offset, a->v + t->offset,
                                 a->gradients + t->offset, scale, t->decays ? settings : &plain,
                                 step, t->rows * t->cols));
    return VL_OK;
}

enum vl_status vl_mesh_step(struct vl_replicated *part, size_t micro_batches,
                            const struct vl_adamw *settings, float max_norm, uint64_t step,
                            struct vl_step_result *result)
{
    double loss, norm;
    if (micro_batches == 0 || step == 0)
        return VL_EINVAL;
    VL_CHECK(accumulate(part, micro_batches, &loss));
    VL_CHECK(sum_over(part->comm, &loss));
    VL_CHECK(sum_over(part->how.mesh->stages, &loss));
    VL_CHECK(mesh_norm(&norm, part));
    float scale =
        max_norm > 0.0f && norm > (double)max_norm ? (float)((double)max_norm / norm) : 1.0f;
    VL_CHECK(update(part, settings, scale, step));
    *result = (struct vl_step_result){.loss = loss, .gradient_norm = norm};
    return VL_OK;
}
