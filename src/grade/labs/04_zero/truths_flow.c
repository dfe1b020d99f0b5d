/*
 * What lab 04 must give where things flow: gradients into shards, parameters into rooms, and the
 * whole step. Sums are worked out in float32 in the order that vialata/collectives.h promises, so
 * they are compared bit by bit.
 */
#include "grade/catalogue/maker.h"
#include "grade/catalogue/scope.h"
#include "grade/labs/04_zero/zero.h"
#include "oracle/optimizer.h"

#include <math.h>
#include <stdlib.h>

/* ---- gradients ---- */

/* How many rows a rank has in 'local', or in 'a'. */
static size_t passes(const struct vl_bag *inputs, const struct vl_zero_layout *l)
{
    const struct vl_tensor_entry *local = vl_bag_find(inputs, "local");
    return local == NULL ? l->micro_batches : local->count / l->count / (size_t)l->ranks;
}

size_t vl_zero_reductions(const struct vl_bag *inputs, const struct vl_zero_layout *layout)
{
    return layout->stage == 1 ? 1 : passes(inputs, layout);
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

float *vl_zero_pass_rows(const struct vl_bag *inputs, const struct vl_zero_layout *layout,
                         size_t pass)
{
    size_t first = layout->stage == 1 ? 0 : pass;
    size_t end = layout->stage == 1 ? passes(inputs, layout) : pass + 1;
    float *rows = calloc((size_t)layout->ranks * layout->count, sizeof *rows);
    for (size_t k = first; rows != NULL && k < end; k++)
        for (size_t rank = 0; rank < (size_t)layout->ranks; rank++)
            for (size_t i = 0; i < layout->count; i++)
                rows[rank * layout->count + i] += added(inputs, layout, k, rank, i);
    return rows;
}

/* Add what all reductions bring to 'sums' (count). 0 without memory. */
static int reduce(float *sums, const struct vl_bag *inputs, const struct vl_zero_layout *l)
{
    struct vl_oracle_units units = vl_zero_units(l);
    for (size_t pass = 0; pass < vl_zero_reductions(inputs, l); pass++) {
        float *rows = vl_zero_pass_rows(inputs, l, pass);
        for (size_t i = 0; rows != NULL && i < l->count; i++)
            sums[i] += vl_oracle_ring_sum(&units, rows, l->count, i);
        free(rows);
        if (rows == NULL)
            return 0;
    }
    return 1;
}

/* Stage 1: the whole array, of which only the own chunks count. Stages 2 and 3: the shard. */
static void answer_gradients(struct vl_scope *s, const struct vl_zero_layout *l, const char *name,
                             int rank, int shard, const float *sums)
{
    struct vl_oracle_units units = vl_zero_units(l);
    double *whole = calloc(l->count, sizeof *whole);
    size_t unit;
    s->failed |= whole == NULL;
    for (size_t i = 0; whole != NULL && i < l->count; i++)
        whole[i] = vl_oracle_owner(&units, i, &unit) == rank ? (double)sums[i] : (double)NAN;
    if (whole != NULL)
        vl_zero_answer(s, l, name, rank, shard, whole);
    free(whole);
}

VL_TRUTH(zero_sums)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    struct vl_zero_layout l = vl_zero_layout_read(inputs);
    const float *before = vl_bag_f32(inputs, "gradients");
    float *sums = calloc(l.count, sizeof *sums);
    for (size_t i = 0; sums != NULL && l.stage > 1 && i < l.count; i++)
        sums[i] = before[i];
    s.failed |= sums == NULL || !reduce(sums, inputs, &l);
    for (int rank = 0; !s.failed && rank < l.ranks; rank++)
        answer_gradients(&s, &l, "gradients", rank, l.stage > 1, sums);
    free(sums);
    return vl_scope_end(&s);
}

/* At stage 1 a chunk is summed where it lies: polls alone must get it there. */
VL_TRUTH(zero_early)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    struct vl_zero_layout l = vl_zero_layout_read(inputs);
    float *sums = calloc(l.count, sizeof *sums);
    s.failed |= sums == NULL || !reduce(sums, inputs, &l);
    for (int rank = 0; !s.failed && rank < l.ranks; rank++)
        answer_gradients(&s, &l, "early", rank, 1, sums);
    free(sums);
    return vl_scope_end(&s);
}

/* Where backward is sent, and what it finds there. */
VL_TRUTH(zero_room)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    struct vl_zero_layout l = vl_zero_layout_read(inputs);
    if (s.failed)
        return vl_scope_end(&s);
    const double *before = vl_scope_in(&s, "gradients");
    const double *nothing = vl_scope_work(&s, "nothing", l.count);
    for (int rank = 0; !s.failed && rank < l.ranks; rank++) {
        int64_t *inside = vl_ranked_whole(&s, "inside", rank, 1, l.unit_count);
        int64_t *where =
            l.stage == 1 ? vl_ranked_whole(&s, "where", rank, 1, l.unit_count) : inside;
        for (size_t unit = 0; !s.failed && unit < l.unit_count; unit++) {
            where[unit] = (int64_t)l.begin[unit];
            inside[unit] = 1;
        }
        vl_zero_answer(&s, &l, "found", rank, 0, l.stage == 1 ? before : nothing);
        /* The two units visited first once more: what lay in their rooms is known. */
        size_t first = l.begin[l.unit_count - 2];
        double *rooms = vl_ranked_out(&s, "found_first", rank, 1, l.count - first);
        for (size_t i = first; rooms != NULL && i < l.count; i++)
            rooms[i - first] = l.stage == 1 ? before[i] : 0;
    }
    return vl_scope_end(&s);
}

