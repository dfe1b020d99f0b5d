/*
 * What lab 04 must give where data moves: gradients into shards, parameters into lent buffers, and
 * the whole step. Sums are worked out in float32, in the order that vialata/collectives.h promises,
 * so bits are compared.
 */
#include "grade/catalogue/maker.h"
#include "grade/catalogue/scope.h"
#include "grade/labs/04_zero/zero.h"
#include "oracle/optimizer.h"

#include <math.h>
#include <string.h>

/* Float32 working memory that lives as long as the scope; zeroed. */
static float *floats(struct vl_scope *s, const char *name, size_t count)
{
    float *array = vl_bag_add_f32(s->wide, name, 1, count);
    s->failed |= array == NULL;
    return array;
}

/* So many calls must be refused. */
static void all_refused(struct vl_scope *s, const char *answers, int rank, size_t calls)
{
    int64_t *answer = vl_ranked_whole(s, answers, rank, 1, calls);
    for (size_t i = 0; answer != NULL && i < calls; i++)
        answer[i] = VL_EINVAL;
}

/* ---- gradients ---- */

/* Add to 'sums' (count) the gradients 'local' (micro_batches, ranks, count), summed over the ranks:
 * every pass by itself, but at stage 1 all passes at once, which each rank has added up in its row
 * of 'rows' (ranks, count). */
static void reduce(float *sums, float *rows, const struct vl_zero_layout *l, const float *local)
{
    size_t row_size = (size_t)l->ranks * l->count;
    for (size_t pass = 0; pass < l->micro_batches; pass++, local += row_size) {
        for (size_t i = 0; i < row_size; i++)
            rows[i] = l->stage == 1 && pass > 0 ? rows[i] + local[i] : local[i];
        for (size_t i = 0; (l->stage > 1 || pass + 1 == l->micro_batches) && i < l->count; i++)
            sums[i] += vl_oracle_ring_sum(&l->units, rows, l->count, i);
    }
}

/* The sum of 'before' (count; NULL: zeros) and all reductions, on every rank. Stage 1: the whole
 * array, of which only the rank's chunks count. Stages 2 and 3: the shard. */
static void reduced(struct vl_scope *s, const struct vl_zero_layout *l, const char *name, int shard,
                    const float *before)
{
    float *sums = floats(s, "summed", l->count),
          *rows = floats(s, "rows", (size_t)l->ranks * l->count);
    double *whole = vl_scope_work(s, "whole", l->count);
    size_t unit;
    if (sums != NULL && before != NULL)
        memcpy(sums, before, l->count * sizeof *sums);
    if (!s->failed)
        reduce(sums, rows, l, vl_bag_f32(s->inputs, "local"));
    for (int rank = 0; !s->failed && rank < l->ranks; rank++) {
        for (size_t i = 0; i < l->count; i++)
            whole[i] = vl_oracle_owner(&l->units, i, &unit) == rank ? (double)sums[i] : (double)NAN;
        vl_zero_answer(s, l, name, rank, shard, whole);
    }
}

VL_ZERO_TRUTH(zero_sums)
{
    int shard = l->stage > 1;
    reduced(s, l, "gradients", shard, shard ? vl_bag_f32(s->inputs, "gradients") : NULL);
}

/* At stage 1 a chunk is summed in place: polls alone must get that done. */
VL_ZERO_TRUTH(zero_early)
{
    reduced(s, l, "early", 1, NULL);
}

/* At stages 2 and 3 the last two units are still on their way: polls alone must send what is left,
 * whether or not they add it to the shard. A unit that is fetched stays ahead until borrow. */
VL_ZERO_TRUTH(zero_driven)
{
    reduced(s, l, "gradients", 1, vl_bag_f32(s->inputs, "gradients"));
    for (int rank = 0; rank < l->ranks; rank++) {
        vl_ranked_int(s, "late_bytes", rank, 0);
        vl_ranked_int(s, "ahead", rank, l->stage == 3 ? l->unit_count : 0);
    }
}

/* The buffers take turns, however early one of them is free; and on one rank: none is handed out while
 * backward adds to both. */
static void takes_turns(struct vl_scope *s, const struct vl_zero_layout *l, int rank)
{
    if (l->stage > 1 && l->ranks == 1)
        all_refused(s, "answers", rank, 1);
    int64_t *other = l->stage > 1 && l->ranks > 1
                         ? vl_ranked_whole(s, "other_buffer", rank, 1, l->unit_count)
                         : NULL;
    for (size_t unit = 0; other != NULL && unit < l->unit_count; unit++)
        other[unit] = 1;
}

