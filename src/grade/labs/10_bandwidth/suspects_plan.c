/*
 * Known wrong answers of lab 10: a step put together, the crossover, the whole plan.
 */
#include "base/text.h"
#include "grade/catalogue/maker.h"
#include "grade/catalogue/mistake.h"
#include "grade/labs/10_bandwidth/bandwidth.h"

#include <math.h>

enum step_mistake {
    RIGHT = 0,
    FORWARD_HIDES,
    ALL_BATCHES_HIDE,
    ALL_HIDES,
    NOTHING_HIDES,
    IDLE_OF_ARITHMETIC,
    CHUNKS_FORGOTTEN,
    NO_BUBBLE,
    CLOSING_FORGOTTEN,
    MFU_OF_ONE,
    MFU_OF_AGAIN,
    MFU_OF_REACHED,
    /* of the whole plan */
    DOMAIN_UNUSED,
    /* of the search */
    FITS_IGNORED,
    /* of the crossover */
    SLACK_ABSOLUTE,
    SLACK_FORGOTTEN,
    HIGH_NOT_TRIED
};

/* ---- a step ---- */

const char *const vl_plan_step_names[] = {"exposed",           "bubble", "left", "seconds",
                                          "tokens_per_second", "mfu",    NULL};

enum { EXPOSED, BUBBLE, LEFT, SECONDS, TOKENS, MFU };

static double shows(double road, double cover)
{
    return road > cover ? road - cover : 0;
}

/* Changes in what is waited for change the seconds, and these the rest. */
static void follow(double *step, const double *loads)
{
    double seconds = loads[0] + loads[1] + step[EXPOSED] + step[BUBBLE] + step[LEFT];
    step[TOKENS] *= step[SECONDS] / seconds;
    step[MFU] *= step[SECONDS] / seconds;
    step[SECONDS] = seconds;
}

void vl_plan_step(double *results, const struct vl_plan *plan, const struct vl_bag *inputs,
                  size_t row, int mistake)
{
    struct vl_setting setting = plan->setting;
    struct vl_division d = plan->division;
    const double *loads = vl_plan_row(inputs, "loads", row, 4);
    const double *work = vl_plan_row(inputs, "work", row, 2);
    double hidden = setting.cluster.hidden * loads[0], batches = (double)d.micro_batches;
    if (mistake == ALL_HIDES)
        setting.cluster.hidden = 1;
    if (mistake == NOTHING_HIDES)
        setting.cluster.hidden = 0;
    if (mistake == CHUNKS_FORGOTTEN)
        d.chunks = 1;
    vl_oracle_plan_step(results, loads, work[0], &setting, &d);
    double chips = (double)(d.tensor * d.expert * d.data * d.pipeline);
    if (mistake == FORWARD_HIDES)
        results[LEFT] = shows(loads[3], hidden / batches);
    if (mistake == ALL_BATCHES_HIDE)
        results[LEFT] = shows(loads[3], hidden * 2 / 3);
    if (mistake == IDLE_OF_ARITHMETIC)
        results[BUBBLE] *= loads[0] / (loads[0] + loads[1] + results[EXPOSED]);
    if (mistake == NO_BUBBLE)
        results[BUBBLE] = 0;
    if (mistake == CLOSING_FORGOTTEN)
        results[LEFT] = 0;
    follow(results, loads);
    results[MFU] *= mistake == MFU_OF_ONE       ? chips
                    : mistake == MFU_OF_AGAIN   ? (work[0] + work[1]) / work[0]
                    : mistake == MFU_OF_REACHED ? 1 / setting.cluster.efficiency
                                                : 1;
}

VL_PLAN_FAMILY(step, vl_plan_step_names)
MISTAKE(step, FORWARD_HIDES)
MISTAKE(step, ALL_BATCHES_HIDE)
MISTAKE(step, ALL_HIDES)
MISTAKE(step, NOTHING_HIDES)
MISTAKE(step, IDLE_OF_ARITHMETIC)
MISTAKE(step, CHUNKS_FORGOTTEN)
MISTAKE(step, NO_BUBBLE)
MISTAKE(step, CLOSING_FORGOTTEN)
MISTAKE(step, MFU_OF_ONE)
MISTAKE(step, MFU_OF_AGAIN)
MISTAKE(step, MFU_OF_REACHED)

const struct vl_suspect vl_suspects_planned_step[] = {
    {"forward_hides",
     N_("Behind the last micro-batch's forward nothing of the gradients can be hidden: they come "
        "from its backward, two thirds of it."),
     step_FORWARD_HIDES},
    {"all_micro_batches_hide",
     N_("The gradients are complete only in the last micro-batch, so only its backward hides what "
        "travels once a step."),
     step_ALL_BATCHES_HIDE},
    {"all_arithmetic_hides",
     N_("All of the arithmetic hides roads here; the machine says in which share of it they are "
        "travelled unseen."),
     step_ALL_HIDES},
    {"nothing_hides",
     N_("Nothing is hidden behind arithmetic; the machine says in which share of it roads are "
        "travelled unseen."),
     step_NOTHING_HIDES},
    {"bubble_of_arithmetic",
     N_("The bubble is a share of arithmetic alone; stages wait for what others wait for, too: "
        "tensor and exposed."),
     step_IDLE_OF_ARITHMETIC},
    {"chunks_forgotten",
     N_("The bubble is that of one chunk a stage; more chunks make it smaller."),
     step_CHUNKS_FORGOTTEN},
    {"no_bubble", N_("The bubble is missing: stages wait for the first and for the last."),
     step_NO_BUBBLE},
    {"closing_forgotten",
     N_("What travels once a step is missing where it does not fit behind the "
        "last micro-batch's backward."),
     step_CLOSING_FORGOTTEN},
    {"mfu_of_one_chip",
     N_("MFU is counted against the peak of one chip, but all chips work on these tokens."),
     step_MFU_OF_ONE},
    {"mfu_counts_again",
     N_("MFU counts what is computed again; only useful operations count, each once."),
     step_MFU_OF_AGAIN},
    {"mfu_of_reached",
     N_("MFU is counted against what a chip reaches; it is counted against the peak."),
     step_MFU_OF_REACHED},
    NO_MORE_SUSPECTS};

