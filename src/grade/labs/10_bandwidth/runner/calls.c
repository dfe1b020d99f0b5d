/*
 * Calls of lab 10: roads, a step, the whole plan and the crossover.
 *
 * The names of the inputs are described in bandwidth.h.
 */
#include "grade/labs/10_bandwidth/runner/plan_site.h"
#include "runner/arrays.h"
#include "runner/call.h"

#include <math.h>
#include <string.h>

enum { ENDLESS_CALLS = 2000 }; /* after so many, the search is stopped */

/* ---- roads ---- */

static enum vl_status refuse_gather(const struct vl_question *q)
{
    double *seconds = q->results;
    const struct vl_cluster *cluster = &q->plan.setting.cluster;
    const struct vl_group nobody = {0, 1}, nowhere = {1, 0};
    return VL_REFUSED(vl_group_gather_seconds(NULL, &q->group, cluster, 1),
                      vl_group_gather_seconds(seconds, NULL, cluster, 1),
                      vl_group_gather_seconds(seconds, &q->group, NULL, 1),
                      vl_group_gather_seconds(seconds, &nobody, cluster, 1),
                      vl_group_gather_seconds(seconds, &nowhere, cluster, 1));
}

VL_ASK(group_gather_seconds, seconds, refuse_gather)
{
    return vl_group_gather_seconds(q->results, &q->group, &q->plan.setting.cluster, q->bytes[0]);
}

static enum vl_status refuse_traffic(const struct vl_question *q)
{
    struct vl_traffic t;
    const struct vl_setting *s = &q->plan.setting;
    const struct vl_division *d = &q->plan.division;
    return VL_REFUSED(vl_planned_traffic(NULL, &q->chip, &q->group, s, d),
                      vl_planned_traffic(&t, NULL, &q->group, s, d),
                      vl_planned_traffic(&t, &q->chip, NULL, s, d),
                      vl_planned_traffic(&t, &q->chip, &q->group, NULL, d),
                      vl_planned_traffic(&t, &q->chip, &q->group, s, NULL));
}

VL_ASK(planned_traffic, traffic, refuse_traffic)
{
    double *r = q->results;
    struct vl_traffic t = {r[0], r[1], r[2], r[3], r[4], r[5], r[6], {r[7], r[8]}, {r[9], r[10]}};
    enum vl_status status =
        vl_planned_traffic(&t, &q->chip, &q->group, &q->plan.setting, &q->plan.division);
    const double all[] = {t.reduced_bytes, t.reductions,     t.inside_elements, t.across_elements,
                          t.exchanges,     t.boundary_bytes, t.boundaries,      t.each.scatters,
                          t.each.gathers,  t.once.scatters,  t.once.gathers};
    memcpy(r, all, sizeof all);
    return status;
}

/* ---- a step, and all of it ---- */

static enum vl_status refuse_step(const struct vl_question *q)
{
    struct vl_step_plan step;
    const struct vl_setting *s = &q->plan.setting;
    const struct vl_division *d = &q->plan.division;
    return VL_REFUSED(vl_planned_step(NULL, &q->loads, &q->work, s, d),
                      vl_planned_step(&step, NULL, &q->work, s, d),
                      vl_planned_step(&step, &q->loads, NULL, s, d),
                      vl_planned_step(&step, &q->loads, &q->work, NULL, d),
                      vl_planned_step(&step, &q->loads, &q->work, s, NULL));
}

VL_ASK(planned_step, step, refuse_step)
{
    double *r = q->results;
    struct vl_step_plan step = {r[0], r[1], r[2], r[3], r[4], r[5]};
    enum vl_status status =
        vl_planned_step(&step, &q->loads, &q->work, &q->plan.setting, &q->plan.division);
    const double all[] = {step.exposed,           step.bubble, step.left, step.seconds,
                          step.tokens_per_second, step.mfu};
    memcpy(r, all, sizeof all);
    return status;
}

VL_ASK(whole_plan, whole, NULL)
{
    struct vl_forecast f;
    enum vl_status status = vl_forecast_make(&f, &q->plan.setting, &q->plan.division);
    if (status != VL_OK)
        return status;
    const double all[] = {f.state_bytes,  f.kept_bytes,    f.loads.arithmetic,
                          f.loads.tensor, f.loads.flowing, f.loads.closing,
                          f.step.seconds, f.step.mfu,      f.fits};
    memcpy(q->results, all, sizeof all);
    return status;
}