/* Where backward is told to add, and what it finds there. */
VL_ZERO_TRUTH(zero_where)
{
    const double *found =
        l->stage == 1 ? vl_scope_in(s, "gradients") : vl_scope_work(s, "nothing", l->count);
    size_t two = l->begin[l->unit_count - 2]; /* where the last two units begin */
    for (int rank = 0; !s->failed && rank < l->ranks; rank++) {
        int64_t *inside = vl_ranked_whole(s, "inside", rank, 1, l->unit_count), *where = inside;
        if (l->stage == 1)
            where = vl_ranked_whole(s, "where", rank, 1, l->unit_count);
        for (size_t unit = 0; !s->failed && unit < l->unit_count; unit++) {
            where[unit] = (int64_t)l->begin[unit];
            inside[unit] = 1;
        }
        takes_turns(s, l, rank);
        vl_zero_answer(s, l, "found", rank, 0, found);
        /* The two units visited first, once more: what their buffers held before is known. */
        vl_ranked_copy(s, "found_first", rank, found + two, 1, l->count - two);
    }
}

/* ---- parameters ---- */

/* The weights after the first loans: a loan shows what they are now. */
static const double *turned(struct vl_scope *s, const struct vl_zero_layout *l)
{
    const double *weights = vl_scope_in(s, "weights");
    double *now = vl_scope_work(s, "turned", l->count);
    for (size_t i = 0; now != NULL && i < l->count; i++)
        now[i] = -weights[i];
    return now;
}

/* What was read, and at stage 3 that one call too many is refused. */
static void borrowed(struct vl_scope *s, const struct vl_zero_layout *l, int rank,
                     const char *refused)
{
    vl_zero_answer(s, l, "borrowed", rank, 0, vl_scope_in(s, "weights"));
    if (l->stage == 3)
        vl_ranked_int(s, refused, rank, VL_EINVAL);
}

VL_ZERO_TRUTH(zero_borrow)
{
    const double *now = turned(s, l);
    for (int rank = 0; !s->failed && rank < l->ranks; rank++) {
        borrowed(s, l, rank, "third");
        vl_zero_answer(s, l, "borrowed_later", rank, 0, now);
        if (l->stage < 3) {
            vl_ranked_int(s, "at_home", rank, 1);
            vl_ranked_int(s, "sent_bytes", rank, 0);
        }
    }
}

VL_ZERO_TRUTH(zero_give_back)
{
    for (int rank = 0; rank < l->ranks; rank++) {
        borrowed(s, l, rank, "again");
        if (l->stage == 3 && l->ranks == 1)
            all_refused(s, "answers", rank, 2);
    }
}

/* Going up, a unit is fetched ahead and polls finish its gather: all units but the first. */
VL_ZERO_TRUTH(zero_prefetch)
{
    const struct vl_oracle_units fetched = {l->begin + 1, l->unit_count - 1, l->ranks};
    const double *now = turned(s, l);
    for (int rank = 0; !s->failed && rank < l->ranks; rank++) {
        size_t bytes = vl_oracle_gather_sent(&fetched, rank) * sizeof(float);
        vl_zero_answer(s, l, "up", rank, 0, vl_scope_in(s, "weights"));
        vl_zero_answer(s, l, "down", rank, 0, now);
        vl_ranked_int(s, "early_bytes", rank, l->stage == 3 ? bytes : 0);
        vl_ranked_int(s, "late_bytes", rank, 0);
        if (l->stage == 3)
            all_refused(s, "refused", rank, 2);
        if (l->stage == 3 && l->ranks == 1) {
            all_refused(s, "answers", rank, 2);
            vl_ranked_int(s, "ahead", rank, 0);
        }
    }
}

/* ---- the step ---- */

/* The toy with weights w, float32, in the order that is promised: the loss of the whole batch, and
 * what each pass adds on each rank, to 'local' (micro_batches, ranks, count). */
static double toy(float *local, const float *w, const struct vl_bag *inputs,
                  const struct vl_zero_layout *l)
{
    const float *a = vl_bag_f32(inputs, "a"), *t = vl_bag_f32(inputs, "t");
    double loss = 0; /* ranks in order, each with its micro-batches in order */
    for (size_t rank = 0, at = 0; rank < (size_t)l->ranks; rank++) {
        double own = 0;
        for (size_t k = 0; k < l->micro_batches; k++) {
            float *row = local + (k * (size_t)l->ranks + rank) * l->count;
            double part = 0;
            for (size_t i = 0; i < l->count; i++, at++) {
                float rest = w[i] - t[at];
                part += 0.5 * (double)a[at] * (double)rest * (double)rest;
                row[i] = a[at] * rest;
            }
            own += part;
        }
        loss += own;
    }
    return loss;
}

/* Arrays for a step; NULL without memory. */
struct stepping {
    float *w, *sums, *rows, *local;
    double *wide;
};

