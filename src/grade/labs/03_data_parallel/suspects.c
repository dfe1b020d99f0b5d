/*
 * Known wrong answers of lab 03: replicas and buckets.
 */
#include "base/text.h"
#include "grade/catalogue/maker.h"
#include "grade/catalogue/mistake.h"
#include "grade/labs/03_data_parallel/data_parallel.h"
#include "oracle/replicas.h"

#include <stdlib.h>
#include <string.h>

/* ---- equalise ---- */

enum equalise_mistake { KEPT_OWN, LAST_RANK, MEAN, COUNT_AS_BYTES };

static enum vl_status equalise(struct vl_bag *wrong, const struct vl_bag *inputs,
                               enum equalise_mistake mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    size_t n = vl_scope_size(&s, "n"), ranks = (size_t)vl_replicas_of(inputs);
    for (size_t r = 0; !s.failed && r < ranks; r++) {
        const double *all = vl_scope_in(&s, "own_weights");
        double *w = vl_ranked_out(&s, "weights", (int)r, 1, n);
        for (size_t i = 0; w && i < n; i++) {
            size_t from = mistake == LAST_RANK ? ranks - 1 : r;
            if (mistake == COUNT_AS_BYTES && i < n / sizeof(float))
                from = 0;
            w[i] = all[from * n + i];
        }
        for (size_t i = 0; w && mistake == MEAN && i < n; i++) {
            w[i] = 0;
            for (size_t q = 0; q < ranks; q++)
                w[i] += all[q * n + i] / (double)ranks;
        }
        /* Of the element in which n bytes end, some bytes have come: it may be anything. */
        if (w && mistake == COUNT_AS_BYTES && r > 0 && n % sizeof(float) != 0) {
            float mixed = (float)all[r * n + n / sizeof(float)];
            float first = (float)all[n / sizeof(float)];
            memcpy(&mixed, &first, n % sizeof(float));
            w[n / sizeof(float)] = (double)mixed;
        }
    }
    return vl_scope_end(&s);
}

MISTAKE(equalise, KEPT_OWN)
MISTAKE(equalise, LAST_RANK)
MISTAKE(equalise, MEAN)
MISTAKE(equalise, COUNT_AS_BYTES)

const struct vl_suspect vl_suspects_replica_equalise[] = {
    {"kept_own", N_("Each replica still has its own weights: all need those of replica 0."),
     equalise_KEPT_OWN},
    {"wrong_root", N_("These are the weights of the last replica; those of replica 0 count."),
     equalise_LAST_RANK},
    {"averaged", N_("The weights are averaged; everybody gets those of replica 0, bit by bit."),
     equalise_MEAN},
    {"elements_as_bytes",
     N_("Only the first quarter has come: n counts elements, and an element has four bytes."),
     equalise_COUNT_AS_BYTES},
    NO_MORE_SUSPECTS};

/* ---- reduce ---- */

enum reduce_mistake { AVERAGED, NOT_REDUCED, WITHOUT_OWN, LAST_CHUNK, TWICE };

static enum vl_status reduce(struct vl_bag *wrong, const struct vl_bag *inputs,
                             enum reduce_mistake mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    size_t n = vl_scope_size(&s, "n"), ranks = (size_t)vl_replicas_of(inputs);
    for (size_t r = 0; !s.failed && r < ranks; r++) {
        const double *all = vl_scope_in(&s, "own_gradients");
        double *g = vl_ranked_out(&s, "gradients", (int)r, 1, n);
        for (size_t i = 0; g && i < n; i++) {
            double own = all[r * n + i];
            for (size_t q = 0; q < ranks; q++)
                g[i] += all[q * n + i];
            if (mistake == AVERAGED)
                g[i] /= (double)ranks;
            else if (mistake == TWICE)
                g[i] *= (double)ranks;
            else if (mistake == WITHOUT_OWN)
                g[i] -= own;
            else if (mistake == NOT_REDUCED || i >= n / ranks * ranks)
                g[i] = own;
        }
    }
    return vl_scope_end(&s);
}

MISTAKE(reduce, AVERAGED)
MISTAKE(reduce, NOT_REDUCED)
MISTAKE(reduce, WITHOUT_OWN)
MISTAKE(reduce, LAST_CHUNK)
MISTAKE(reduce, TWICE)

#define NO_DIVISION                                                                                \
    N_("The sum is divided by the number of replicas; losses are scaled by all tokens of the "     \
       "batch already, so it is only summed.")

const struct vl_suspect vl_suspects_replica_reduce[] = {
    {"averaged", NO_DIVISION, reduce_AVERAGED},
    {"not_reduced",
     N_("Each replica still has its own gradients: from the first update on, the replicas drift "
        "apart."),
     reduce_NOT_REDUCED},
    {"reduced_twice", N_("The sum was summed over the replicas once more."), reduce_TWICE},
    {"own_missing", N_("A replica's own gradients are missing in its sum."), reduce_WITHOUT_OWN},
    {"remainder_dropped",
     N_("The last n mod P elements are not summed: n need not be a multiple of P."),
     reduce_LAST_CHUNK},
    NO_MORE_SUSPECTS};

