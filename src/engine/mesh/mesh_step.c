#include "engine/mesh/mesh_step.h"

#include "engine/check.h"
#include "engine/experts/balance_step.h"
#include "engine/model/layout.h"
#include "engine/pipeline/pipeline.h"

#include <math.h>
#include <string.h>

/* ---- how gradients go over the replicas ---- */

/* The learner's hooks, and when they are set. Each share is reduced separately; a unit belongs to
 * one. */
struct reduction {
    struct vl_replicated *part;
    struct vl_buckets buckets[2];
    struct vl_unit_hooks hooks;
    int listens; /* set the hooks in the last backward */
    int every;   /* and in every forward and backward */
};

/* The share of a unit, and the unit's number in it. */
static struct vl_share *share_of(const struct reduction *r, size_t *unit)
{
    struct vl_share *shares = r->part->shares;
    if (r->part->share_count == 1 || *unit < shares[1].first_unit)
        return &shares[0];
    *unit -= shares[1].first_unit;
    return &shares[1];
}

static enum vl_status borrow(void *context, size_t unit, const float **weights)
{
    struct vl_share *share = share_of(context, &unit);
    return vl_zero_borrow(&share->zero, unit, weights);
}

static enum vl_status give_back(void *context, size_t unit)
{
    struct vl_share *share = share_of(context, &unit);
    return vl_zero_give_back(&share->zero, unit);
}

static enum vl_status prefetch(void *context, size_t unit)
{
    struct vl_share *share = share_of(context, &unit);
    return vl_zero_prefetch(&share->zero, unit);
}

static enum vl_status gradients(void *context, size_t unit, float **where)
{
    struct vl_share *share = share_of(context, &unit);
    return vl_zero_gradients(&share->zero, unit, where);
}

static enum vl_status ready(void *context, size_t unit)
{
    struct reduction *r = context;
    struct vl_share *share = share_of(r, &unit);
    if (r->part->how.zero > 0)
        return vl_zero_ready(&share->zero, unit);
    return share->comm == MPI_COMM_NULL
               ? VL_OK
               : vl_buckets_ready(&r->buckets[share - r->part->shares], unit);
}

static enum vl_status poll_replicated(void *context)
{
    struct reduction *r = context;
    for (size_t i = 0; i < r->part->share_count; i++)
        if (r->part->how.zero > 0)
            VL_CHECK(vl_zero_poll(&r->part->shares[i].zero));
        else if (r->part->shares[i].comm != MPI_COMM_NULL)
            VL_CHECK(vl_buckets_poll(&r->buckets[i]));
    return VL_OK;
}

static enum vl_status begin_reduction(struct reduction *r, struct vl_replicated *part)
{
    const struct vl_learner *a = vl_model_learner(part->model);
    int stage = part->how.zero, replicas = 0;
    *r = (struct reduction){.part = part};
    for (size_t i = 0; i < part->share_count; i++)
        replicas |= part->shares[i].comm != MPI_COMM_NULL;
    if (!replicas)
        return VL_OK;
    r->listens = stage > 0 || part->how.overlap;
    r->every = stage >= 2;
    r->hooks = (struct vl_unit_hooks){.context = r,
                                      .borrow = stage == 3 ? borrow : NULL,
                                      .give_back = stage == 3 ? give_back : NULL,
                                      .prefetch = stage == 3 ? prefetch : NULL,
                                      .gradients = stage >= 2 ? gradients : NULL,
                                      .ready = ready,
                                      .poll = poll_replicated};
    for (size_t i = 0; i < part->share_count && stage == 0; i++) {
        const struct vl_share *s = &part->shares[i];
        if (s->comm != MPI_COMM_NULL)
            VL_CHECK(vl_buckets_begin(&r->buckets[i], s->comm, a->gradients + s->first, s->units,
                                      s->unit_count, part->how.bucket_bytes, s->flight));
    }
    return VL_OK;
}

