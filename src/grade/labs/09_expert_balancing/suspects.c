/*
 * Known wrong answers of lab 09: counts that are not everybody's, and the bias.
 */
#include "base/text.h"
#include "grade/catalogue/maker.h"
#include "grade/catalogue/mistake.h"
#include "grade/catalogue/scope.h"
#include "grade/labs/09_expert_balancing/expert_balancing.h"

#include <math.h>
#include <string.h>

/* ---- counts of all ranks ---- */

enum reduce_mistake {
    NOT_REDUCED,
    REDUCED_TWICE,
    MEAN,
    LAST_MISSING,
    OWN_MISSING,
    OWN_TWICE,
    FLOATS
};

static double reduced(const double *counts, size_t ranks, size_t experts, size_t rank, size_t e,
                      enum reduce_mistake mistake)
{
    double sum = 0, own = counts[rank * experts + e];
    float narrow = 0;
    for (size_t from = 0; from < ranks; from++) {
        sum += counts[from * experts + e];
        narrow += (float)counts[from * experts + e];
    }
    switch (mistake) {
    case NOT_REDUCED:
        return own;
    case REDUCED_TWICE:
        return sum * (double)ranks;
    case MEAN:
        return sum / (double)ranks;
    case LAST_MISSING:
        return sum - counts[(ranks - 1) * experts + e];
    case OWN_MISSING:
        return sum - own;
    case OWN_TWICE:
        return sum + own;
    case FLOATS:
        return (double)narrow;
    }
    return sum;
}

static enum vl_status reduce(struct vl_bag *wrong, const struct vl_bag *inputs,
                             enum reduce_mistake mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    size_t ranks = vl_scope_size(&s, "ranks");
    size_t experts = vl_bag_int(inputs, "none") ? 0 : vl_scope_size(&s, "experts");
    for (size_t rank = 0; !s.failed && rank < ranks; rank++) {
        double *counts = vl_ranked_out(&s, "counts", (int)rank, 1, experts);
        for (size_t e = 0; counts != NULL && e < experts; e++)
            counts[e] = reduced(vl_scope_in(&s, "counts"), ranks, experts, rank, e, mistake);
    }
    return vl_scope_end(&s);
}

MISTAKE(reduce, NOT_REDUCED)
MISTAKE(reduce, REDUCED_TWICE)
MISTAKE(reduce, MEAN)
MISTAKE(reduce, LAST_MISSING)
MISTAKE(reduce, OWN_MISSING)
MISTAKE(reduce, OWN_TWICE)
MISTAKE(reduce, FLOATS)

const struct vl_suspect vl_suspects_load_reduce[] = {
    {"not_reduced",
     N_("Each rank has its own counts only. A global batch is spread over all ranks: add up "
        "theirs."),
     reduce_NOT_REDUCED},
    {"reduced_twice",
     N_("The counts are too large by the number of ranks: a sum that was whole already was summed "
        "once more."),
     reduce_REDUCED_TWICE},
    {"divided_by_ranks",
     N_("The counts were averaged over the ranks. These are parts of one count: they are added."),
     reduce_MEAN},
    {"last_rank_missing", N_("The counts of the last rank are missing from the sum."),
     reduce_LAST_MISSING},
    {"own_missing", N_("Each rank has the sum of the others: its own counts are missing."),
     reduce_OWN_MISSING},
    {"own_twice",
     N_("Each rank's own counts are in the sum twice: the sum must begin at zero, not with what "
        "stood in counts."),
     reduce_OWN_TWICE},
    {"counted_in_floats",
     N_("Large counts were rounded to float32, which has no whole numbers beyond 2^24 without "
        "gaps. Keep them in double."),
     reduce_FLOATS},
    NO_MORE_SUSPECTS};

/* ---- what that sends ---- */

enum sent_mistake { NOTHING, ALL_REDUCE, HALF, TWICE, BROADCAST };

static enum vl_status traffic(struct vl_bag *wrong, const struct vl_bag *inputs,
                              enum sent_mistake mistake)
{
    int64_t ranks = vl_bag_int(inputs, "ranks"), experts = vl_bag_int(inputs, "experts");
    int64_t right = (ranks - 1) * experts * 8;
    for (int64_t rank = 0; rank < ranks; rank++) {
        char name[VL_RANKED_NAME];
        int64_t own = experts / ranks + (rank < experts % ranks);
        int64_t next = experts / ranks + ((rank + 1) % ranks < experts % ranks);
        int64_t sent = mistake == NOTHING      ? 0
                       : mistake == ALL_REDUCE ? (2 * experts - own - next) * 4
                       : mistake == HALF       ? right / 2
                       : mistake == TWICE      ? 2 * right
                                               : experts * 8;
        if (!vl_bag_set_int(wrong, vl_ranked(name, "sent_bytes", (int)rank), sent))
            return VL_ENOMEM;
    }
    return VL_OK;
}