/* ---- buckets ---- */

enum begin_mistake { OPEN_AT_START, OPEN_IN_UNITS };

static enum vl_status begin(struct vl_bag *wrong, const struct vl_bag *inputs,
                            enum begin_mistake mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    for (int r = 0; r < vl_replicas_of(inputs); r++)
        vl_ranked_int(&s, "open_end", r,
                      mistake == OPEN_AT_START ? 0 : vl_scope_size(&s, "unit_count"));
    return vl_scope_end(&s);
}

MISTAKE(begin, OPEN_AT_START)
MISTAKE(begin, OPEN_IN_UNITS)

const struct vl_suspect vl_suspects_buckets_begin[] = {
    {"open_at_start",
     N_("The last unit is ready first: the first bucket ends behind the last element."),
     begin_OPEN_AT_START},
    {"units_as_elements", N_("open_end counts elements, not units."), begin_OPEN_IN_UNITS},
    NO_MORE_SUSPECTS};

enum cut_mistake { ELEMENTS, STRICTLY, EVERY_UNIT, ONE_AT_END };

/* Where buckets close with another rule. Only 'started' is told: it shows the rule best. */
static enum vl_status cut(struct vl_bag *wrong, const struct vl_bag *inputs,
                          enum cut_mistake mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    size_t count = vl_scope_size(&s, "unit_count"), *units = vl_units_of(inputs);
    size_t *trace = calloc(2 * count + 1, sizeof *trace);
    size_t bytes = vl_scope_size(&s, "bucket_bytes");
    s.failed |= !units || !trace;
    if (mistake == ELEMENTS)
        bytes *= sizeof(float);
    else if (mistake == STRICTLY)
        bytes++;
    else
        bytes = mistake == EVERY_UNIT ? 0 : SIZE_MAX;
    if (!s.failed)
        vl_oracle_buckets(trace, trace + count, units, count, bytes);
    for (int r = 0; r < vl_replicas_of(inputs); r++) {
        int64_t *started = vl_ranked_whole(&s, "started", r, 1, count);
        for (size_t i = 0; !s.failed && i < count; i++)
            started[i] = (int64_t)trace[i];
    }
    free(trace);
    free(units);
    return vl_scope_end(&s);
}

MISTAKE(cut, ELEMENTS)
MISTAKE(cut, STRICTLY)
MISTAKE(cut, EVERY_UNIT)
MISTAKE(cut, ONE_AT_END)

enum bucket_mistake { NONE_SENT, LAST_LEFT, FIRST_LEFT, FIRST_ALONE, CLOSING_UNIT_ALONE };

/* Is an element summed, in spite of the mistake? It lies in bucket 'k' of 'buckets', whose first
 * unit ends at 'unit_end'. */
static int is_summed(enum bucket_mistake mistake, size_t i, size_t k, size_t buckets,
                     size_t unit_end)
{
    switch (mistake) {
    case LAST_LEFT:
        return k + 1 < buckets;
    case FIRST_LEFT:
        return k > 0;
    case FIRST_ALONE:
        return k == 0;
    case CLOSING_UNIT_ALONE:
        return i < unit_end;
    case NONE_SENT:
        break;
    }
    return 0;
}

static enum vl_status buckets(struct vl_bag *wrong, const struct vl_bag *inputs,
                              enum bucket_mistake mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    size_t count = vl_scope_size(&s, "unit_count"), n = vl_scope_size(&s, "count");
    size_t ranks = (size_t)vl_replicas_of(inputs), *units = vl_units_of(inputs);
    size_t *trace = calloc(2 * count + 1, sizeof *trace), all = 0;
    s.failed |= !units || !trace;
    if (!s.failed)
        all = vl_oracle_buckets(trace, trace + count, units, count,
                                vl_scope_size(&s, "bucket_bytes"));
    for (size_t r = 0; !s.failed && r < ranks; r++) {
        const double *own = vl_scope_in(&s, "own_gradients");
        double *g = vl_ranked_out(&s, "gradients", (int)r, 1, n);
        for (size_t at = 0; g && at < count; at++) {
            size_t unit = count - 1 - at, k = at > 0 ? trace[at - 1] : 0, closing = at;
            while (trace[closing] == k)
                closing++;
            for (size_t i = units[unit]; i < units[unit + 1]; i++)
                for (size_t q = 0; q < ranks; q++)
                    if (q == r || is_summed(mistake, i, k, all, units[count - closing]))
                        g[i] += own[q * n + i];
        }
    }
    free(trace);
    free(units);
    return vl_scope_end(&s);
}

MISTAKE(buckets, NONE_SENT)
MISTAKE(buckets, LAST_LEFT)
MISTAKE(buckets, FIRST_LEFT)
MISTAKE(buckets, FIRST_ALONE)
MISTAKE(buckets, CLOSING_UNIT_ALONE)

enum wait_mistake { ALL_WAITED, FIRST_WAITED };