/* After backward, all at once. */
static enum vl_status reduce_flat(const struct vl_share *share, float *gradients)
{
    return share->levels.inside != MPI_COMM_NULL
               ? vl_all_reduce_two_level(&share->levels, gradients, share->count)
               : vl_replica_reduce(share->comm, gradients, share->count);
}

static enum vl_status finish_reduction(struct reduction *r)
{
    struct vl_replicated *part = r->part;
    const struct vl_learner *a = vl_model_learner(part->model);
    for (size_t i = 0; i < part->share_count; i++) {
        struct vl_share *s = &part->shares[i];
        if (part->how.zero > 0)
            VL_CHECK(vl_zero_finish(&s->zero));
        else if (s->comm != MPI_COMM_NULL)
            VL_CHECK(r->listens ? vl_buckets_finish(&r->buckets[i])
                                : reduce_flat(s, a->gradients + s->first));
    }
    return VL_OK;
}

/* The sum over all ranks of a group of the mesh, in rank order; MPI_COMM_NULL: this rank alone. */
static enum vl_status sum_over(MPI_Comm comm, double *value)
{
    return comm == MPI_COMM_NULL ? VL_OK : vl_replica_sum(comm, value);
}

/* ---- gradients and loss ---- */

/* Called before the first backward, for a loss that needs the counts of the whole batch. */
static enum vl_status turn(void *context)
{
    return vl_balance_gather(context);
}

static enum vl_status one_after_the_other(const struct reduction *r, size_t micro_batches,
                                          double *loss)
{
    struct vl_learner *a = vl_model_learner(r->part->model);
    int waits = vl_balance_waits(r->part);
    if (waits && micro_batches > 1) /* the first backward would run before the last forward */
        return VL_EINVAL;
    for (size_t k = 0; k < micro_batches; k++) {
        double one;
        a->hooks = r->every ? &r->hooks : NULL;
        VL_CHECK(a->forward(a->model, k, &one));
        *loss += one;
        if (waits)
            VL_CHECK(turn(r->part));
        if (r->listens && k + 1 == micro_batches)
            a->hooks = &r->hooks;
        VL_CHECK(a->backward(a->model, k));
    }
    return VL_OK;
}

static void clear_gradients(struct vl_replicated *part)
{
    const struct vl_learner *a = vl_model_learner(part->model);
    if (part->how.zero < 2) {
        memset(a->gradients, 0, a->count * sizeof *a->gradients);
        return;
    }
    for (size_t i = 0; i < part->share_count; i++) {
        struct vl_zero *zero = &part->shares[i].zero;
        struct vl_piece last = {0};
        vl_shard_piece(&last, zero->units, zero->unit_count, zero->unit_count - 1, zero->rank,
                       zero->ranks);
        memset(zero->gradients, 0, (last.place + last.count) * sizeof *zero->gradients);
    }
}

static enum vl_status accumulate(struct vl_replicated *part, size_t micro_batches, double *loss)
{
    struct vl_learner *a = vl_model_learner(part->model);
    struct reduction r;
    clear_gradients(part);
    vl_model_clear_load(part->model);
    part->gathered = 0;
    VL_CHECK(begin_reduction(&r, part));
    enum vl_status status;
    *loss = 0.0;
    if (vl_model_schedule(part->model) != NULL) {
        a->hooks = r.listens ? &r.hooks : NULL;
        const struct vl_pipeline_settings settings = {
            .every = r.every, .turn = vl_balance_waits(part) ? turn : NULL, .context = part};
        status = vl_pipeline_run(part->model, &settings, loss);
    } else {
        status = one_after_the_other(&r, micro_batches, loss);
    }
    a->hooks = NULL;
    return status == VL_OK ? finish_reduction(&r) : status;
}

/* ---- the norm ---- */

