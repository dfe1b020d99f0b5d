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

/* Besides missing pointers, a group with nobody inside, or in no domain. */
VL_ASK(group_gather_seconds, seconds, 5)
{
    const struct vl_group group = {q->missing == 4 ? 0 : q->group.inside,
                                   q->missing == 5 ? 0 : q->group.across};
    return vl_group_gather_seconds(VL_GIVEN(1, q->results), VL_GIVEN(2, &group),
                                   VL_GIVEN(3, &q->plan.setting.cluster), q->bytes[0]);
}

VL_ASK(planned_traffic, traffic, 5)
{
    double *r = q->results;
    struct vl_traffic t = {r[0], r[1], r[2], r[3], r[4], r[5], r[6], {r[7], r[8]}, {r[9], r[10]}};
    enum vl_status status =
        vl_planned_traffic(VL_GIVEN(1, &t), VL_GIVEN(2, &q->chip), VL_GIVEN(3, &q->group),
                           VL_GIVEN(4, &q->plan.setting), VL_GIVEN(5, &q->plan.division));
    const double all[] = {t.reduced_bytes, t.reductions,     t.inside_elements, t.across_elements,
                          t.exchanges,     t.boundary_bytes, t.boundaries,      t.each.scatters,
                          t.each.gathers,  t.once.scatters,  t.once.gathers};
    memcpy(r, all, sizeof all);
    return status;
}

/* ---- a step, and all of it ---- */

VL_ASK(planned_step, step, 5)
{
    double *r = q->results;
    struct vl_step_plan step = {r[0], r[1], r[2], r[3], r[4], r[5]};
    enum vl_status status =
        vl_planned_step(VL_GIVEN(1, &step), VL_GIVEN(2, &q->loads), VL_GIVEN(3, &q->work),
                        VL_GIVEN(4, &q->plan.setting), VL_GIVEN(5, &q->plan.division));
    const double all[] = {step.exposed,           step.bubble, step.left, step.seconds,
                          step.tokens_per_second, step.mfu};
    memcpy(r, all, sizeof all);
    return status;
}

VL_ASK(whole_plan, whole, 0)
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
        return vl_first_unrefused(vl_crossover(NULL, low, high, slack, &rivals),
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
    struct vl_plan_prediction sealed = {0};
    enum vl_status status = vl_predict_plan(&sealed);
    (void)inputs;
    return vl_give_reals(outputs, status, {"state_bytes", sealed.state_bytes},
                         {"exchange_seconds", sealed.exchange_seconds},
                         {"crossover_bandwidth", sealed.crossover_bandwidth});
}

const struct vl_call vl_calls_bandwidth[] = {
    VL_CALLED(division_check),         VL_CALLED(planned_parameters),
    VL_CALLED(planned_chip),           VL_CALLED(group_of),
    VL_CALLED(group_exchange_seconds), VL_CALLED(rule_tokens),
    VL_CALLED(planned_flops),          VL_CALLED(planned_arithmetic),
    VL_CALLED(planned_state_bytes),    VL_CALLED(planned_kept_bytes),
    VL_CALLED(group_gather_seconds),   VL_CALLED(planned_traffic),
    VL_CALLED(planned_step),           VL_CALLED(crossover),
    VL_CALLED(predict_plan),           {"whole_plan", vl_call_whole_plan},
    {"best_plan", vl_call_best_plan},  {NULL, NULL},
};