/* ---- parameters ---- */

VL_TRUTH(zero_borrow)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    struct vl_zero_layout l = vl_zero_layout_read(inputs);
    for (int rank = 0; !s.failed && rank < l.ranks; rank++) {
        vl_zero_answer(&s, &l, "borrowed", rank, 0, vl_scope_in(&s, "weights"));
        if (l.stage == 3) {
            vl_ranked_int(&s, "third", rank, VL_EINVAL);
        } else {
            vl_ranked_int(&s, "at_home", rank, 1);
            vl_ranked_int(&s, "sent_bytes", rank, 0);
        }
    }
    return vl_scope_end(&s);
}

VL_TRUTH(zero_give_back)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    struct vl_zero_layout l = vl_zero_layout_read(inputs);
    for (int rank = 0; !s.failed && rank < l.ranks; rank++) {
        vl_zero_answer(&s, &l, "borrowed", rank, 0, vl_scope_in(&s, "weights"));
        if (l.stage == 3)
            vl_ranked_int(&s, "again", rank, VL_EINVAL);
    }
    return vl_scope_end(&s);
}

/* ---- the step ---- */

double vl_zero_toy(float *sums, const struct vl_bag *inputs, const struct vl_zero_layout *layout)
{
    const float *a = vl_bag_f32(inputs, "a"), *t = vl_bag_f32(inputs, "t"),
                *w = vl_bag_f32(inputs, "weights");
    double loss = 0; /* ranks in order, each with its micro-batches in order */
    for (size_t rank = 0, at = 0; rank < (size_t)layout->ranks; rank++) {
        double own = 0;
        for (size_t k = 0; k < layout->micro_batches; k++) {
            double part = 0;
            for (size_t i = 0; i < layout->count; i++, at++) {
                float rest = w[i] - t[at];
                part += 0.5 * (double)a[at] * (double)rest * (double)rest;
            }
            own += part;
        }
        loss += own;
    }
    return reduce(sums, inputs, layout) ? loss : NAN;
}

VL_TRUTH(zero_step)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    struct vl_zero_layout l = vl_zero_layout_read(inputs);
    struct vl_oracle_units units = vl_zero_units(&l);
    float *sums = calloc(l.count, sizeof *sums);
    double *wide = vl_scope_work(&s, "wide", l.count);
    double loss = sums != NULL ? vl_zero_toy(sums, inputs, &l) : (double)NAN;
    s.failed |= isnan(loss);
    if (!s.failed) {
        double norm = vl_oracle_chunked_norm(&units, sums);
        double *w = vl_scope_in(&s, "weights"), *m = vl_scope_in(&s, "m"),
               *v = vl_scope_in(&s, "v");
        for (size_t i = 0; i < l.count; i++)
            wide[i] = (double)sums[i];
        int fails = vl_bag_int(inputs, "fails_at") != 0;
        if (!fails)
            vl_zero_adamw(w, m, v, wide, inputs, &l,
                          vl_oracle_clip(norm, vl_scope_real(&s, "max_norm")), vl_zero_decays);
        else
            s.failed |= !vl_bag_set_int(expected, "status", VL_ENOMEM);
        for (int rank = 0; rank < l.ranks; rank++) {
            vl_zero_answer(&s, &l, "weights", rank, l.stage == 3, w);
            vl_zero_answer(&s, &l, "m", rank, 1, m);
            vl_zero_answer(&s, &l, "v", rank, 1, v);
            if (fails)
                continue;
            vl_ranked_real(&s, "loss", rank, loss);
            vl_ranked_real(&s, "gradient_norm", rank, norm);
        }
    }
    free(sums);
    return vl_scope_end(&s);
}

VL_TRUTH(zero_step_bits)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    struct vl_zero_layout l = vl_zero_layout_read(inputs);
    struct vl_oracle_units units = vl_zero_units(&l);
    float *sums = calloc(l.count, sizeof *sums);
    double loss = sums != NULL ? vl_zero_toy(sums, inputs, &l) : (double)NAN;
    s.failed |= isnan(loss);
    for (int rank = 0; !s.failed && rank < l.ranks; rank++) {
        vl_ranked_real(&s, "loss", rank, loss);
        vl_ranked_real(&s, "gradient_norm", rank, vl_oracle_chunked_norm(&units, sums));
    }
    free(sums);
    return vl_scope_end(&s);
}

/*
 * Bytes a rank sends in one step of M micro-batches, S = elements outside its own chunks, A = those
 * outside the next rank's, U units, P ranks:
 *
 *   stage 1   4 (S + A)             gradients once, weights after the update
 *   stage 2   4 (M S + A)           gradients every micro-batch
 *   stage 3   4 (M S + 2 M A)       and weights for every forward and backward, none after
 *   all       + 8 U (P - 1)         the norm: one float64 a unit goes round
 *             + 8 (P - 1)           the loss: one float64 goes round
 */
VL_TRUTH(zero_traffic)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    struct vl_zero_layout l = vl_zero_layout_read(inputs);
    struct vl_oracle_units units = vl_zero_units(&l);
    for (int rank = 0; rank < l.ranks; rank++) {
        size_t reductions = vl_zero_reductions(inputs, &l);
        size_t gathers = l.stage == 3 ? 2 * l.micro_batches : 1;
        size_t elements = reductions * vl_oracle_scatter_sent(&units, rank) +
                          gathers * vl_oracle_gather_sent(&units, rank);
        size_t doubles = (l.unit_count + 1) * (size_t)(l.ranks - 1);
        vl_ranked_int(&s, "sent_bytes", rank, elements * sizeof(float) + doubles * sizeof(double));
    }
    return vl_scope_end(&s);
}
