/*
 * What lab 03's functions must give: sums over replicas, and one device with the whole batch.
 */
#include "grade/catalogue/maker.h"
#include "grade/labs/03_data_parallel/data_parallel.h"
#include "oracle/optimizer.h"
#include "oracle/replicas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- shared ---- */

int vl_replicas_of(const struct vl_bag *inputs)
{
    return (int)vl_bag_int(inputs, "ranks");
}

size_t *vl_units_of(const struct vl_bag *inputs)
{
    size_t count = vl_bag_size(inputs, "unit_count");
    const int32_t *from = vl_bag_i32(inputs, "units");
    size_t *units = calloc(count + 1, sizeof *units);
    for (size_t u = 0; units && from && u <= count; u++)
        units[u] = (size_t)from[u];
    return units;
}

/* ---- given functions ---- */

VL_TRUTH(replica_rows)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    size_t replicas = vl_scope_size(&s, "replicas"), at = 0;
    int64_t *first = vl_ranked_whole(&s, "first", 0, 1, replicas),
            *count = vl_ranked_whole(&s, "count", 0, 1, replicas);
    for (size_t r = 0; !s.failed && r < replicas; r++) {
        first[r] = (int64_t)at;
        count[r] = (int64_t)vl_oracle_chunk_size(vl_scope_size(&s, "rows"), (int)r, (int)replicas);
        at += (size_t)count[r];
    }
    return vl_scope_end(&s);
}

/* In rank order: that is promised, so bits are compared. */
VL_TRUTH(replica_sum)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    int ranks = vl_replicas_of(inputs);
    double sum = 0;
    for (int r = 0; !s.failed && r < ranks; r++)
        sum += vl_scope_in(&s, "values")[r];
    for (int r = 0; r < ranks; r++) {
        double *value = vl_ranked_out(&s, "value", r, 1, 1);
        if (value)
            *value = sum;
    }
    return vl_scope_end(&s);
}

/* The brackets are promised too. */
VL_TRUTH(chunked_norm)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    int replicas = (int)vl_scope_size(&s, "replicas");
    double squares = 0, *norm = vl_ranked_out(&s, "norm", 0, 1, 1);
    const double *g = vl_scope_in(&s, "gradients");
    size_t *units = vl_units_of(inputs);
    s.failed |= !units;
    for (size_t u = 0; !s.failed && u < vl_scope_size(&s, "unit_count"); u++)
        for (int r = 0; r < replicas; r++) {
            size_t n = vl_oracle_chunk_size(units[u + 1] - units[u], r, replicas);
            double own = 0;
            for (; n > 0; n--, g++)
                own += *g * *g;
            squares += own;
        }
    if (norm)
        *norm = sqrt(squares);
    free(units);
    return vl_scope_end(&s);
}

/* ---- flat ---- */

VL_TRUTH(replica_equalise)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    size_t n = vl_scope_size(&s, "n");
    for (int r = 0; r < vl_replicas_of(inputs); r++) {
        double *w = vl_ranked_out(&s, "weights", r, 1, n);
        if (w && n > 0)
            memcpy(w, vl_scope_in(&s, "own_weights"), n * sizeof *w);
    }
    return vl_scope_end(&s);
}

/* gradients@r: the sum of all rows of own_gradients. */
static void add_sums(struct vl_scope *s, int ranks, size_t n)
{
    for (int r = 0; r < ranks; r++) {
        double *sum = vl_ranked_out(s, "gradients", r, 1, n);
        for (size_t i = 0; sum && i < (size_t)ranks * n; i++)
            sum[i % n] += vl_scope_in(s, "own_gradients")[i];
    }
}

VL_TRUTH(replica_reduce)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    add_sums(&s, vl_replicas_of(inputs), vl_scope_size(&s, "n"));
    return vl_scope_end(&s);
}

/* ---- buckets ---- */

VL_TRUTH(buckets_begin)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    size_t units = vl_scope_size(&s, "unit_count");
    for (int r = 0; r < vl_replicas_of(inputs); r++) {
        vl_ranked_int(&s, "open_end", r, vl_scope_size(&s, "count"));
        vl_ranked_int(&s, "started", r, 0);
        vl_ranked_int(&s, "waiting", r, units);
        vl_ranked_int(&s, "unit_count", r, units);
        vl_ranked_int(&s, "bucket_bytes", r, vl_scope_size(&s, "bucket_bytes"));
        vl_ranked_int(&s, "pointers_kept", r, 1);
        vl_ranked_int(&s, "flight_clear", r, 1);
    }
    return vl_scope_end(&s);
}

