/*
 * Known wrong answers of lab 04: the step, and what it sends.
 */
#include "base/text.h"
#include "grade/catalogue/mistake.h"
#include "grade/labs/04_zero/zero.h"
#include "oracle/optimizer.h"

#include <stdlib.h>
#include <string.h>

/* ---- the step ---- */

enum step_mistake {
    NOT_CLIPPED,
    NOT_CLEARED,
    AVERAGED_RANKS,
    AVERAGED_BATCHES,
    LOSS_OWN,
    DECAY_ON_ALL,
    NOT_GATHERED,
    LAST_MICRO_BATCH,
    UPDATE_MISSING,
    SCALED_UP
};

static int always(const struct vl_zero_layout *l, size_t i)
{
    (void)l, (void)i;
    return 1;
}

/* A rank's own loss. */
static double own_loss(const struct vl_bag *inputs, const struct vl_zero_layout *l, int rank)
{
    const float *a = vl_bag_f32(inputs, "a"), *t = vl_bag_f32(inputs, "t"),
                *w = vl_bag_f32(inputs, "weights");
    size_t n = l->micro_batches * l->count, first = (size_t)rank * n;
    double loss = 0;
    for (size_t k = 0; k < n; k++) {
        double rest = (double)(w[k % l->count] - t[first + k]);
        loss += 0.5 * (double)a[first + k] * rest * rest;
    }
    return loss;
}

/* The sums as this mistake has them. */
static int wrong_sums(double *wide, const struct vl_bag *inputs, const struct vl_zero_layout *l,
                      enum step_mistake mistake)
{
    struct vl_oracle_units units = vl_zero_units(l);
    const float *before = vl_bag_f32(inputs, "gradients");
    struct vl_zero_layout passwise = *l;
    passwise.stage = 2; /* rows of one micro-batch, at stage 1 too */
    for (size_t k = 0; k < l->micro_batches; k++) {
        float *rows = vl_zero_pass_rows(inputs, &passwise, k);
        for (size_t i = 0; rows != NULL && i < l->count; i++)
            if (mistake != LAST_MICRO_BATCH || k + 1 == l->micro_batches)
                wide[i] += (double)vl_oracle_ring_sum(&units, rows, l->count, i);
        free(rows);
        if (rows == NULL)
            return 0;
    }
    for (size_t i = 0; i < l->count; i++) {
        if (mistake == NOT_CLEARED)
            wide[i] += (double)before[i] * (l->stage == 1 ? l->ranks : 1);
        if (mistake == AVERAGED_RANKS)
            wide[i] /= l->ranks;
        if (mistake == AVERAGED_BATCHES)
            wide[i] /= (double)l->micro_batches;
    }
    return 1;
}

static enum vl_status step(struct vl_bag *wrong, const struct vl_bag *inputs,
                           enum step_mistake mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    struct vl_zero_layout l = vl_zero_layout_read(inputs);
    struct vl_oracle_units units = vl_zero_units(&l);
    double *wide = vl_scope_work(&s, "wide", l.count), *seen = vl_scope_work(&s, "seen", l.count);
    s.failed |= s.failed || !wrong_sums(wide, inputs, &l, mistake);
    if (s.failed)
        return vl_scope_end(&s);
    double *w = vl_scope_in(&s, "weights"), *m = vl_scope_in(&s, "m"), *v = vl_scope_in(&s, "v");
    double norm = vl_oracle_gradient_norm(wide, l.count), limit = vl_scope_real(&s, "max_norm");
    double scale = mistake == NOT_CLIPPED ? 1 : vl_oracle_clip(norm, limit), loss = 0;
    if (mistake == SCALED_UP && limit > 0)
        scale = limit / norm;
    memcpy(seen, w, l.count * sizeof *seen);
    if (mistake != UPDATE_MISSING)
        vl_zero_adamw(w, m, v, wide, inputs, &l, scale,
                      mistake == DECAY_ON_ALL ? always : vl_zero_decays);
    for (int rank = 0; rank < l.ranks; rank++)
        loss += own_loss(inputs, &l, rank);
    if (mistake == AVERAGED_RANKS)
        loss /= l.ranks;
    for (int rank = 0; rank < l.ranks; rank++) {
        const float *before = vl_bag_f32(inputs, "weights");
        size_t unit;
        for (size_t i = 0; i < l.count; i++) {
            int stays = mistake == NOT_GATHERED && vl_oracle_owner(&units, i, &unit) != rank;
            seen[i] = stays ? (double)before[i] : w[i];
        }
        vl_zero_answer(&s, &l, "weights", rank, l.stage == 3, seen);
        vl_zero_answer(&s, &l, "m", rank, 1, m);
        vl_zero_answer(&s, &l, "v", rank, 1, v);
        vl_ranked_real(&s, "gradient_norm", rank, norm);
        if (mistake != AVERAGED_RANKS)
            vl_ranked_real(&s, "loss", rank,
                           mistake == LOSS_OWN ? own_loss(inputs, &l, rank) : loss);
    }
    return vl_scope_end(&s);
}

MISTAKE(step, NOT_CLIPPED)
MISTAKE(step, NOT_CLEARED)
MISTAKE(step, AVERAGED_RANKS)
MISTAKE(step, AVERAGED_BATCHES)
MISTAKE(step, LOSS_OWN)
MISTAKE(step, DECAY_ON_ALL)
MISTAKE(step, NOT_GATHERED)
MISTAKE(step, LAST_MICRO_BATCH)
MISTAKE(step, UPDATE_MISSING)
MISTAKE(step, SCALED_UP)

