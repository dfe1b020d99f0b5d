/*
 * What lab 04 must give where data moves: gradients into shards, parameters into lent buffers, and
 * the whole step. Sums are worked out in float32 in the order that vialata/collectives.h promises, so
 * they are compared bit by bit.
 */
#include "grade/catalogue/maker.h"
#include "grade/catalogue/scope.h"
#include "grade/labs/04_zero/zero.h"
#include "oracle/optimizer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- gradients ---- */

/* How many rows each rank has in 'local', or in 'a'. */
static size_t passes(const struct vl_bag *inputs, const struct vl_zero_layout *l)
{
    const struct vl_tensor_entry *local = vl_bag_find(inputs, "local");
    return local == NULL ? l->micro_batches : local->count / l->count / (size_t)l->ranks;
}

/* How often gradients are reduced: once per pass, but only once altogether at stage 1. */
static size_t reductions_of(const struct vl_bag *inputs, const struct vl_zero_layout *l)
{
    return l->stage == 1 ? 1 : passes(inputs, l);
}

/* What one pass adds to element i on one rank. */
static float added(const struct vl_bag *inputs, const struct vl_zero_layout *l, size_t pass,
                   size_t rank, size_t i)
{
    const float *local = vl_bag_f32(inputs, "local");
    if (local != NULL)
        return local[(pass * (size_t)l->ranks + rank) * l->count + i];
    size_t at = (rank * l->micro_batches + pass) * l->count + i;
    float rest = vl_bag_f32(inputs, "weights")[i] - vl_bag_f32(inputs, "t")[at];
    return vl_bag_f32(inputs, "a")[at] * rest;
}

/* What backward leaves in each rank's own gradients, (ranks, count): of one pass, or at stage 1 of
 * all of them, which add up where they are. NULL without memory; the caller frees. */
static float *pass_rows(const struct vl_bag *inputs, const struct vl_zero_layout *l, size_t pass)
{
    size_t first = l->stage == 1 ? 0 : pass;
    size_t end = l->stage == 1 ? passes(inputs, l) : pass + 1;
    float *rows = calloc((size_t)l->ranks * l->count, sizeof *rows);
    for (size_t k = first; rows != NULL && k < end; k++)
        for (size_t rank = 0; rank < (size_t)l->ranks; rank++)
            for (size_t i = 0; i < l->count; i++)
                rows[rank * l->count + i] += added(inputs, l, k, rank, i);
    return rows;
}

/* Add what all reductions bring to 'sums' (count). 0 without memory. */
static int reduce(float *sums, const struct vl_bag *inputs, const struct vl_zero_layout *l)
{
    for (size_t pass = 0; pass < reductions_of(inputs, l); pass++) {
        float *rows = pass_rows(inputs, l, pass);
        for (size_t i = 0; rows != NULL && i < l->count; i++)
            sums[i] += vl_oracle_ring_sum(&l->units, rows, l->count, i);
        free(rows);
        if (rows == NULL)
            return 0;
    }
    return 1;
}

/* What 'before' (count; NULL: zeros) and all reductions add up to, on every rank. Stage 1: the whole
 * array, of which only the rank's chunks count. Stages 2 and 3: the shard. */
