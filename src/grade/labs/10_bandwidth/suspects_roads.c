/*
 * Known wrong answers of lab 10: what travels, and how long it takes.
 */
#include "base/text.h"
#include "grade/catalogue/mistake.h"
#include "grade/labs/10_bandwidth/bandwidth.h"

#include <string.h>

enum roads_mistake {
    RIGHT = 0,
    /* gathers */
    WHOLE_ACROSS,
    ONE_AXIS,
    ALL_AXES,
    NO_LATENCY,
    INSIDE_ONLY,
    BOTH_WAYS,
    ONE_RING,
    /* traffic */
    FORWARD_ONLY,
    EACH_CHOICE_ACROSS,
    ANY_DOMAIN,
    OWN_DOMAIN_TOO,
    OWN_PLACE_TOO,
    EXPERTS_WHOLE,
    ONE_REDUCTION,
    REDUCED_SHARE,
    BOUNDARY_WHOLE,
    CHUNKS_FORGOTTEN,
    ONE_BATCH,
    GATHERED_ONCE,
    SCATTERED_LATE,
    IN_ELEMENTS
};

/* ---- a gather ---- */

const char *const vl_plan_gather_names[] = {"seconds", NULL};

void vl_plan_gather(double *results, const struct vl_plan *plan, const struct vl_bag *inputs,
                    size_t row, int mistake)
{
    struct vl_cluster c = plan->setting.cluster;
    const double *group = vl_plan_row(inputs, "group", row, 2);
    size_t inside = (size_t)group[0], across = (size_t)group[1];
    double bytes = vl_plan_row(inputs, "bytes", row, 2)[0];
    if (mistake == ONE_AXIS)
        c.torus = 0;
    if (mistake == ALL_AXES && c.torus > 1) {
        c.inner.bandwidth *= (double)c.torus;
        c.torus = 0;
    }
    if (mistake == NO_LATENCY)
        c.inner.latency = c.outer.latency = 0;
    double right = vl_oracle_plan_gather(inside, across, &c, bytes);
    double within = vl_oracle_plan_gather(inside, 1, &c, bytes);
    results[0] = mistake == WHOLE_ACROSS  ? within + vl_oracle_plan_gather(1, across, &c, bytes)
                 : mistake == INSIDE_ONLY ? within
                 : mistake == BOTH_WAYS   ? 2 * right
                 : mistake == ONE_RING && across > 1
                     ? vl_oracle_plan_gather(1, inside * across, &c, bytes)
                     : right;
}

VL_PLAN_FAMILY(gather, vl_plan_gather_names)
MISTAKE(gather, WHOLE_ACROSS)
MISTAKE(gather, ONE_AXIS)
MISTAKE(gather, ALL_AXES)
MISTAKE(gather, NO_LATENCY)
MISTAKE(gather, INSIDE_ONLY)
MISTAKE(gather, BOTH_WAYS)
MISTAKE(gather, ONE_RING)

const struct vl_suspect vl_suspects_group_gather_seconds[] = {
    {"whole_array_across",
     N_("The whole array goes across; after the reduce-scatter inside each member has a part of "
        "it, and only that goes on."),
     gather_WHOLE_ACROSS},
    {"one_axis",
     N_("On a torus the inner road is as broad as one axis here; the axes of the group carry a "
        "part "
        "each, at once."),
     gather_ONE_AXIS},
    {"all_axes",
     N_("All axes of the torus are used, but a small group reaches fewer: as many as it can be "
        "halved."),
     gather_ALL_AXES},
    {"no_latency", N_("The latencies are missing: each step of a ring is a message."),
     gather_NO_LATENCY},
    {"inside_only",
     N_("Only the road inside is counted; groups in several domains go across, too."),
     gather_INSIDE_ONLY},
    {"both_ways",
     N_("This is a reduce-scatter and an all-gather; the question is about one of them."),
     gather_BOTH_WAYS},
    {"one_ring",
     N_("This is one ring through all members over the outer road; first comes the inner road, "
        "where most of them are neighbours."),
     gather_ONE_RING},
    NO_MORE_SUSPECTS};

/* ---- traffic ---- */

enum {
    REDUCED,
    REDUCTIONS,
    INSIDE,
    ACROSS,
    EXCHANGES,
    BOUNDARY,
    BOUNDARIES,
    EACH_SCATTERS,
    EACH_GATHERS,
    ONCE_SCATTERS
};

const char *const vl_plan_traffic_names[] = {"reduced_bytes",   "reductions",    "inside_elements",
                                             "across_elements", "exchanges",     "boundary_bytes",
                                             "boundaries",      "each.scatters", "each.gathers",
                                             "once.scatters",   "once.gathers",  NULL};

static void scale(double *numbers, double factor, const int *which, size_t count)
{
    for (size_t i = 0; i < count; i++)
        numbers[which[i]] *= factor;
}

#define SCALE(factor, ...)                                                                         \
    scale(t, factor, (const int[]){__VA_ARGS__}, sizeof((const int[]){__VA_ARGS__}) / sizeof(int))