/* Squares of the gradients in one piece of a unit; 'at' points to the piece. */
static double piece_squares(const struct vl_share *share, int place, const struct vl_piece *piece,
                            const float *at)
{
    size_t piece_end = piece->first + piece->count;
    double squares = 0.0;
    for (size_t t = 0; t < share->tensor_count; t++) {
        const struct vl_tensor *tensor = &share->tensors[t];
        int everywhere = share->rectangles[t].everywhere;
        size_t begin = tensor->offset, end = begin + tensor->rows * tensor->cols;
        if (everywhere && place > 0) /* counted at place 0 */
            continue;
        for (size_t i = begin > piece->first ? begin : piece->first; i < end && i < piece_end; i++)
            squares += (double)at[i - piece->first] * (double)at[i - piece->first];
    }
    return squares;
}

/* Squares of the gradients in replica r's shard of a share, real or imagined. */
static enum vl_status replica_squares(double *squares, const struct vl_replicated *part,
                                      const struct vl_share *share, int r)
{
    const struct vl_learner *a = vl_model_learner(part->model);
    int place = part->how.mesh != NULL ? part->how.mesh->place : 0;
    *squares = 0.0;
    for (size_t unit = 0; unit < share->unit_count; unit++) {
        struct vl_piece piece;
        VL_CHECK(vl_shard_piece(&piece, share->units, share->unit_count, unit, r, share->ranks));
        const float *at = part->how.zero < 2 ? a->gradients + share->first + piece.first
                                             : share->zero.gradients + piece.place;
        *squares += piece_squares(share, place, &piece, at);
    }
    return VL_OK;
}

/* Of all replicas of a share. Whole gradients are summed shard by shard too, so all ZeRO stages get
 * the same bits. */
static enum vl_status share_squares(double *squares, const struct vl_replicated *part,
                                    const struct vl_share *share)
{
    double one;
    *squares = 0.0;
    if (part->how.zero > 0) {
        VL_CHECK(replica_squares(squares, part, share, share->rank));
        return sum_over(share->comm, squares);
    }
    for (int r = 0; r < share->ranks; r++) {
        VL_CHECK(replica_squares(&one, part, share, r));
        *squares += one;
    }
    return VL_OK;
}

/* Ranks of an expert group have different experts, but the same dense units. */
static enum vl_status mesh_norm(double *norm, const struct vl_replicated *part)
{
    const struct vl_mesh *mesh = part->how.mesh;
    double squares, experts = 0.0;
    VL_CHECK(share_squares(&squares, part, &part->shares[0]));
    if (part->share_count > 1)
        VL_CHECK(share_squares(&experts, part, &part->shares[1]));
    if (mesh != NULL) {
        VL_CHECK(sum_over(mesh->experts, &experts));
        squares += experts;
        VL_CHECK(sum_over(mesh->tensor, &squares));
        VL_CHECK(sum_over(mesh->stages, &squares));
    } else {
        squares += experts;
    }
    *norm = sqrt(squares);
    return VL_OK;
}

/* ---- the update ---- */

static enum vl_status update(struct vl_replicated *part, const struct vl_adamw *settings,
                             float scale, uint64_t step)
{
    const struct vl_learner *a = vl_model_learner(part->model);
    for (size_t i = 0; i < part->share_count && part->how.zero > 0; i++)
        VL_CHECK(vl_zero_update(&part->shares[i].zero, settings, scale, step));
    if (part->how.zero > 0)
        return VL_OK;
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
    if (part->how.mesh != NULL) {
        VL_CHECK(sum_over(part->how.mesh->replicas, &loss));
        VL_CHECK(sum_over(part->how.mesh->stages, &loss));
    }
    VL_CHECK(mesh_norm(&norm, part));
    float scale =
        max_norm > 0.0f && norm > (double)max_norm ? (float)((double)max_norm / norm) : 1.0f;
    VL_CHECK(update(part, settings, scale, step));
    VL_CHECK(vl_balance_follow(part));
    *result = (struct vl_step_result){.loss = loss, .gradient_norm = norm};
    return VL_OK;
}
