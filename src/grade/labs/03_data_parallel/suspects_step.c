/*
 * Known wrong answers of lab 03: the step of a replica.
 */
#include "base/text.h"
#include "grade/catalogue/maker.h"
#include "grade/catalogue/mistake.h"
#include "grade/labs/03_data_parallel/data_parallel.h"
#include "oracle/optimizer.h"

#include <string.h>

enum step_mistake {
    AVERAGED,
    ALL_AVERAGED,
    LOSS_AVERAGED,
    NOT_REDUCED,
    LOSS_OWN,
    NOTHING_SHARED,
    OWN_ROWS,
    ALL_OWN_ROWS,
    EVERY_MICRO_BATCH,
    NOT_CLEARED,
    LOCAL_NORM,
    CLIPPED_FIRST,
    NOT_CLIPPED,
    NORM_AFTER,
    DECAY_ON_ALL,
    LAST_BUCKET_OWN,
    LAST_MICRO_BATCH,
    HOOKS_LEFT
};

/* What a replica has after forward and backward, before anything is sent. */
struct replica {
    double *own; /* (count) gradients of its own micro-batches, as the mistake has them */
    double loss;
    size_t first, micro;
};

static struct replica replica_of(struct vl_scope *s, const struct vl_bag *inputs, int rank,
                                 enum step_mistake mistake)
{
    char name[VL_RANKED_NAME];
    size_t count = vl_scope_size(s, "count");
    struct replica replica = {.micro = (size_t)vl_bag_i32(inputs, "micro")[rank]};
    for (int r = 0; r < rank; r++)
        replica.first += (size_t)vl_bag_i32(inputs, "micro")[r];
    replica.own = vl_scope_work(s, vl_ranked(name, "own", rank), count);
    if (!replica.own)
        return replica;
    for (size_t k = 0; k < replica.micro; k++) {
        if (mistake == LAST_MICRO_BATCH)
            memset(replica.own, 0, count * sizeof *replica.own);
        replica.loss += vl_toy_loss(replica.own, s->wide, replica.first + k);
    }
    for (size_t i = 0; i < count; i++) {
        if (mistake == NOT_CLEARED)
            replica.own[i] += vl_scope_in(s, "own_gradients")[(size_t)rank * count + i];
        if ((mistake == OWN_ROWS || mistake == ALL_OWN_ROWS) && replica.micro > 0)
            replica.own[i] /= (double)replica.micro;
    }
    double clip =
        vl_oracle_clip(vl_oracle_gradient_norm(replica.own, count), vl_scope_real(s, "max_norm"));
    for (size_t i = 0; mistake == CLIPPED_FIRST && i < count; i++)
        replica.own[i] *= clip;
    if (mistake == ALL_OWN_ROWS && replica.micro > 0)
        replica.loss /= (double)replica.micro;
    return replica;
}

/* Summed in place after each micro-batch: what was summed once is summed again. */
static void sum_again(double *sum, const struct vl_scope *s, const struct vl_bag *inputs, int ranks)
{
    size_t count = vl_scope_size(s, "count"), first = 0;
    size_t micro = (size_t)vl_bag_i32(inputs, "micro")[0];
    memset(sum, 0, count * sizeof *sum);
    for (size_t k = 0; k < micro; k++) {
        for (size_t i = 0; i < count; i++)
            sum[i] *= ranks;
        first = 0;
        for (int r = 0; r < ranks; r++) {
            size_t own = (size_t)vl_bag_i32(inputs, "micro")[r];
            if (k < own)
                vl_toy_loss(sum, s->wide, first + k);
            first += own;
        }
    }
}