/* What stands in the structure after each unit, on every rank. */
static void add_trace(struct vl_scope *s, const struct vl_bag *inputs)
{
    size_t count = vl_scope_size(s, "unit_count"), *units = vl_units_of(inputs);
    size_t *trace = calloc(2 * count + 1, sizeof *trace);
    s->failed |= !units || !trace;
    if (!s->failed)
        vl_oracle_buckets(trace, trace + count, units, count, vl_scope_size(s, "bucket_bytes"));
    for (int r = 0; r < vl_replicas_of(inputs); r++) {
        int64_t *started = vl_ranked_whole(s, "started", r, 1, count);
        int64_t *open_end = vl_ranked_whole(s, "open_end", r, 1, count);
        for (size_t i = 0; !s->failed && i < count; i++) {
            started[i] = (int64_t)trace[i];
            open_end[i] = (int64_t)trace[count + i];
        }
    }
    free(trace);
    free(units);
}

VL_TRUTH(buckets_ready)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    int ranks = vl_replicas_of(inputs);
    add_trace(&s, inputs);
    add_sums(&s, ranks, vl_scope_size(&s, "count"));
    /* With fewer ranks a ring is so short that nobody could tell waiting from luck. */
    for (int r = 0; ranks >= 4 && r < ranks; r++)
        vl_ranked_int(&s, "waited", r, 0);
    return vl_scope_end(&s);
}

VL_TRUTH(buckets_disorder)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    int ranks = vl_replicas_of(inputs);
    for (int r = 0; r < ranks; r++) {
        int64_t *answers = vl_ranked_whole(&s, "answers", r, 1, 3);
        for (int i = 0; answers && i < 3; i++)
            answers[i] = VL_EINVAL;
    }
    add_sums(&s, ranks, vl_scope_size(&s, "count"));
    return vl_scope_end(&s);
}

/* Every unit a bucket, started by the runner: how much arrives by polling alone. */
VL_TRUTH(buckets_poll)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    int ranks = vl_replicas_of(inputs);
    size_t *units = vl_units_of(inputs);
    s.failed |= !units;
    for (int r = 0; !s.failed && r < ranks; r++) {
        size_t sent, received, arrived = 0;
        for (size_t u = 0; u < vl_scope_size(&s, "unit_count"); u++) {
            vl_oracle_ring(&sent, &received, units[u + 1] - units[u], r, ranks);
            arrived += received * sizeof(float);
        }
        vl_ranked_int(&s, "arrived", r, arrived);
        vl_ranked_int(&s, "waited", r, 0);
    }
    add_sums(&s, ranks, vl_scope_size(&s, "count"));
    free(units);
    return vl_scope_end(&s);
}

VL_TRUTH(buckets_finish)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    add_sums(&s, vl_replicas_of(inputs), vl_scope_size(&s, "count"));
    return vl_scope_end(&s);
}

/* ---- the step ---- */

static size_t total_micro(const struct vl_bag *inputs)
{
    size_t total = 0;
    for (int r = 0; r < vl_replicas_of(inputs); r++)
        total += (size_t)vl_bag_i32(inputs, "micro")[r];
    return total;
}

/* A forward fails, on one rank: nothing moves. */
static enum vl_status refused(struct vl_scope *s)
{
    static const char *const names[] = {"weights", "m", "v"};
    size_t count = vl_scope_size(s, "count");
    for (size_t i = 0; !s->failed && i < 3; i++) {
        double *array = vl_ranked_out(s, names[i], 0, 1, count);
        if (array)
            memcpy(array, vl_scope_in(s, names[i]), count * sizeof *array);
    }
    return vl_scope_refuse(s, VL_ENOMEM);
}