/* The loss alone; norms of the last bits. */
static enum vl_status loss_own(struct vl_bag *wrong, const struct vl_bag *inputs,
                               const struct vl_bag *expected)
{
    (void)expected;
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    struct vl_zero_layout l = vl_zero_layout_read(inputs);
    for (int rank = 0; rank < l.ranks; rank++)
        vl_ranked_real(&s, "loss", rank, own_loss(inputs, &l, rank));
    return vl_scope_end(&s);
}

const struct vl_suspect vl_suspects_zero_step[] = {
    {"loss_of_own_rows", N_("The loss is that of this rank's own rows; add up those of all ranks."),
     step_LOSS_OWN},
    {"not_clipped", N_("The gradients are not clipped to max_norm."), step_NOT_CLIPPED},
    {"scaled_up", N_("Small gradients are scaled up to max_norm; the scale is at most 1."),
     step_SCALED_UP},
    {"gradients_not_zeroed",
     N_("The gradients of the step before are still in the sum: set them to zero first."),
     step_NOT_CLEARED},
    {"averaged",
     N_("The gradients are divided by the number of ranks; they carry the scale of the whole batch "
        "already."),
     step_AVERAGED_RANKS},
    {"averaged",
     N_("The micro-batches are averaged; they already carry the scale of the whole batch, so they "
        "are added."),
     step_AVERAGED_BATCHES},
    {"decay_on_all",
     N_("Weight decay is applied to every tensor; only those with 'decays' get it."),
     step_DECAY_ON_ALL},
    {"weights_not_gathered",
     N_("Each rank has new weights in its own chunks only: at stages 1 and 2 all-gather every "
        "unit."),
     step_NOT_GATHERED},
    {"last_micro_batch_only", N_("Only the last micro-batch's gradients are in the sum."),
     step_LAST_MICRO_BATCH},
    {"not_updated", N_("The weights are as before: the update is missing."), step_UPDATE_MISSING},
    NO_MORE_SUSPECTS};

const struct vl_suspect vl_suspects_zero_step_bits[] = {
    {"loss_of_own_rows", N_("The loss is that of this rank's own rows; add up those of all ranks."),
     loss_own},
    NO_MORE_SUSPECTS};

/* ---- traffic ---- */

enum traffic_mistake {
    EVERY_MICRO_BATCH,
    ONCE_A_STEP,
    ALL_REDUCED,
    GATHERED_ONCE,
    GATHERED_AFTER_UPDATE,
    NOT_SCATTERED,
    NO_GATHER
};

static enum vl_status traffic(struct vl_bag *wrong, const struct vl_bag *inputs,
                              enum traffic_mistake mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    struct vl_zero_layout l = vl_zero_layout_read(inputs);
    struct vl_oracle_units units = vl_zero_units(&l);
    size_t batches = l.micro_batches, reductions = l.stage == 1 ? 1 : batches;
    size_t gathers = l.stage == 3 ? 2 * batches : 1;
    if (mistake == EVERY_MICRO_BATCH)
        reductions = batches;
    if (mistake == ONCE_A_STEP)
        reductions = 1;
    if (mistake == ALL_REDUCED)
        gathers += reductions;
    if (mistake == GATHERED_ONCE && l.stage == 3)
        gathers = batches;
    if (mistake == GATHERED_AFTER_UPDATE && l.stage == 3)
        gathers += 1;
    if (mistake == NOT_SCATTERED)
        reductions = 0;
    if (mistake == NO_GATHER)
        gathers = 0;
    for (int rank = 0; rank < l.ranks; rank++) {
        size_t elements = reductions * vl_oracle_scatter_sent(&units, rank) +
                          gathers * vl_oracle_gather_sent(&units, rank);
        size_t doubles = (l.unit_count + 1) * (size_t)(l.ranks - 1);
        vl_ranked_int(&s, "sent_bytes", rank, elements * sizeof(float) + doubles * sizeof(double));
    }
    return vl_scope_end(&s);
}

MISTAKE(traffic, EVERY_MICRO_BATCH)
MISTAKE(traffic, ONCE_A_STEP)
MISTAKE(traffic, ALL_REDUCED)
MISTAKE(traffic, GATHERED_ONCE)
MISTAKE(traffic, GATHERED_AFTER_UPDATE)
MISTAKE(traffic, NOT_SCATTERED)
MISTAKE(traffic, NO_GATHER)

const struct vl_suspect vl_suspects_zero_traffic[] = {
    {"reduced_every_micro_batch",
     N_("Gradients are sent for every micro-batch; stage 1 keeps them whole, so once a step is "
        "enough."),
     traffic_EVERY_MICRO_BATCH},
    {"reduced_once",
     N_("Gradients are sent once a step; from stage 2 on there is no room to add up whole ones."),
     traffic_ONCE_A_STEP},
    {"all_reduced",
     N_("Gradients take two rings, as in an all-reduce; a rank needs its own chunk only, so a "
        "reduce-scatter does."),
     traffic_ALL_REDUCED},
    {"gathered_once",
     N_("The weights are gathered once a micro-batch; they are given back after forward and "
        "gathered again for backward."),
     traffic_GATHERED_ONCE},
    {"gathered_after_update",
     N_("At stage 3 the weights are gathered after the update too; nobody keeps them."),
     traffic_GATHERED_AFTER_UPDATE},
    {"nothing_reduced", N_("The gradients are not sent at all."), traffic_NOT_SCATTERED},
    {"nothing_gathered", N_("The weights are not sent at all."), traffic_NO_GATHER},
    NO_MORE_SUSPECTS};