/* The gradients that rank 'rank' goes on with. */
static void reduced(double *gradients, const struct vl_scope *s, const struct vl_bag *inputs,
                    const double *sum, const double *own, enum step_mistake mistake)
{
    size_t count = vl_scope_size(s, "count"), last = vl_last_bucket(inputs);
    double ranks = vl_replicas_of(inputs);
    for (size_t i = 0; i < count; i++) {
        gradients[i] = sum[i];
        if (mistake == AVERAGED || mistake == ALL_AVERAGED)
            gradients[i] /= ranks;
        if (mistake == NOT_REDUCED || mistake == NOTHING_SHARED)
            gradients[i] = own[i];
        if (mistake == LAST_BUCKET_OWN && i < last)
            gradients[i] = own[i];
    }
}

static double shown_loss(double all, double own, int ranks, enum step_mistake mistake)
{
    if (mistake == LOSS_OWN || mistake == NOTHING_SHARED)
        return own;
    return mistake == ALL_AVERAGED || mistake == LOSS_AVERAGED ? all / ranks : all;
}

static void update(struct vl_scope *s, const struct vl_bag *inputs, int rank, double *gradients,
                   const double *own, double loss, enum step_mistake mistake)
{
    size_t count = vl_scope_size(s, "count");
    double *w = vl_ranked_out(s, "weights", rank, 1, count),
           *m = vl_ranked_out(s, "m", rank, 1, count), *v = vl_ranked_out(s, "v", rank, 1, count),
           *out = vl_ranked_out(s, "loss", rank, 1, 1),
           *norm = vl_ranked_out(s, "gradient_norm", rank, 1, 1);
    vl_ranked_int(s, "hooks_left", rank, mistake == HOOKS_LEFT);
    if (s->failed)
        return;
    memcpy(w, vl_scope_in(s, "weights"), count * sizeof *w);
    memcpy(m, vl_scope_in(s, "m"), count * sizeof *m);
    memcpy(v, vl_scope_in(s, "v"), count * sizeof *v);
    *out = loss;
    *norm = vl_oracle_gradient_norm(mistake == LOCAL_NORM ? own : gradients, count);
    double scale = vl_oracle_clip(*norm, vl_scope_real(s, "max_norm"));
    if (mistake == NOT_CLIPPED)
        scale = 1;
    vl_toy_update(w, m, v, gradients, inputs, scale, mistake == DECAY_ON_ALL);
    if (mistake == NORM_AFTER)
        *norm *= scale;
}

static enum vl_status step(struct vl_bag *wrong, const struct vl_bag *inputs,
                           enum step_mistake mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    struct replica replica[16] = {{0}};
    int ranks = vl_replicas_of(inputs);
    size_t count = vl_scope_size(&s, "count");
    double *sum = vl_scope_work(&s, "sum", count), *gradients = vl_scope_work(&s, "taken", count);
    double loss = 0;
    for (int r = 0; !s.failed && r < ranks && r < 16; r++) {
        replica[r] = replica_of(&s, inputs, r, mistake);
        loss += replica[r].loss;
        for (size_t i = 0; !s.failed && i < count; i++)
            sum[i] += replica[r].own[i];
    }
    if (!s.failed && mistake == EVERY_MICRO_BATCH)
        sum_again(sum, &s, inputs, ranks);
    for (int r = 0; !s.failed && r < ranks && r < 16; r++) {
        reduced(gradients, &s, inputs, sum, replica[r].own, mistake);
        update(&s, inputs, r, gradients, replica[r].own,
               shown_loss(loss, replica[r].loss, ranks, mistake), mistake);
    }
    return vl_scope_end(&s);
}

MISTAKE(step, AVERAGED)
MISTAKE(step, ALL_AVERAGED)
MISTAKE(step, LOSS_AVERAGED)
MISTAKE(step, NOT_REDUCED)
MISTAKE(step, LOSS_OWN)
MISTAKE(step, NOTHING_SHARED)
MISTAKE(step, OWN_ROWS)
MISTAKE(step, ALL_OWN_ROWS)
MISTAKE(step, EVERY_MICRO_BATCH)
MISTAKE(step, NOT_CLEARED)
MISTAKE(step, LOCAL_NORM)
MISTAKE(step, CLIPPED_FIRST)
MISTAKE(step, NOT_CLIPPED)
MISTAKE(step, NORM_AFTER)
MISTAKE(step, DECAY_ON_ALL)
MISTAKE(step, LAST_BUCKET_OWN)
MISTAKE(step, LAST_MICRO_BATCH)
MISTAKE(step, HOOKS_LEFT)

