/*
 * What lab 03's functions must give: sums over replicas, and one device with the whole batch.
 */
#include "grade/catalogue/maker.h"
#include "grade/labs/03_data_parallel/data_parallel.h"
#include "oracle/optimizer.h"
#include "oracle/replicas.h"
#include "oracle/zero.h"

#include <math.h>
#include <string.h>

/* ---- shared ---- */

int vl_replicas_of(const struct vl_scope *scope)
{
    return (int)vl_scope_size(scope, "ranks");
}

struct vl_bucket_trace vl_trace_buckets(const struct vl_scope *scope, size_t bucket_bytes)
{
    struct vl_bucket_trace trace;
    trace.buckets =
        vl_oracle_buckets(trace.started, trace.open_end, vl_bag_sizes(scope->inputs, "units"),
                          vl_scope_size(scope, "unit_count"), bucket_bytes);
    return trace;
}

/* ---- given functions ---- */

VL_SCOPED_TRUTH(replica_rows)
{
    size_t replicas = vl_scope_size(s, "replicas"), at = 0;
    int64_t *first = vl_ranked_whole(s, "first", 0, 1, replicas),
            *count = vl_ranked_whole(s, "count", 0, 1, replicas);
    for (size_t r = 0; !s->failed && r < replicas; r++) {
        first[r] = (int64_t)at;
        count[r] = (int64_t)vl_oracle_chunk_size(vl_scope_size(s, "rows"), (int)r, (int)replicas);
        at += (size_t)count[r];
    }
}

/* In rank order: that is promised, so bits are compared. */
VL_SCOPED_TRUTH(replica_sum)
{
    int ranks = vl_replicas_of(s);
    double sum = 0;
    for (int r = 0; !s->failed && r < ranks; r++)
        sum += vl_scope_in(s, "values")[r];
    for (int r = 0; r < ranks; r++)
        vl_ranked_real(s, "value", r, sum);
}

/* Which squares are added up first is promised too. */
VL_SCOPED_TRUTH(chunked_norm)
{
    int replicas = (int)vl_scope_size(s, "replicas");
    double squares = 0, *norm = vl_ranked_out(s, "norm", 0, 1, 1);
    const double *g = vl_scope_in(s, "gradients");
    const size_t *units = vl_bag_sizes(s->inputs, "units");
    for (size_t u = 0; !s->failed && u < vl_scope_size(s, "unit_count"); u++)
        for (int r = 0; r < replicas; r++) {
            size_t n = vl_oracle_chunk_size(units[u + 1] - units[u], r, replicas);
            double own = 0;
            for (; n > 0; n--, g++)
                own += *g * *g;
            squares += own;
        }
    if (norm)
        *norm = sqrt(squares);
}

/* ---- flat ---- */

VL_SCOPED_TRUTH(replica_equalise)
{
    const double *weights = vl_scope_in(s, "own_weights");
    const size_t n = vl_scope_size(s, "n");
    size_t negative = 0;
    for (size_t i = 0; !s->failed && i < n; i++)
        negative += signbit(weights[i]) != 0;
    for (int r = 0; !s->failed && r < vl_replicas_of(s); r++) {
        vl_ranked_copy(s, "weights", r, weights, 1, n);
        vl_ranked_int(s, "minus_signs", r, negative);
    }
}

/* gradients@r: the sum of all rows of own_gradients. */
static void add_sums(struct vl_scope *s)
{
    size_t ranks = (size_t)vl_replicas_of(s), n = vl_bag_find(s->wide, "own_gradients")->shape[1];
    for (size_t r = 0; r < ranks; r++) {
        double *sum = vl_ranked_out(s, "gradients", (int)r, 1, n);
        for (size_t i = 0; sum && i < ranks * n; i++)
            sum[i % n] += vl_scope_in(s, "own_gradients")[i];
    }
}

VL_SCOPED_TRUTH(buckets_finish)
{
    for (int r = 0; r < vl_replicas_of(s) && vl_bag_int(s->inputs, "unready"); r++)
        vl_ranked_int(s, "status", r, VL_EINVAL);
    add_sums(s);
    for (int r = 0; r < vl_replicas_of(s) && vl_bag_int(s->inputs, "ended"); r++)
        vl_ranked_int(s, "left_in_flight", r, 0);
}