static void reduced(struct vl_scope *s, const struct vl_zero_layout *l, const char *name, int shard,
                    const float *before)
{
    float *sums = calloc(l->count, sizeof *sums);
    double *whole = vl_scope_work(s, "whole", l->count);
    size_t unit;
    if (sums != NULL && before != NULL)
        memcpy(sums, before, l->count * sizeof *sums);
    s->failed |= sums == NULL || !reduce(sums, s->inputs, l);
    for (int rank = 0; !s->failed && rank < l->ranks; rank++) {
        for (size_t i = 0; i < l->count; i++)
            whole[i] = vl_oracle_owner(&l->units, i, &unit) == rank ? (double)sums[i] : (double)NAN;
        vl_zero_answer(s, l, name, rank, shard, whole);
    }
    free(sums);
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

/* Where backward is told to add, and what it finds there. */
VL_ZERO_TRUTH(zero_where)
{
    const double *before = vl_scope_in(s, "gradients"),
                 *nothing = vl_scope_work(s, "nothing", l->count);
    for (int rank = 0; !s->failed && rank < l->ranks; rank++) {
        int64_t *inside = vl_ranked_whole(s, "inside", rank, 1, l->unit_count);
        int64_t *where =
            l->stage == 1 ? vl_ranked_whole(s, "where", rank, 1, l->unit_count) : inside;
        for (size_t unit = 0; !s->failed && unit < l->unit_count; unit++) {
            where[unit] = (int64_t)l->begin[unit];
            inside[unit] = 1;
        }
        vl_zero_answer(s, l, "found", rank, 0, l->stage == 1 ? before : nothing);
        /* The two units visited first, once more: what their buffers contained is known. */
        size_t first = l->begin[l->unit_count - 2];
        double *lent = vl_ranked_out(s, "found_first", rank, 1, l->count - first);
        for (size_t i = first; lent != NULL && i < l->count; i++)
            lent[i - first] = l->stage == 1 ? before[i] : 0;
    }
}

/* ---- parameters ---- */

VL_ZERO_TRUTH(zero_borrow)
{
    for (int rank = 0; rank < l->ranks; rank++) {
        vl_zero_answer(s, l, "borrowed", rank, 0, vl_scope_in(s, "weights"));
        if (l->stage == 3) {
            vl_ranked_int(s, "third", rank, VL_EINVAL);
        } else {
            vl_ranked_int(s, "at_home", rank, 1);
            vl_ranked_int(s, "sent_bytes", rank, 0);
        }
    }
}

VL_ZERO_TRUTH(zero_give_back)
{
    for (int rank = 0; rank < l->ranks; rank++) {
        vl_zero_answer(s, l, "borrowed", rank, 0, vl_scope_in(s, "weights"));
        if (l->stage == 3)
            vl_ranked_int(s, "again", rank, VL_EINVAL);
    }
}

/* ---- the step ---- */

/* The toy, float32, in the order that is promised: the loss of the whole batch (NAN without memory),
 * and the sums of all gradients (count) as their owners have them. */
static double toy(float *sums, const struct vl_bag *inputs, const struct vl_zero_layout *l)
{
    const float *a = vl_bag_f32(inputs, "a"), *t = vl_bag_f32(inputs, "t"),
                *w = vl_bag_f32(inputs, "weights");
    double loss = 0; /* ranks in order, each with its micro-batches in order */
    for (size_t rank = 0, at = 0; rank < (size_t)l->ranks; rank++) {
        double own = 0;
        for (size_t k = 0; k < l->micro_batches; k++) {
            double part = 0;
            for (size_t i = 0; i < l->count; i++, at++) {
                float rest = w[i] - t[at];
                part += 0.5 * (double)a[at] * (double)rest * (double)rest;
            }
            own += part;
        }
        loss += own;
    }
    return sums != NULL && reduce(sums, inputs, l) ? loss : (double)NAN;
}

/* What the step reports, and unless it is only about 'bits', what it leaves behind. */
static void stepped(struct vl_scope *s, const struct vl_zero_layout *l, int bits)
{
    float *sums = calloc(l->count, sizeof *sums);
    double *wide = vl_scope_work(s, "wide", l->count), loss = toy(sums, s->inputs, l), norm = 0;
    int fails = vl_scope_size(s, "fails_at") != 0;
    s->failed |= isnan(loss);
    if (fails)
        vl_scope_status(s, VL_ENOMEM);
    for (size_t i = 0; !s->failed && i < l->count; i++)
        wide[i] = (double)sums[i];
    if (!s->failed)
        norm = vl_oracle_chunked_norm(&l->units, sums);
    if (!s->failed && !fails)
        vl_zero_adamw(s, l, wide, vl_oracle_clip(norm, vl_scope_real(s, "max_norm")));
    for (int rank = 0; !s->failed && rank < l->ranks; rank++) {
        if (!bits)
            vl_zero_answer_state(s, l, rank);
        if (!fails) {
            vl_ranked_real(s, "loss", rank, loss);
            vl_ranked_real(s, "gradient_norm", rank, norm);
        }
    }
    free(sums);
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
VL_ZERO_TRUTH(zero_traffic)
{
    for (int rank = 0; rank < l->ranks; rank++) {
        size_t gathers = l->stage == 3 ? 2 * l->micro_batches : 1;
        size_t elements = reductions_of(s->inputs, l) * vl_oracle_scatter_sent(&l->units, rank) +
                          gathers * vl_oracle_gather_sent(&l->units, rank);
        size_t doubles = (l->unit_count + 1) * (size_t)(l->ranks - 1);
        vl_ranked_int(s, "sent_bytes", rank, elements * sizeof(float) + doubles * sizeof(double));
    }
}