#define NO_DIVISION                                                                                \
    N_("There is a division by the number of replicas; losses are scaled by all tokens of the "    \
       "batch already, so they and their gradients are only summed.")
#define NO_SUM N_("Each replica still has its own gradients: they are summed over all replicas.")
#define NO_ROWS                                                                                    \
    N_("A replica's part is divided by its own number of micro-batches: then replicas with few "   \
       "rows weigh as much as those with many. Parts are only summed.")

const struct vl_suspect vl_suspects_replica_step[] = {
    {"averaged", NO_DIVISION, step_AVERAGED},
    {"averaged", NO_DIVISION, step_ALL_AVERAGED},
    {"averaged", NO_DIVISION, step_LOSS_AVERAGED},
    {"not_reduced", NO_SUM, step_NOT_REDUCED},
    {"not_reduced", NO_SUM, step_NOTHING_SHARED},
    {"loss_not_summed",
     N_("The loss is that of the replica's own rows: it is summed over all replicas."),
     step_LOSS_OWN},
    {"mean_of_means", NO_ROWS, step_OWN_ROWS},
    {"mean_of_means", NO_ROWS, step_ALL_OWN_ROWS},
    {"reduced_every_micro_batch",
     N_("Gradients are summed over the replicas after each micro-batch, so that earlier ones "
        "count several times: it is done once, after the last."),
     step_EVERY_MICRO_BATCH},
    {"gradients_not_zeroed",
     N_("The gradients of the step before are still in the sum: set them to zero first."),
     step_NOT_CLEARED},
    {"local_norm",
     N_("The norm is that of a replica's own gradients: it is taken after they are summed."),
     step_LOCAL_NORM},
    {"clipped_before_sum",
     N_("Each replica clips its own gradients before they are summed: clipping comes after."),
     step_CLIPPED_FIRST},
    {"not_clipped", N_("The gradients are not clipped to max_norm."), step_NOT_CLIPPED},
    {"norm_after_clipping", N_("The norm that is reported was taken after clipping."),
     step_NORM_AFTER},
    {"decay_on_all",
     N_("Weight decay is applied to every tensor; only those with 'decays' get it."),
     step_DECAY_ON_ALL},
    {"last_bucket_left", N_("The last bucket is not summed: unit 0 closes it."),
     step_LAST_BUCKET_OWN},
    {"last_micro_batch_only", N_("Only the last micro-batch's gradients are in the sum."),
     step_LAST_MICRO_BATCH},
    {"hooks_left",
     N_("The hooks still hang in the learner after the step: take them off behind the last "
        "backward."),
     step_HOOKS_LEFT},
    NO_MORE_SUSPECTS};

/* All numbers are near enough, but not the same everywhere. */
static enum vl_status bits(struct vl_bag *wrong, const struct vl_bag *inputs, int apart)
{
    enum vl_status status = vl_truth_replica_step(wrong, inputs);
    for (int r = 0; status == VL_OK && r < vl_replicas_of(inputs); r++) {
        char name[VL_RANKED_NAME];
        if (!vl_bag_set_int(wrong, vl_ranked(name, "ranks_apart", r), apart))
            status = VL_ENOMEM;
    }
    return status;
}

enum { APART = 1 };
MISTAKE(bits, APART)

const struct vl_suspect vl_suspects_replica_bits[] = {
    {"ranks_apart",
     N_("The numbers are right, but replicas differ in some bits, and in time they would drift "
        "apart: every sum needs the same order on every rank."),
     bits_APART},
    NO_MORE_SUSPECTS};
