/*
 * Inputs of lab 03's cases.
 */
#include "grade/catalogue/maker.h"
#include "grade/catalogue/part.h"
#include "grade/labs/03_data_parallel/data_parallel.h"
#include "oracle/replicas.h"

#include <math.h>
#include <string.h>

static void add_ranks(struct vl_maker *m, const struct vl_case *self)
{
    vl_maker_size(m, "ranks", (size_t)self->ranks);
    vl_maker_flag(m, "reversed", self->variant, VL_R_REVERSED);
}

VL_SCOPED_MAKE(replica_rows)
{
    add_ranks(m, self);
    size_t replicas = vl_maker_size(m, "replicas", vl_maker_between(m, 5, 9));
    vl_maker_size(m, "rows", replicas * vl_maker_between(m, 2, 6) + replicas - 2);
}

VL_SCOPED_MAKE(replica_sum)
{
    add_ranks(m, self);
    vl_maker_ends_sizes(m);
    double *values = vl_maker_doubles(m, "values", 1, (size_t)self->ranks);
    /* Magnitudes at which another order of the additions gives other bits. */
    for (size_t r = 0; values && r < (size_t)self->ranks; r++)
        values[r] = pow(7.0, (double)r) / (double)(3 + vl_maker_between(m, 0, 90));
}

static size_t elements(struct vl_maker *m, const struct vl_case *self)
{
    size_t ranks = (size_t)self->ranks, n = vl_maker_wide(m) * vl_maker_prime(m, 0);
    if (self->variant & VL_R_SHORT)
        n = ranks > 2 ? ranks - 2 : 1;
    if (self->variant & VL_R_EMPTY)
        n = 0;
    /* Not a multiple of the ranks, so that chunks have a remainder. */
    else if (ranks > 1 && n > ranks && n % ranks == 0)
        n++;
    return vl_maker_size(m, "n", n);
}

VL_SCOPED_MAKE(replica_equalise)
{
    add_ranks(m, self);
    size_t n = elements(m, self);
    float *weights = vl_maker_normal(m, "own_weights", (size_t)self->ranks, n, 1);
    for (size_t i = 0; weights != NULL && i < n; i += 3) /* a copy keeps the sign of a zero */
        weights[i] = -0.0f;
}

VL_SCOPED_MAKE(replica_reduce)
{
    add_ranks(m, self);
    vl_maker_normal(m, "own_gradients", (size_t)self->ranks, elements(m, self), 1);
}

/* How much of the elements lies before unit u, in parts of a usual unit: a bulky one is as large as three. */
static size_t parts_before(const struct vl_case *self, size_t u, size_t unit_count)
{
    return u + ((self->variant & VL_R_BULKY) && u > unit_count / 2 - 1 ? 2 : 0);
}

/* Units that cover 'count' elements, none empty, of slightly different sizes. With VL_R_BUCKETS the
 * last two are exactly a bucket. */
static void cut_units(struct vl_maker *m, const struct vl_case *self, size_t count,
                      size_t unit_count)
{
    int64_t *units = vl_maker_long(m, "units", 1, unit_count + 1);
    vl_maker_size(m, "unit_count", unit_count);
    for (size_t u = 0; units && u <= unit_count; u++) {
        size_t shift = u > 0 && u < unit_count ? vl_maker_between(m, 0, 2) : 0;
        units[u] = (int64_t)(parts_before(self, u, unit_count) * count /
                                 parts_before(self, unit_count, unit_count) +
                             shift);
    }
    size_t bucket = 0;
    if (units && (self->variant & VL_R_BUCKETS))
        bucket = count - (size_t)units[unit_count - 2];
    if (self->variant & VL_R_ONE)
        bucket = count + 1;
    vl_maker_size(m, "bucket_bytes", bucket * sizeof(float));
}