VL_SCOPED_TRUTH(replica_reduce)
{
    add_sums(s);
}

/* ---- buckets ---- */

VL_SCOPED_TRUTH(buckets_begin)
{
    size_t units = vl_scope_size(s, "unit_count");
    for (int r = 0; r < vl_replicas_of(s); r++) {
        vl_ranked_int(s, "open_end", r, vl_scope_size(s, "count"));
        vl_ranked_int(s, "started", r, 0);
        vl_ranked_int(s, "waiting", r, units);
        vl_ranked_int(s, "unit_count", r, units);
        vl_ranked_int(s, "bucket_bytes", r, vl_scope_size(s, "bucket_bytes"));
        vl_ranked_int(s, "pointers_kept", r, 1);
        int64_t *flight = vl_ranked_whole(s, "flight", r, 1, units);
        for (size_t k = 0; !s->failed && k < units; k++)
            flight[k] = 0;
    }
}

/* What the structure holds after each unit, on every rank. */
VL_SCOPED_TRUTH(buckets_ready)
{
    int ranks = vl_replicas_of(s);
    size_t count = vl_scope_size(s, "unit_count");
    const struct vl_bucket_trace trace = vl_trace_buckets(s, vl_scope_size(s, "bucket_bytes"));
    for (int r = 0; r < ranks; r++) {
        int64_t *started = vl_ranked_whole(s, "started", r, 1, count);
        int64_t *open_end = vl_ranked_whole(s, "open_end", r, 1, count);
        for (size_t i = 0; !s->failed && i < count; i++) {
            started[i] = (int64_t)trace.started[i];
            open_end[i] = (int64_t)trace.open_end[i];
        }
    }
    add_sums(s);
    /* Where all go on together, a ring of fewer ranks is so short that waiting cannot be told from
     * luck. */
    for (int r = 0; ranks >= 4 && r < ranks; r++)
        vl_ranked_int(s, "waited", r, 0);
    if (vl_bag_int(s->inputs, "alone"))
        vl_ranked_int(s, "waited", 0, 0);
}

VL_SCOPED_TRUTH(buckets_disorder)
{
    for (int r = 0; r < vl_replicas_of(s); r++) {
        int64_t *answers = vl_ranked_whole(s, "answers", r, 1, 3);
        for (int i = 0; answers && i < 3; i++)
            answers[i] = VL_EINVAL;
    }
    add_sums(s);
}

/* How many buckets are under way when rank 0 polls alone. */
static size_t under_way_of(const struct vl_scope *s)
{
    const size_t buckets = vl_scope_size(s, "unit_count"), ended = vl_scope_size(s, "ended");
    return ended == 2 ? 1 : buckets - ended;
}

/* Every unit is a bucket that the runner starts: how much arrives by polling alone. */
VL_SCOPED_TRUTH(buckets_poll)
{
    int ranks = vl_replicas_of(s);
    const size_t *units = vl_bag_sizes(s->inputs, "units");
    const size_t under_way = under_way_of(s);
    for (int r = 0; !s->failed && r < ranks; r++) {
        size_t sent, received, arrived = 0;
        for (size_t u = 0; u < vl_scope_size(s, "unit_count"); u++) {
            vl_oracle_ring(&sent, &received, units[u + 1] - units[u], r, ranks);
            arrived += received * sizeof(float);
        }
        vl_ranked_int(s, "arrived", r, arrived);
        vl_ranked_int(s, "waited", r, 0);
        vl_ranked_int(s, "driven", r, r == 0 ? under_way : 0);
        vl_ranked_int(s, "started", r, vl_scope_size(s, "unit_count"));
    }
    add_sums(s);
}

/* ---- the step ---- */

static const char *const state[] = {"weights", "m", "v"};

/* One device: the gradients of n losses, the first of which is 'first', clipped, and the update. */
static void step_alone(struct vl_scope *s, double *loss, double *norm, size_t first, size_t n)
{
    size_t count = vl_scope_size(s, "count");
    double *sum = vl_scope_in(s, "sum");
    memset(sum, 0, count * sizeof *sum);
    for (size_t k = first; k < first + n; k++)
        *loss += vl_toy_loss(sum, s->wide, k);
    *norm = vl_oracle_gradient_norm(sum, count);
    vl_toy_update(vl_scope_in(s, "weights"), vl_scope_in(s, "m"), vl_scope_in(s, "v"), sum, s->wide,
                  vl_oracle_clip(*norm, vl_scope_real(s, "max_norm")));
}