static void spoil(double *t, const struct vl_plan *plan, size_t inside, size_t across, int mistake)
{
    const struct vl_division *d = &plan->division;
    double tensor = (double)d->tensor, batches = (double)d->micro_batches;
    if (mistake == FORWARD_ONLY)
        SCALE(0.5, EXCHANGES);
    if (mistake == OWN_DOMAIN_TOO && across > 1)
        SCALE((double)across / (double)(across - 1), ACROSS);
    if (mistake == OWN_PLACE_TOO && inside > 1)
        SCALE((double)inside / (double)(inside - 1), INSIDE);
    if (mistake == EXPERTS_WHOLE)
        SCALE(tensor, INSIDE, ACROSS);
    if (mistake == ONE_REDUCTION)
        SCALE(0.5, REDUCTIONS);
    if (mistake == REDUCED_SHARE)
        SCALE(1 / tensor, REDUCED);
    if (mistake == BOUNDARY_WHOLE)
        SCALE(tensor, BOUNDARY);
    if (mistake == CHUNKS_FORGOTTEN)
        SCALE(1 / (double)d->chunks, BOUNDARIES);
    if (mistake == ONE_BATCH)
        SCALE(1 / batches, REDUCTIONS, EXCHANGES, BOUNDARIES);
    if (mistake == GATHERED_ONCE)
        SCALE(0.5, EACH_GATHERS);
    if (mistake == IN_ELEMENTS)
        SCALE(1 / plan->setting.recipe.element_bytes, REDUCED, BOUNDARY);
    if (mistake == SCATTERED_LATE && t[EACH_SCATTERS] > 0) {
        t[EACH_SCATTERS] = 0;
        t[ONCE_SCATTERS] = 1;
    }
}

void vl_plan_traffic(double *results, const struct vl_plan *plan, const struct vl_bag *inputs,
                     size_t row, int mistake)
{
    struct vl_setting setting = plan->setting;
    const struct vl_oracle_chip chip = vl_plan_chip_read(inputs, row);
    const double *group = vl_plan_row(inputs, "group", row, 2);
    size_t inside = (size_t)group[0], across = (size_t)group[1];
    if (mistake == ANY_DOMAIN)
        setting.recipe.domains_met = 0;
    vl_oracle_plan_traffic(results, &chip, inside, across, &setting, &plan->division);
    if (mistake == EACH_CHOICE_ACROSS && results[ACROSS] > 0) {
        size_t domains = setting.model.chosen < across ? setting.model.chosen : across;
        if (setting.recipe.domains_met > 0 && setting.recipe.domains_met < domains)
            domains = setting.recipe.domains_met;
        results[ACROSS] *= (double)setting.model.chosen / (double)domains;
    }
    spoil(results, plan, inside, across, mistake);
}

VL_PLAN_FAMILY(traffic, vl_plan_traffic_names)
MISTAKE(traffic, FORWARD_ONLY)
MISTAKE(traffic, EACH_CHOICE_ACROSS)
MISTAKE(traffic, ANY_DOMAIN)
MISTAKE(traffic, OWN_DOMAIN_TOO)
MISTAKE(traffic, OWN_PLACE_TOO)
MISTAKE(traffic, EXPERTS_WHOLE)
MISTAKE(traffic, ONE_REDUCTION)
MISTAKE(traffic, REDUCED_SHARE)
MISTAKE(traffic, BOUNDARY_WHOLE)
MISTAKE(traffic, CHUNKS_FORGOTTEN)
MISTAKE(traffic, ONE_BATCH)
MISTAKE(traffic, GATHERED_ONCE)
MISTAKE(traffic, SCATTERED_LATE)
MISTAKE(traffic, IN_ELEMENTS)

const struct vl_suspect vl_suspects_planned_traffic[] = {
    {"exchanges_of_forward",
     N_("These are the exchanges of forward; backward sends the gradients there and back, too."),
     traffic_FORWARD_ONLY},
    {"each_choice_across",
     N_("Each choice of a token goes across by itself; a token goes once to a domain, and is "
        "handed "
        "on there."),
     traffic_EACH_CHOICE_ACROSS},
    {"any_domain",
     N_("The recipe says in how many domains the experts of a token are at most; here they are in "
        "any."),
     traffic_ANY_DOMAIN},
    {"own_domain_sent_to",
     N_("What stays in its own domain is counted as sent across: of the domains that a token meets "
        "its own is one as often as any."),
     traffic_OWN_DOMAIN_TOO},
    {"own_place_sent_to",
     N_("What stays on the chip is counted as sent: of the chips inside, its own is one."),
     traffic_OWN_PLACE_TOO},
    {"experts_get_all",
     N_("Each chip of a tensor group sends all tokens of the micro-batch; each has its share of "
        "them."),
     traffic_EXPERTS_WHOLE},
    {"reductions_of_forward",
     N_("There are two all-reduces a layer forward and two backward; half of them are missing."),
     traffic_ONE_REDUCTION},
    {"reduced_in_shares",
     N_("An all-reduce of the tensor group is of all that the micro-batch has between layers, not "
        "of a chip's share."),
     traffic_REDUCED_SHARE},
    {"boundary_whole",
     N_("Each chip of a tensor group sends the whole micro-batch to the next stage; each sends its "
        "share."),
     traffic_BOUNDARY_WHOLE},
    {"chunks_forgotten",
     N_("A stage with several chunks has as many boundaries behind it, each of which is crossed."),
     traffic_CHUNKS_FORGOTTEN},
    {"one_micro_batch", N_("These are the counts of one micro-batch; a step has all of them."),
     traffic_ONE_BATCH},
    {"gathered_once",
     N_("In stage 3 the weights are gathered for forward, let go, and gathered for backward: twice "
        "in each micro-batch."),
     traffic_GATHERED_ONCE},
    {"scattered_once",
     N_("From stage 2 on only a shard of the gradients stays, so each micro-batch scatters its "
        "own."),
     traffic_SCATTERED_LATE},
    {"in_elements",
     N_("These are elements; what is reduced and what crosses a boundary is asked "
        "for in bytes."),
     traffic_IN_ELEMENTS},
    NO_MORE_SUSPECTS};