static VL_CALL(best_plan)
{
    struct vl_forecast best;
    const struct vl_plan plan = vl_plan_read(inputs, 0);
    double *seconds[2] = {vl_bag_add_f64(outputs, "of_all", 1, 1),
                          vl_bag_add_f64(outputs, "without", 1, 1)};
    enum vl_status status = seconds[0] != NULL && seconds[1] != NULL ? VL_OK : VL_EINTERNAL;
    for (size_t stages = 0; status == VL_OK && stages < 2; stages++) {
        const struct vl_search search = {(size_t)vl_bag_int(inputs, "chips"), stages, 0};
        size_t count = 0;
        status = vl_forecast_search(&best, &count, 1, &plan.setting, &search);
        *seconds[stages] = count > 0 ? best.step.seconds : INFINITY;
    }
    return status;
}

/* ---- the crossover ---- */

/* What the submission gets as the context: the count cannot be reached through it. */
static const char ticket;
static struct {
    struct vl_plan_rivals rivals;
    int64_t calls, fails_at;
} asked;

static enum vl_status answer(void *context, double *without, double *of_all, double bandwidth)
{
    if (context != &ticket)
        return VL_EINVAL;
    asked.calls++;
    if (asked.calls == asked.fails_at || asked.calls > ENDLESS_CALLS)
        return VL_ENOMEM;
    *of_all = vl_plan_of_all(&asked.rivals, bandwidth);
    *without = vl_plan_without(&asked.rivals, bandwidth);
    return VL_OK;
}

static VL_CALL(crossover)
{
    const struct vl_rivals rivals = {(void *)&ticket, answer};
    double low = vl_bag_real(inputs, "low"), high = vl_bag_real(inputs, "high");
    double slack = vl_bag_real(inputs, "slack");
    double *bandwidth = vl_unwritten_real(outputs, "bandwidth");
    if (bandwidth == NULL)
        return VL_EINTERNAL;
    asked.rivals = vl_plan_rivals_read(inputs);
    asked.fails_at = vl_bag_int(inputs, "fails_at");
    asked.calls = 0;
    if (vl_bag_int(inputs, "bad"))
        return VL_REFUSED(vl_crossover(NULL, low, high, slack, &rivals),
                          vl_crossover(bandwidth, low, high, slack, NULL),
                          vl_crossover(bandwidth, 0, high, slack, &rivals),
                          vl_crossover(bandwidth, high, low, slack, &rivals),
                          vl_crossover(bandwidth, low, high, -slack, &rivals),
                          vl_crossover(bandwidth, NAN, high, slack, &rivals));
    enum vl_status status = vl_crossover(bandwidth, low, high, slack, &rivals);
    int endless = isinf(*bandwidth) != 0;
    if (endless)
        *bandwidth = 0;
    if (asked.calls > ENDLESS_CALLS) { /* it was stopped, and the count says so */
        *bandwidth = 0;
        status = VL_OK;
    }
    return vl_bag_set_int(outputs, "endless", endless) &&
                   vl_bag_set_int(outputs, "calls", asked.calls)
               ? status
               : VL_EINTERNAL;
}

static VL_CALL(predict_plan)
{
    struct vl_plan_prediction prediction = {0};
    enum vl_status status = vl_predict_plan(&prediction);
    (void)inputs;
    return vl_bag_set_real(outputs, "state_bytes", prediction.state_bytes) &&
                   vl_bag_set_real(outputs, "exchange_seconds", prediction.exchange_seconds) &&
                   vl_bag_set_real(outputs, "crossover_bandwidth", prediction.crossover_bandwidth)
               ? status
               : VL_EINTERNAL;
}

#define CALLED(name)                                                                               \
    {                                                                                              \
        "vl_" #name, vl_call_##name                                                                \
    }

const struct vl_call vl_calls_bandwidth[] = {
    CALLED(division_check),
    CALLED(planned_parameters),
    CALLED(planned_chip),
    CALLED(group_of),
    CALLED(group_exchange_seconds),
    CALLED(rule_tokens),
    CALLED(planned_flops),
    CALLED(planned_arithmetic),
    CALLED(planned_state_bytes),
    CALLED(planned_kept_bytes),
    CALLED(group_gather_seconds),
    CALLED(planned_traffic),
    CALLED(planned_step),
    CALLED(crossover),
    {"whole_plan", vl_call_whole_plan},
    {"best_plan", vl_call_best_plan},
    CALLED(predict_plan),
    {NULL, NULL},
};