/* One device with the whole batch: every replica must end with the same. If something fails, all
 * stays as it was. */
static void step_together(struct vl_scope *s)
{
    size_t count = vl_scope_size(s, "count");
    size_t fails = vl_scope_size(s, "fails_at") + vl_scope_size(s, "backward_fails_at");
    int refused = vl_scope_refused(s, vl_scope_size(s, "step") == 0, VL_EINVAL) ||
                  vl_scope_refused(s, fails > 0, VL_ENOMEM);
    double loss = 0, norm = 0;
    vl_scope_work(s, "sum", count);
    if (!s->failed && !refused)
        step_alone(s, &loss, &norm, 0, vl_bag_find(s->wide, "a")->shape[0]);
    for (int r = 0; !s->failed && r < vl_replicas_of(s); r++) {
        for (size_t i = 0; i < 3; i++)
            vl_ranked_copy(s, state[i], r, vl_scope_in(s, state[i]), 1, count);
        vl_ranked_int(s, "hooks_left", r, 0);
        if (refused)
            continue;
        vl_ranked_real(s, "loss", r, loss);
        vl_ranked_real(s, "gradient_norm", r, norm);
    }
}

VL_SCOPED_TRUTH(replica_step)
{
    step_together(s);
}

/* No rank may have weights, a loss or a norm that differs in a bit from that of another. */
VL_SCOPED_TRUTH(replica_bits)
{
    step_together(s);
    for (int r = 0; r < vl_replicas_of(s); r++)
        vl_ranked_int(s, "ranks_apart", r, 0);
}

/* Every unit is a bucket, and every product exact: so the gradients are known to the last bit, and
 * their norm is. */
VL_SCOPED_TRUTH(replica_norm)
{
    int ranks = vl_replicas_of(s);
    size_t count = vl_scope_size(s, "count");
    const struct vl_oracle_units units = {vl_bag_sizes(s->inputs, "units"),
                                          vl_scope_size(s, "unit_count"), ranks};
    const float *a = vl_bag_f32(s->inputs, "a"), *t = vl_bag_f32(s->inputs, "t"),
                *w = vl_bag_f32(s->inputs, "weights");
    float *rows = vl_bag_add_f32(s->wide, "added", (size_t)ranks, count),
          *sums = vl_bag_add_f32(s->wide, "sums", 1, count);
    s->failed |= !rows || !sums;
    for (size_t i = 0; !s->failed && i < (size_t)ranks * count; i++)
        rows[i] = a[i] * (w[i % count] - t[i]);
    for (size_t i = 0; !s->failed && i < count; i++)
        sums[i] = vl_oracle_ring_sum(&units, rows, count, i);
    for (int r = 0; !s->failed && r < ranks; r++)
        vl_ranked_real(s, "gradient_norm", r, vl_oracle_chunked_norm(&units, sums));
}

/* From the weights of replica 0. */
VL_SCOPED_TRUTH(replicas_train)
{
    size_t count = vl_scope_size(s, "count"), steps = vl_scope_size(s, "steps"),
           batch = vl_scope_size(s, "batch");
    int64_t *step = vl_bag_add(s->wide, "step", VL_I64, 1, &(size_t){1});
    double *losses = vl_scope_work(s, "losses", steps), norm;
    s->failed |= !step;
    for (size_t i = 0; i < 3; i++)
        vl_scope_work(s, state[i], count);
    vl_scope_work(s, "sum", count);
    if (!s->failed)
        memcpy(vl_scope_in(s, "weights"), vl_scope_in(s, "own_weights"), count * sizeof(double));
    for (size_t done = 0; step && !s->failed && done < steps; done++) {
        *step = (int64_t)done + 1;
        step_alone(s, &losses[done], &norm, done * batch, batch);
    }
    for (int r = 0; !s->failed && r < vl_replicas_of(s); r++) {
        vl_ranked_copy(s, "weights", r, vl_scope_in(s, "weights"), 1, count);
        vl_ranked_copy(s, "losses", r, losses, 1, steps);
    }
}