/* The loss and the norm of the batch with the scope's weights. */
static void pass(double *loss, double *norm, struct stepping *a, struct vl_scope *s,
                 const struct vl_zero_layout *l)
{
    const double *weights = vl_scope_in(s, "weights");
    for (size_t i = 0; i < l->count; i++)
        a->w[i] = (float)weights[i];
    memset(a->sums, 0, l->count * sizeof *a->sums);
    *loss = toy(a->local, a->w, s->inputs, l);
    reduce(a->sums, a->rows, l, a->local);
    *norm = vl_oracle_chunked_norm(&l->units, a->sums);
    for (size_t i = 0; i < l->count; i++)
        a->wide[i] = (double)a->sums[i];
}

/* What the last step reports and, unless only 'bits' count, what it leaves behind. */
static void stepped(struct vl_scope *s, const struct vl_zero_layout *l, int bits)
{
    size_t step = vl_scope_size(s, "step"), all = (size_t)l->ranks * l->count;
    size_t fails = vl_scope_size(s, "fails_at") + vl_scope_size(s, "backward_fails_at");
    int refused = vl_scope_refused(s, step == 0 || l->stage > 3, VL_EINVAL) ||
                  vl_scope_refused(s, fails > 0, VL_ENOMEM);
    struct stepping a = {floats(s, "rounded", l->count), floats(s, "summed", l->count),
                         floats(s, "rows", all), floats(s, "local", l->micro_batches * all),
                         vl_scope_work(s, "wide", l->count)};
    double loss = 0, norm = 0;
    if (s->failed || a.local == NULL)
        return;
    for (size_t done = 0; !s->failed && !refused && done < vl_scope_size(s, "steps"); done++) {
        pass(&loss, &norm, &a, s, l);
        vl_zero_adamw(s, a.wide, vl_oracle_clip(norm, vl_scope_real(s, "max_norm")), step + done);
    }
    for (int rank = 0; !s->failed && rank < l->ranks; rank++) {
        if (!bits)
            vl_zero_answer_state(s, l, rank);
        vl_ranked_int(s, "hooks_left", rank, 0);
        if (!refused) {
            vl_ranked_real(s, "loss", rank, loss);
            vl_ranked_real(s, "gradient_norm", rank, norm);
        }
    }
}

VL_ZERO_TRUTH(zero_step)
{
    stepped(s, l, 0);
}

VL_ZERO_TRUTH(zero_step_bits)
{
    stepped(s, l, 1);
}

/*
 * Bytes that one rank sends in a step of M micro-batches, U units, P ranks; S elements are outside
 * the rank's own chunks, A elements outside those of the next rank:
 *
 *   stage 1   4 (S + A)             gradients once, weights after the update
 *   stage 2   4 (M S + A)           gradients every micro-batch
 *   stage 3   4 (M S + 2 M A)       and weights for every forward and backward, none after
 *   all       + 8 U (P - 1)         the norm: one float64 per unit goes round
 *             + 8 (P - 1)           the loss: one float64 goes round
 */
static void traffic(struct vl_scope *s, const struct vl_zero_layout *l, const char *bytes)
{
    size_t reductions = l->stage == 1 ? 1 : l->micro_batches;
    size_t gathers = l->stage == 3 ? 2 * l->micro_batches : 1;
    for (int rank = 0; rank < l->ranks; rank++) {
        size_t elements = reductions * vl_oracle_scatter_sent(&l->units, rank) +
                          gathers * vl_oracle_gather_sent(&l->units, rank);
        size_t doubles = (l->unit_count + 1) * (size_t)(l->ranks - 1);
        size_t rings = (reductions + gathers + 1) * l->unit_count + 1;
        vl_ranked_int(s, bytes, rank, elements * sizeof(float) + doubles * sizeof(double));
        vl_ranked_int(s, VL_MOST_MESSAGES, rank, rings * (size_t)(l->ranks - 1));
    }
}

VL_ZERO_TRUTH(zero_traffic)
{
    traffic(s, l, "sent_bytes");
}

/* What can be early: all weights that are borrowed, but for the first unit of every forward and of
 * every backward. What is fetched twice makes more bytes than the units need. Units with fewer
 * elements than ranks are left out: some ranks have nothing to send of them. */
VL_ZERO_TRUTH(weights_ahead)
{
    size_t borrowed = 0, first = 0;
    for (size_t unit = 0; unit < l->unit_count; unit++) {
        size_t n = l->begin[unit + 1] - l->begin[unit];
        if (n < (size_t)l->ranks)
            continue;
        borrowed += 2 * n;
        first += unit == 0 || unit + 1 == l->unit_count ? n : 0;
    }
    for (int rank = 0; rank < l->ranks; rank++)
        vl_ranked_real(s, "early_share", rank, (double)(borrowed - first) / (double)borrowed);
    for (int rank = 0; rank < l->ranks; rank++)
        vl_ranked_int(s, "polls_left_out", rank, 0);
    traffic(s, l, VL_MOST_BYTES);
}
