/*
 * Calls of lab 10. A submission answers one question after another. In a bad case each argument
 * that may be missing is missing once, and every such call must be refused.
 *
 * Names of the inputs are described in ../plan_bag.h.
 */
#include "grade/labs/10_bandwidth/plan_bag.h"
#include "grade/labs/10_bandwidth/runner/choices.h"
#include "runner/arrays.h"
#include "runner/call.h"

#include <math.h>
#include <string.h>

static enum vl_status ask_badly(const struct vl_bag *inputs, vl_ask *ask, int arguments)
{
    union vl_answer answer = {{0}};
    struct vl_question q = *vl_questions(inputs);
    enum vl_status status = VL_EINVAL;
    for (q.missing = 1; q.missing <= arguments && status == VL_EINVAL; q.missing++)
        status = ask(&answer, &q);
    return status;
}

/* A call whose body asks one question. So many ('arguments') of its arguments may be missing: */
#define ASK(name, names, arguments)                                                                \
    static vl_ask ask_##name;                                                                      \
    static VL_CALL(name)                                                                           \
    {                                                                                              \
        return vl_bag_int(inputs, "bad")                                                           \
                   ? ask_badly(inputs, ask_##name, arguments)                                      \
                   : vl_ask_all(outputs, inputs, vl_names_##names, ask_##name);                    \
    }                                                                                              \
    static enum vl_status ask_##name(union vl_answer *answer, const struct vl_question *q)

/* and one of them is NULL when it is its turn. */
#define GIVEN(number, pointer) (q->missing == (number) ? NULL : (pointer))

/* ---- what is given ---- */

static VL_CALL(division_check)
{
    size_t count = vl_question_count(inputs);
    int64_t *statuses =
        vl_bag_add(outputs, "statuses", VL_I64, 2, (size_t[]){count, VL_PLAN_CHANGES});
    for (size_t i = 0; statuses != NULL && i < count * VL_PLAN_CHANGES; i++) {
        const struct vl_plan plan = vl_plan_changed(inputs, i);
        statuses[i] = vl_division_check(&plan.setting, &plan.division);
    }
    return statuses != NULL ? VL_OK : VL_EINTERNAL;
}

ASK(planned_parameters, parameters, 0)
{
    struct vl_parameters count;
    enum vl_status status = vl_planned_parameters(&count, &q->plan.setting.model);
    answer->numbers[0] = (double)count.all;
    answer->numbers[1] = (double)count.active;
    return status;
}

ASK(planned_chip, chip, 0)
{
    struct vl_chip chip = {0};
    enum vl_status status = vl_planned_chip(&chip, &q->plan.setting.model, &q->plan.division);
    const double all[] = {(double)chip.dense_layers, (double)chip.expert_layers, chip.common,
                          chip.experts, chip.unit};
    memcpy(answer, all, sizeof all);
    return status;
}

ASK(group_of, group, 0)
{
    struct vl_group group = {0};
    enum vl_status status = vl_group_of(&group, q->members, q->stride, &q->plan.setting.cluster);
    answer->numbers[0] = (double)group.inside;
    answer->numbers[1] = (double)group.across;
    return status;
}

ASK(group_exchange_seconds, seconds, 0)
{
    return vl_group_exchange_seconds(answer->numbers, &q->group, &q->plan.setting.cluster,
                                     q->bytes[0], q->bytes[1]);
}

ASK(domains_met, domains, 0)
{
    return vl_domains_met(answer->numbers, &q->plan.setting.model, q->group.across);
}

ASK(rule_tokens, tokens, 0)
{
    return vl_rule_tokens(answer->numbers, &q->plan.setting, q->bytes[0], &q->plan.division);
}

/* ---- what a chip computes and holds ---- */

ASK(planned_flops, flops, 2)
{
    return vl_planned_flops(GIVEN(1, &answer->work), GIVEN(2, &q->plan.setting.model),
                            q->plan.division.keep);
}

ASK(planned_arithmetic, seconds, 4)
{
    return vl_planned_arithmetic(GIVEN(1, answer->numbers), GIVEN(2, &q->work),
                                 GIVEN(3, &q->plan.setting), GIVEN(4, &q->plan.division));
}

ASK(planned_state_bytes, bytes, 4)
{
    return vl_planned_state_bytes(GIVEN(1, answer->numbers), GIVEN(2, &q->chip),
                                  GIVEN(3, &q->plan.setting.recipe), GIVEN(4, &q->plan.division));
}

ASK(planned_kept_bytes, bytes, 4)
{
    return vl_planned_kept_bytes(GIVEN(1, answer->numbers), GIVEN(2, &q->chip),
                                 GIVEN(3, &q->plan.setting), GIVEN(4, &q->plan.division));
}

/* ---- roads ---- */

/* Arguments 4 and 5 are not pointers: the group has nobody inside, or is in no domain. */
ASK(group_gather_seconds, seconds, 5)
{
    const struct vl_group group = {q->missing == 4 ? 0 : q->group.inside,
                                   q->missing == 5 ? 0 : q->group.across};
    return vl_group_gather_seconds(GIVEN(1, answer->numbers), GIVEN(2, &group),
                                   GIVEN(3, &q->plan.setting.cluster), q->bytes[0]);
}

ASK(planned_traffic, traffic, 5)
{
    return vl_planned_traffic(GIVEN(1, &answer->traffic), GIVEN(2, &q->chip), GIVEN(3, &q->group),
                              GIVEN(4, &q->plan.setting), GIVEN(5, &q->plan.division));
}

/* ---- a step, and all of it ---- */

ASK(planned_step, step, 5)
{
    return vl_planned_step(GIVEN(1, &answer->step), GIVEN(2, &q->loads), GIVEN(3, &q->work),
                           GIVEN(4, &q->plan.setting), GIVEN(5, &q->plan.division));
}

ASK(whole_plan, whole, 0)
{
    struct vl_forecast f;
    enum vl_status status = vl_forecast_make(&f, &q->plan.setting, &q->plan.division);
    if (status != VL_OK)
        return status;
    const struct vl_flowing *flowing = &f.loads.flowing;
    const double all[] = {f.state_bytes,
                          f.kept_bytes,
                          f.loads.arithmetic,
                          f.loads.tensor,
                          flowing->experts,
                          flowing->pipeline,
                          flowing->data,
                          f.loads.closing,
                          f.step.seconds,
                          f.step.mfu,
                          f.fits};
    memcpy(answer, all, sizeof all);
    return status;
}

static enum vl_status search(double *seconds, const struct vl_bag *inputs, size_t most_pipeline)
{
    struct vl_forecast best;
    const struct vl_search among = {(size_t)vl_bag_int(inputs, "chips"), most_pipeline, 0};
    size_t count = 0;
    enum vl_status status =
        vl_forecast_search(&best, &count, 1, &vl_questions(inputs)->plan.setting, &among);
    *seconds = count > 0 ? best.step.seconds : INFINITY;
    return status;
}

static VL_CALL(best_plan)
{
    double of_all = 0, without = 0;
    enum vl_status status = search(&of_all, inputs, 0);
    VL_NEXT(status, search(&without, inputs, 1));
    return vl_give_reals(outputs, status, {"of_all", of_all}, {"without", without});
}

/* ---- the crossover ---- */

enum { ENDLESS_CALLS = 2000 }; /* after this many, the search is stopped */

/* What the submission gets as the context: it cannot reach the count through it. */
static const char ticket;
static struct vl_plan_crossover asked;
static int64_t calls;

static enum vl_status rivals_at(void *context, double *without, double *of_all, double bandwidth)
{
    if (context != &ticket)
        return VL_EINVAL;
    calls++;
    if (calls == asked.fails_at || calls > ENDLESS_CALLS)
        return VL_ENOMEM;
    *of_all = vl_plan_of_all(&asked, bandwidth);
    *without = vl_plan_without(&asked, bandwidth);
    return VL_OK;
}

static enum vl_status crossover_badly(struct vl_bag *outputs)
{
    const struct vl_rivals rivals = {(void *)&ticket, rivals_at};
    double bandwidth, low = asked.low, high = asked.high, slack = asked.slack;
    return vl_first_unrefused(outputs,
                              {"bandwidth = NULL", vl_crossover(NULL, low, high, slack, &rivals)},
                              {"rivals = NULL", vl_crossover(&bandwidth, low, high, slack, NULL)},
                              {"low = 0", vl_crossover(&bandwidth, 0, high, slack, &rivals)},
                              {"low > high", vl_crossover(&bandwidth, high, low, slack, &rivals)},
                              {"slack < 0", vl_crossover(&bandwidth, low, high, -slack, &rivals)},
                              {"low = NAN", vl_crossover(&bandwidth, NAN, high, slack, &rivals)},
                              {"high = NAN", vl_crossover(&bandwidth, low, NAN, slack, &rivals)},
                              {"slack = NAN", vl_crossover(&bandwidth, low, high, NAN, &rivals)});
}

/* One search, of what is asked; too many calls say more than the status that stopped them. */
static enum vl_status search_crossover(double *bandwidth, int64_t *endless)
{
    const struct vl_rivals rivals = {(void *)&ticket, rivals_at};
    calls = 0;
    enum vl_status status = vl_crossover(bandwidth, asked.low, asked.high, asked.slack, &rivals);
    *endless = isinf(*bandwidth) != 0;
    if (*endless || calls > ENDLESS_CALLS)
        *bandwidth = 0;
    return calls > ENDLESS_CALLS && asked.fails_at == 0 ? VL_OK : status;
}

/* Each search comes to the same end; the first that does not is the answer. */
static VL_CALL(crossover)
{
    size_t count = vl_plan_crossover_count(inputs);
    double *bandwidth = vl_unwritten_doubles(outputs, "bandwidth", count);
    int64_t *endless = vl_unwritten_numbers(outputs, "endless", 1, count);
    int64_t *made = vl_unwritten_numbers(outputs, "calls", 1, count);
    if (bandwidth == NULL || endless == NULL || made == NULL)
        return VL_EINTERNAL;
    enum vl_status status = VL_OK, right = VL_OK;
    for (size_t i = 0; i < count && status == right; i++) {
        asked = vl_plan_crossover_of(inputs)[i];
        if (vl_bag_int(inputs, "bad"))
            return crossover_badly(outputs);
        right = asked.fails_at > 0 ? VL_ENOMEM : VL_OK;
        status = search_crossover(&bandwidth[i], &endless[i]);
        made[i] = calls;
    }
    return status;
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
    VL_CALLED(division_check),
    VL_CALLED(planned_parameters),
    VL_CALLED(planned_chip),
    VL_CALLED(group_of),
    VL_CALLED(group_exchange_seconds),
    VL_CALLED(rule_tokens),
    VL_CALLED(planned_flops),
    VL_CALLED(planned_arithmetic),
    VL_CALLED(planned_state_bytes),
    VL_CALLED(planned_kept_bytes),
    VL_CALLED(group_gather_seconds),
    VL_CALLED(planned_traffic),
    VL_CALLED(planned_step),
    VL_CALLED(domains_met),
    VL_CALLED(crossover),
    VL_CALLED(divisions_order),
    VL_CALLED(divisions_crossover),
    VL_CALLED(predict_plan),
    {"whole_plan", vl_call_whole_plan},
    {"best_plan", vl_call_best_plan},
    {NULL, NULL},
};