MISTAKE(traffic, NOTHING)
MISTAKE(traffic, ALL_REDUCE)
MISTAKE(traffic, HALF)
MISTAKE(traffic, TWICE)
MISTAKE(traffic, BROADCAST)

const struct vl_suspect vl_suspects_load_traffic[] = {
    {"nothing_sent", N_("Nothing was sent: each rank kept to its own counts."), traffic_NOTHING},
    {"all_reduce_in_floats",
     N_("The counts travelled as float32, in an all-reduce, which rounds large counts. Gather "
        "them as double, and add them up on each rank."),
     traffic_ALL_REDUCE},
    {"sent_in_floats",
     N_("Half the bytes were sent: counts travel as double, 8 bytes each, so that large ones stay "
        "exact."),
     traffic_HALF},
    {"sent_twice", N_("The counts travelled twice; gather them once."), traffic_TWICE},
    {"summed_elsewhere",
     N_("Each rank sent its counts once only. In an all-gather on the ring it passes on those of "
        "the others as well."),
     traffic_BROADCAST},
    NO_MORE_SUSPECTS};

/* ---- the bias ---- */

enum bias_mistake {
    BIAS_TURNED,
    BIAS_BY_SIZE,
    BIAS_BY_SHARE, /* size as a part of the mean */
    BIAS_SUM,      /* compared with the sum */
    BIAS_OF_ONE,   /* compared with 1/E */
    BIAS_TRUNCATED,
    BIAS_EQUAL_RAISED,
    BIAS_EQUAL_LOWERED,
    BIAS_ONLY_LOWERED,
    BIAS_ONLY_RAISED,
    BIAS_FORGETS, /* begins at zero every time */
    BIAS_NOTHING,
    BIAS_OWN_COUNTS /* in a run alone */
};

static double step_of(double count, double sum, size_t experts, double u, enum bias_mistake mistake)
{
    double mean = sum / (double)experts, sign = (mean > count) - (mean < count);
    int equal = !(mean > count) && !(mean < count);
    switch (mistake) {
    case BIAS_TURNED:
        return -u * sign;
    case BIAS_BY_SIZE:
        return u * (mean - count);
    case BIAS_BY_SHARE:
        return mean > 0 ? u * (mean - count) / mean : 0;
    case BIAS_SUM:
        return sum > count ? u : sum < count ? -u : 0;
    case BIAS_OF_ONE:
        return count * (double)experts > 1 ? -u : u;
    case BIAS_TRUNCATED:
        return count > floor(mean) ? -u : count < floor(mean) ? u : 0;
    case BIAS_EQUAL_RAISED:
        return equal ? u : u * sign;
    case BIAS_EQUAL_LOWERED:
        return equal ? -u : u * sign;
    case BIAS_ONLY_LOWERED:
        return fmin(u * sign, 0);
    case BIAS_ONLY_RAISED:
        return fmax(u * sign, 0);
    case BIAS_NOTHING:
        return 0;
    case BIAS_FORGETS:
    case BIAS_OWN_COUNTS:
        break;
    }
    return u * sign;
}

static void step(double *bias, const double *counts, size_t experts, double u,
                 enum bias_mistake mistake)
{
    double sum = 0;
    for (size_t e = 0; e < experts; e++)
        sum += counts[e];
    for (size_t e = 0; e < experts; e++)
        bias[e] =
            (mistake == BIAS_FORGETS ? 0 : bias[e]) + step_of(counts[e], sum, experts, u, mistake);
}

static enum vl_status bias(struct vl_bag *wrong, const struct vl_bag *inputs,
                           enum bias_mistake mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    size_t experts = vl_scope_size(&s, "experts");
    double *answer = vl_scope_out(&s, "bias", 1, experts, 1);
    if (!s.failed)
        step(answer, vl_scope_in(&s, "counts"), experts, vl_scope_real(&s, "u"), mistake);
    for (size_t e = 0; !s.failed && e < experts; e++)
        answer[e] = (double)(float)answer[e];
    return vl_scope_end(&s);
}

/* ---- a run with it ---- */

/* A vl_oracle_correction with a mistake. */
static void correct(double *all_biases, const double *counts, const struct vl_oracle_router *r,
                    int mistake)
{
    double all[VL_ORACLE_EXPERTS] = {0};
    for (size_t i = 0; i < (size_t)r->ranks * r->experts; i++)
        all[i % r->experts] += counts[i];
    for (size_t rank = 0; rank < (size_t)r->ranks; rank++)
        step(all_biases + rank * r->experts,
             mistake == BIAS_OWN_COUNTS ? counts + rank * r->experts : all, r->experts, r->u,
             (enum bias_mistake)mistake);
}

static enum vl_status run(struct vl_bag *wrong, const struct vl_bag *inputs,
                          enum bias_mistake mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    const struct vl_oracle_router r = vl_balancing_router(s.wide);
    vl_balancing_course(&s, &r, correct, (int)mistake);
    return vl_scope_end(&s);
}