/* Every rank measures for itself; in 'poll' only rank 0 is left alone with it. */
static enum vl_status waits(struct vl_bag *wrong, const struct vl_bag *inputs,
                            enum wait_mistake mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    for (int r = 0; r < vl_replicas_of(inputs); r++)
        vl_ranked_int(&s, "waited", r, mistake == ALL_WAITED || r == 0);
    return vl_scope_end(&s);
}

MISTAKE(waits, ALL_WAITED)
MISTAKE(waits, FIRST_WAITED)

const struct vl_suspect vl_suspects_buckets_ready[] = {
    {"ready_waits",
     N_("vl_buckets_ready waits until a bucket has arrived, and backward stands still meanwhile: "
        "it only starts."),
     waits_ALL_WAITED},
    {"elements_as_bytes",
     N_("Buckets grow to bucket_bytes elements; an element of gradients has four bytes."),
     cut_ELEMENTS},
    {"closed_too_late",
     N_("A bucket that holds exactly bucket_bytes is full: it holds at least that much."),
     cut_STRICTLY},
    {"bucket_bytes_ignored", N_("Every unit is sent by itself, whatever bucket_bytes says."),
     cut_EVERY_UNIT},
    {"one_bucket", N_("Nothing is sent before the last unit: a bucket closes once it is full."),
     cut_ONE_AT_END},
    {"not_reduced", N_("Each replica still has its own gradients: no bucket was sent."),
     buckets_NONE_SENT},
    {"last_bucket_left",
     N_("The last bucket is never sent: unit 0 closes it, whatever it holds by then."),
     buckets_LAST_LEFT},
    {"first_bucket_left", N_("The first bucket is not summed."), buckets_FIRST_LEFT},
    {"closing_unit_alone",
     N_("Only the unit that closes a bucket is sent; the bucket goes on to open_end."),
     buckets_CLOSING_UNIT_ALONE},
    NO_MORE_SUSPECTS};

static enum vl_status order(struct vl_bag *wrong, const struct vl_bag *inputs, int mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    for (int r = 0; r < vl_replicas_of(inputs); r++) {
        int64_t *answers = vl_ranked_whole(&s, "answers", r, 1, 3);
        if (answers)
            memset(answers, mistake, 3 * sizeof *answers); /* VL_OK is zero */
    }
    return vl_scope_end(&s);
}

MISTAKE(order, VL_OK)

const struct vl_suspect vl_suspects_buckets_disorder[] = {
    {"order_unchecked",
     N_("A unit out of order is accepted: only unit waiting - 1 may be ready next."), order_VL_OK},
    NO_MORE_SUSPECTS};

enum poll_mistake { NOTHING, ONLY_FIRST, ONLY_LAST, ALL_BUT_LAST };

static enum vl_status poll(struct vl_bag *wrong, const struct vl_bag *inputs,
                           enum poll_mistake mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    size_t count = vl_scope_size(&s, "unit_count"), *units = vl_units_of(inputs);
    int ranks = vl_replicas_of(inputs);
    s.failed |= !units;
    for (int r = 0; !s.failed && r < ranks; r++) {
        size_t sent, received, arrived = 0;
        for (size_t u = 0; u < count; u++) { /* the first bucket is the last unit */
            int taken = mistake == ONLY_FIRST  ? u + 1 == count
                        : mistake == ONLY_LAST ? u == 0
                                               : mistake == ALL_BUT_LAST && u > 0;
            vl_oracle_ring(&sent, &received, units[u + 1] - units[u], r, ranks);
            arrived += taken ? received * sizeof(float) : 0;
        }
        vl_ranked_int(&s, "arrived", r, arrived);
    }
    free(units);
    return vl_scope_end(&s);
}

MISTAKE(poll, NOTHING)
MISTAKE(poll, ONLY_FIRST)
MISTAKE(poll, ONLY_LAST)
MISTAKE(poll, ALL_BUT_LAST)

const struct vl_suspect vl_suspects_buckets_poll[] = {
    {"poll_waits",
     N_("vl_buckets_poll waits until everything has arrived: it only does what can be done now."),
     waits_FIRST_WAITED},
    {"poll_does_nothing", N_("Nothing moves on: each bucket under way wants vl_transfer_poll."),
     poll_NOTHING},
    {"first_bucket_only", N_("Only the first bucket is driven on; all under way are."),
     poll_ONLY_FIRST},
    {"last_bucket_only", N_("Only the latest bucket is driven on; all under way are."),
     poll_ONLY_LAST},
    {"last_bucket_left", N_("The latest bucket is not driven on: there are 'started' of them."),
     poll_ALL_BUT_LAST},
    NO_MORE_SUSPECTS};

const struct vl_suspect vl_suspects_buckets_finish[] = {
    {"not_finished", N_("No bucket is finished."), buckets_NONE_SENT},
    {"last_bucket_left", N_("The last bucket is not finished: there are 'started' of them."),
     buckets_LAST_LEFT},
    {"first_bucket_left", N_("The first bucket is not finished."), buckets_FIRST_LEFT},
    {"first_bucket_only", N_("Only the first bucket is finished."), buckets_FIRST_ALONE},
    NO_MORE_SUSPECTS};