VL_SCOPED_MAKE(buckets)
{
    add_ranks(m, self);
    size_t unit_count = vl_maker_between(m, 5, 7);
    size_t each = self->variant & VL_R_SHORT ? 3 : vl_maker_wide(m);
    size_t count = vl_maker_size(m, "count", unit_count * each + vl_maker_between(m, 1, 3));
    cut_units(m, self, count, unit_count);
    vl_maker_flag(m, "disorder", self->variant, VL_R_DISORDER);
    vl_maker_flag(m, "unready", self->variant, VL_R_UNREADY);
    vl_maker_flag(m, "alone", self->variant, VL_R_ALONE);
    vl_maker_size(m, "ended", self->variant & VL_R_DONE ? 2 : self->variant & VL_R_ENDED ? 1 : 0);
    vl_maker_normal(m, "own_gradients", (size_t)self->ranks, count, 1);
}

VL_SCOPED_MAKE(chunked_norm)
{
    add_ranks(m, self);
    size_t count = vl_maker_size(m, "count", 5 * vl_maker_wide(m) + 3);
    cut_units(m, self, count, 5);
    vl_maker_size(m, "replicas", vl_maker_between(m, 3, 5));
    vl_maker_normal(m, "gradients", 1, count, 1);
}

/* Three tensors, as lab 01's toy has them. */
static size_t tensors(struct vl_maker *m, int large)
{
    size_t rows = large ? 41 : vl_maker_prime(m, 3), cols = large ? 53 : vl_maker_prime(m, rows);
    vl_maker_sizes(m, {"rows", rows}, {"cols", cols});
    return vl_maker_size(m, "count", 2 * rows * cols + cols);
}

/* The arrays of 'total' losses 0.5 sum_i a (w - t)^2. */
static void losses(struct vl_maker *m, size_t total, size_t count)
{
    float *a = vl_maker_normal(m, "a", total, count, 0.25f);
    for (size_t i = 0; a && i < total * count; i++)
        a[i] = 0.25f + fabsf(a[i]);
    vl_maker_normal(m, "t", total, count, 1);
}

static size_t micro_batches(struct vl_maker *m, const struct vl_case *self)
{
    size_t ranks = (size_t)self->ranks, total = 0;
    int32_t *micro = vl_maker_whole(m, "micro", 1, ranks),
            *first = vl_maker_whole(m, "first_micro", 1, ranks);
    for (size_t r = 0; micro && first && r < ranks; r++) {
        first[r] = (int32_t)total;
        micro[r] = self->variant & (VL_R_ACCUMULATE | VL_R_FAILS | VL_R_BACK) ? 3 : 1;
        if (self->variant & VL_R_UNEVEN)
            micro[r] = (int32_t)(1 + (ranks - r) % 3);
        if ((self->variant & VL_R_IDLE) && r % 2 == 1)
            micro[r] = 0;
        total += (size_t)micro[r];
    }
    return total;
}

/* Gradients that are the same sums everywhere, bit for bit: every a is a power of two. The squares of
 * the first ones are so large that most others vanish next to them, in as many partial sums as there
 * may be; in the chunked norm only those of the same chunk do. */
static void spread_scales(struct vl_maker *m, size_t total, size_t count)
{
    enum { FIRST = 64 };
    float *a = vl_bag_f32(m->bag, "a"), *t = vl_bag_f32(m->bag, "t");
    for (size_t i = 0; !m->failed && i < total * count; i++) {
        a[i] = 0.125f;
        if (i % count < FIRST)
            t[i] = 0x1p27f;
    }
}