/* ---- the whole plan ---- */

const char *const vl_plan_whole_names[] = {"state_bytes", "kept_bytes", "arithmetic", "tensor",
                                           "flowing",     "closing",    "seconds",    "mfu",
                                           "fits",        NULL};

void vl_plan_whole(double *results, const struct vl_plan *plan, const struct vl_bag *inputs,
                   size_t row, int mistake)
{
    (void)inputs, (void)row;
    struct vl_oracle_forecast f;
    struct vl_setting setting = plan->setting;
    if (mistake == DOMAIN_UNUSED)
        setting.cluster.domain = 1;
    vl_oracle_plan_forecast(&f, &setting, &plan->division);
    const double all[] = {f.state_bytes, f.kept_bytes,    f.loads[0],  f.loads[1], f.loads[2],
                          f.loads[3],    f.step[SECONDS], f.step[MFU], f.fits};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        results[i] = all[i];
}

VL_PLAN_FAMILY(whole, vl_plan_whole_names)
MISTAKE(whole, DOMAIN_UNUSED)

const struct vl_suspect vl_suspects_whole_plan[] = {
    {"domain_unused",
     N_("Every chip is alone in its domain here, and all roads are outer ones; look at where the "
        "members of a group are."),
     whole_DOMAIN_UNUSED},
    NO_MORE_SUSPECTS};

static enum vl_status best(struct vl_bag *wrong, const struct vl_bag *inputs, int mistake)
{
    const struct vl_plan plan = vl_plan_read(inputs, 0);
    size_t chips = vl_bag_size(inputs, "chips");
    int memory = mistake != FITS_IGNORED;
    return vl_bag_set_real(wrong, "without",
                           vl_plan_best_seconds(&plan.setting, chips, 1, memory)) &&
                   vl_bag_set_real(wrong, "of_all",
                                   vl_plan_best_seconds(&plan.setting, chips, 0, memory))
               ? VL_OK
               : VL_ENOMEM;
}

MISTAKE(best, FITS_IGNORED)

const struct vl_suspect vl_suspects_best_plan[] = {
    {"memory_ignored",
     N_("The best division does not fit into a chip's memory; only those that fit are compared."),
     best_FITS_IGNORED},
    NO_MORE_SUSPECTS};

/* ---- the crossover ---- */

struct slackened {
    struct vl_plan_rivals rivals; /* first, so that this is one of them */
    double allowed;               /* seconds, added to the best of all */
};

static double of_all_and_slack(void *context, double bandwidth)
{
    const struct slackened *slackened = context;
    return vl_plan_of_all(context, bandwidth) + slackened->allowed;
}

static enum vl_status crossover(struct vl_bag *wrong, const struct vl_bag *inputs, int mistake)
{
    struct slackened rivals = {vl_plan_rivals_read(inputs), 0};
    double low = vl_bag_real(inputs, "low"), high = vl_bag_real(inputs, "high"), found = high;
    if (vl_bag_int(inputs, "bad") || vl_bag_int(inputs, "fails_at"))
        return VL_OK;
    if (mistake == SLACK_ABSOLUTE)
        rivals.allowed = vl_bag_real(inputs, "slack");
    if (mistake != HIGH_NOT_TRIED)
        found = vl_oracle_crossover(low, high, 0, vl_plan_without, of_all_and_slack, &rivals);
    return vl_bag_set_int(wrong, "endless", isinf(found) != 0) &&
                   vl_bag_set_real(wrong, "bandwidth", isinf(found) ? 0 : found)
               ? VL_OK
               : VL_ENOMEM;
}

MISTAKE(crossover, SLACK_ABSOLUTE)
MISTAKE(crossover, SLACK_FORGOTTEN)
MISTAKE(crossover, HIGH_NOT_TRIED)

/* What is near the crossover and still not right is told in words (inspect_bandwidth.c). */
const struct vl_suspect vl_suspects_crossover[] = {
    {"slack_absolute",
     N_("The slack is added as seconds; it is a share: (1 + slack) times as long is allowed."),
     crossover_SLACK_ABSOLUTE},
    {"slack_forgotten",
     N_("The slack is forgotten: without a pipeline (1 + slack) times as long is allowed."),
     crossover_SLACK_FORGOTTEN},
    {"high_not_tried",
     N_("It does not hold even at high, and high came back; then there is no such bandwidth: "
        "INFINITY."),
     crossover_HIGH_NOT_TRIED},
    NO_MORE_SUSPECTS};