/* One device with the whole batch; every replica must end where it ends. */
VL_TRUTH(replica_step)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    if (vl_scope_size(&s, "fails_at"))
        return refused(&s);
    size_t count = vl_scope_size(&s, "count");
    double *sum = vl_scope_work(&s, "sum", count), loss = 0;
    for (size_t k = 0; !s.failed && k < total_micro(inputs); k++)
        loss += vl_toy_loss(sum, s.wide, k);
    for (int r = 0; !s.failed && r < vl_replicas_of(inputs); r++) {
        double *w = vl_ranked_out(&s, "weights", r, 1, count),
               *m = vl_ranked_out(&s, "m", r, 1, count), *v = vl_ranked_out(&s, "v", r, 1, count),
               *own_loss = vl_ranked_out(&s, "loss", r, 1, 1),
               *norm = vl_ranked_out(&s, "gradient_norm", r, 1, 1);
        vl_ranked_int(&s, "hooks_left", r, 0);
        if (s.failed)
            break;
        memcpy(w, vl_scope_in(&s, "weights"), count * sizeof *w);
        memcpy(m, vl_scope_in(&s, "m"), count * sizeof *m);
        memcpy(v, vl_scope_in(&s, "v"), count * sizeof *v);
        *own_loss = loss;
        *norm = vl_oracle_gradient_norm(sum, count);
        vl_toy_update(w, m, v, sum, inputs, vl_oracle_clip(*norm, vl_scope_real(&s, "max_norm")),
                      0);
    }
    return vl_scope_end(&s);
}

/* On how many ranks the weights, the loss or the norm are not, bit by bit, those of rank 0. */
VL_TRUTH(replica_bits)
{
    enum vl_status status = vl_truth_replica_step(expected, inputs);
    for (int r = 0; status == VL_OK && r < vl_replicas_of(inputs); r++) {
        char name[VL_RANKED_NAME];
        if (!vl_bag_set_int(expected, vl_ranked(name, "ranks_apart", r), 0))
            status = VL_ENOMEM;
    }
    return status;
}

static void train_step(struct vl_scope *s, const struct vl_bag *inputs, size_t step, double *loss)
{
    size_t count = vl_scope_size(s, "count"), batch = vl_scope_size(s, "batch");
    size_t matrix = vl_scope_size(s, "rows") * vl_scope_size(s, "cols");
    const size_t ends[] = {0, matrix, count - matrix, count};
    double *w = vl_scope_in(s, "weights"), *m = vl_scope_in(s, "m"), *v = vl_scope_in(s, "v"),
           *sum = vl_scope_in(s, "sum");
    *loss = 0;
    memset(sum, 0, count * sizeof *sum);
    for (size_t k = 0; k < batch; k++)
        *loss += vl_toy_loss(sum, s->wide, step * batch + k);
    double scale =
        vl_oracle_clip(vl_oracle_gradient_norm(sum, count), vl_scope_real(s, "max_norm"));
    for (size_t tensor = 0; tensor < 3; tensor++) {
        struct vl_oracle_adamw own = vl_settings_read(inputs);
        size_t at = ends[tensor];
        if (tensor == 1)
            own.weight_decay = 0;
        vl_oracle_adamw(w + at, m + at, v + at, sum + at, scale, &own, step + 1,
                        ends[tensor + 1] - at);
    }
}

/* From the weights of replica 0. */
VL_TRUTH(replicas_train)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    size_t count = vl_scope_size(&s, "count"), steps = vl_scope_size(&s, "steps");
    double *w = vl_scope_work(&s, "weights", count), *losses = vl_scope_work(&s, "losses", steps);
    vl_scope_work(&s, "m", count);
    vl_scope_work(&s, "v", count);
    vl_scope_work(&s, "sum", count);
    if (!s.failed)
        memcpy(w, vl_scope_in(&s, "own_weights"), count * sizeof *w);
    for (size_t step = 0; !s.failed && step < steps; step++)
        train_step(&s, inputs, step, &losses[step]);
    for (int r = 0; !s.failed && r < vl_replicas_of(inputs); r++) {
        double *own_w = vl_ranked_out(&s, "weights", r, 1, count),
               *own_losses = vl_ranked_out(&s, "losses", r, 1, steps);
        if (s.failed)
            break;
        memcpy(own_w, w, count * sizeof *w);
        memcpy(own_losses, losses, steps * sizeof *losses);
    }
    return vl_scope_end(&s);
}