VL_SCOPED_MAKE(replica_step)
{
    add_ranks(m, self);
    size_t total = micro_batches(m, self), ranks = (size_t)self->ranks;
    size_t count = tensors(m, self->variant & VL_R_LARGE), unit_count = vl_maker_between(m, 4, 6);
    cut_units(m, self, count, unit_count);
    /* Any number but 0 means yes. */
    vl_maker_size(m, "overlap", self->variant & VL_R_OVERLAP ? (ranks == 4 ? 2 : 1) : 0);
    if (self->variant & VL_R_MIXED)
        vl_maker_size(m, "unsorted", 1);
    size_t step = vl_maker_between(m, 2, 9);
    vl_maker_size(m, "step", self->variant & VL_R_NO_STEP ? 0 : step);
    vl_maker_settings(m, 0.015625, 0.125);
    losses(m, total, count);
    if (self->variant & VL_R_SCALES)
        spread_scales(m, total, count);
    vl_maker_normal(m, "weights", 1, count, 1);
    vl_maker_moments(m, count);
    /* Left over from an earlier step, differently on each rank. */
    vl_maker_normal(m, "own_gradients", ranks, count, 2);
    const double above = self->variant & VL_R_BELOW ? 4096 : 0;
    vl_maker_real(m, "max_norm", self->variant & VL_R_CLIPPED ? 1.5 : above);
    vl_maker_size(m, "fails_at", self->variant & VL_R_FAILS ? 2 : 0);
    /* With overlap, in the last backward, which has the hooks. */
    size_t fails = self->variant & VL_R_OVERLAP ? 3 : 2;
    vl_maker_size(m, "backward_fails_at", self->variant & VL_R_BACK ? fails : 0);
}

/* vl_replica_rows deals out the rows. Every row is a micro-batch, and each step has new ones. */
VL_SCOPED_MAKE(replicas_train)
{
    add_ranks(m, self);
    size_t ranks = (size_t)self->ranks, steps = vl_maker_size(m, "steps", 5);
    size_t rows = vl_maker_size(m, "batch", ranks + 1 + vl_maker_between(m, 0, 1));
    size_t count = tensors(m, 0);
    const size_t matrix = vl_bag_size(m->bag, "rows") * vl_bag_size(m->bag, "cols");
    const size_t ends[] = {0, matrix, count - matrix, count};
    int64_t *units = vl_maker_long(m, "units", 1, 4);
    for (size_t u = 0; units && u < 4; u++)
        units[u] = (int64_t)ends[u];
    vl_maker_sizes(m, {"unit_count", 3}, {"bucket_bytes", 0});
    vl_maker_settings(m, 0.015625, 0.125);
    losses(m, steps * rows, count);
    vl_maker_normal(m, "own_weights", ranks, count, 1);
    vl_maker_real(m, "max_norm", 8);
}

/* ---- who has what ---- */

/* The micro-batches that vl_replica_rows deals to a rank, of each step's batch. */
static void give_dealt(const struct vl_part *p, const char *name)
{
    size_t batch = vl_bag_size(p->inputs, "batch"), first = 0;
    for (size_t r = 0; r < p->rank; r++)
        first += vl_oracle_chunk_size(batch, (int)r, (int)p->ranks);
    vl_part_withhold(p, name);
    for (size_t step = 0; step < vl_bag_size(p->inputs, "steps"); step++)
        vl_part_give_rows(p, name, step * batch + first,
                          vl_oracle_chunk_size(batch, (int)p->rank, (int)p->ranks));
}

static void give_micro_batches(const struct vl_part *p, const char *name)
{
    const int32_t *first = vl_bag_i32(p->inputs, "first_micro"),
                  *micro = vl_bag_i32(p->inputs, "micro");
    vl_part_withhold(p, name);
    vl_part_give_rows(p, name, (size_t)first[p->rank], (size_t)micro[p->rank]);
}

VL_PART(data_parallel)
{
    vl_part_share(p, "values");
    vl_part_share(p, "own_weights");
    vl_part_share(p, "own_gradients");
    vl_part_share(p, "micro");
    vl_part_share(p, "first_micro");
    void (*give)(const struct vl_part *, const char *) =
        vl_bag_find(p->inputs, "micro") != NULL ? give_micro_batches : give_dealt;
    give(p, "a");
    give(p, "t");
}