#define BIAS_MISTAKE(mistake) MISTAKE(bias, mistake) MISTAKE(run, mistake)
BIAS_MISTAKE(BIAS_TURNED)
BIAS_MISTAKE(BIAS_BY_SIZE)
BIAS_MISTAKE(BIAS_BY_SHARE)
BIAS_MISTAKE(BIAS_SUM)
BIAS_MISTAKE(BIAS_OF_ONE)
MISTAKE(bias, BIAS_TRUNCATED) /* in a run the mean is whole */
BIAS_MISTAKE(BIAS_EQUAL_RAISED)
BIAS_MISTAKE(BIAS_EQUAL_LOWERED)
BIAS_MISTAKE(BIAS_ONLY_LOWERED)
BIAS_MISTAKE(BIAS_ONLY_RAISED)
BIAS_MISTAKE(BIAS_FORGETS)
BIAS_MISTAKE(BIAS_NOTHING)
MISTAKE(run, BIAS_OWN_COUNTS)

#define TURNED_TEXT                                                                                \
    N_("The step goes the wrong way: who has more than the mean must be chosen less, so its bias " \
       "falls.")
#define SIZE_TEXT                                                                                  \
    N_("The step grows with the distance from the mean; asked for is a step of size u, whatever "  \
       "the distance: only the sign counts.")
#define SUM_TEXT N_("Counts were compared with their sum; the mean is the sum divided by E.")
#define OF_ONE_TEXT                                                                                \
    N_("Counts were compared with a part of 1; counts are whole numbers of choices, so compare "   \
       "them with their own mean.")
#define TRUNCATED_TEXT                                                                             \
    N_("The mean was rounded down to a whole number: experts above it and below it change "        \
       "places.")
#define EQUAL_TEXT                                                                                 \
    N_("An expert that has exactly the mean got a step; it keeps its bias, or it never comes to "  \
       "rest.")
#define LOWERED_TEXT N_("Only experts above the mean got a step; those below it are raised by u.")
#define RAISED_TEXT  N_("Only experts below the mean got a step; those above it are lowered by u.")
#define FORGETS_TEXT                                                                               \
    N_("The old bias was lost: a step is added to what earlier batches have made of it.")

const struct vl_suspect vl_suspects_balance_bias_update[] = {
    {"sign_turned", TURNED_TEXT, bias_BIAS_TURNED},
    {"size_for_sign", SIZE_TEXT, bias_BIAS_BY_SIZE},
    {"size_for_sign", SIZE_TEXT, bias_BIAS_BY_SHARE},
    {"sum_for_mean", SUM_TEXT, bias_BIAS_SUM},
    {"mean_of_one", OF_ONE_TEXT, bias_BIAS_OF_ONE},
    {"mean_truncated", TRUNCATED_TEXT, bias_BIAS_TRUNCATED},
    {"equal_moves", EQUAL_TEXT, bias_BIAS_EQUAL_RAISED},
    {"equal_moves", EQUAL_TEXT, bias_BIAS_EQUAL_LOWERED},
    {"only_lowered", LOWERED_TEXT, bias_BIAS_ONLY_LOWERED},
    {"only_raised", RAISED_TEXT, bias_BIAS_ONLY_RAISED},
    {"bias_overwritten", FORGETS_TEXT, bias_BIAS_FORGETS},
    {"bias_unchanged", N_("The bias is as it was before the call."), bias_BIAS_NOTHING},
    NO_MORE_SUSPECTS};

const struct vl_suspect vl_suspects_balance_course[] = {
    {"own_counts",
     N_("Each rank corrected its bias by its own counts, so the ranks have different biases. The "
        "counts must be everybody's."),
     run_BIAS_OWN_COUNTS},
    {"sign_turned", TURNED_TEXT, run_BIAS_TURNED},
    {"never_corrected", N_("The bias stays as it is from batch to batch."), run_BIAS_NOTHING},
    {"size_for_sign", SIZE_TEXT, run_BIAS_BY_SIZE},
    {"size_for_sign", SIZE_TEXT, run_BIAS_BY_SHARE},
    {"sum_for_mean", SUM_TEXT, run_BIAS_SUM},
    {"mean_of_one", OF_ONE_TEXT, run_BIAS_OF_ONE},
    {"equal_moves", EQUAL_TEXT, run_BIAS_EQUAL_RAISED},
    {"equal_moves", EQUAL_TEXT, run_BIAS_EQUAL_LOWERED},
    {"only_lowered", LOWERED_TEXT, run_BIAS_ONLY_LOWERED},
    {"only_raised", RAISED_TEXT, run_BIAS_ONLY_RAISED},
    {"bias_overwritten", FORGETS_TEXT, run_BIAS_FORGETS},
    NO_MORE_SUSPECTS};
