/*
 * Calls of lab 10: what is given, and what a chip computes and holds.
 */
#include "grade/labs/10_bandwidth/runner/plan_site.h"

#include <string.h>

static enum vl_status ask_badly(struct vl_question q, vl_ask *ask, int pointers)
{
    enum vl_status status = VL_EINVAL;
    for (q.missing = 1; q.missing <= pointers && status == VL_EINVAL; q.missing++)
        status = ask(&q);
    return status;
}

enum vl_status vl_ask_all(struct vl_bag *outputs, const struct vl_bag *inputs,
                          const char *const *names, vl_ask *ask, int pointers)
{
    double *arrays[VL_PLAN_MOST_NAMES], results[VL_PLAN_MOST_NAMES] = {0};
    size_t rows = vl_plan_rows(inputs), count = 0;
    if (vl_bag_int(inputs, "bad"))
        return ask_badly(vl_question_read(inputs, 0, results), ask, pointers);
    enum vl_status status = VL_OK;
    for (; names[count] != NULL; count++) {
        if ((arrays[count] = vl_bag_add_f64(outputs, names[count], 1, rows)) == NULL)
            return VL_EINTERNAL;
        vl_bag_poison(outputs, names[count]);
    }
    for (size_t row = 0; status == VL_OK && row < rows; row++) {
        for (size_t i = 0; i < count; i++)
            results[i] = arrays[i][row];
        const struct vl_question q = vl_question_read(inputs, row, results);
        status = ask(&q);
        for (size_t i = 0; i < count; i++)
            arrays[i][row] = results[i];
    }
    return status;
}

/* ---- what is given ---- */

VL_CALL(division_check)
{
    const size_t shape[] = {vl_plan_rows(inputs), VL_PLAN_CHANGES};
    int64_t *statuses = vl_bag_add(outputs, "statuses", VL_I64, 2, shape);
    for (size_t i = 0; statuses != NULL && i < shape[0] * shape[1]; i++) {
        const struct vl_plan plan = vl_plan_changed(inputs, i);
        statuses[i] = vl_division_check(&plan.setting, &plan.division);
    }
    return statuses != NULL ? VL_OK : VL_EINTERNAL;
}

VL_ASK(planned_parameters, parameters, 0)
{
    struct vl_parameters count;
    enum vl_status status = vl_planned_parameters(&count, &q->plan.setting.model);
    q->results[0] = (double)count.all;
    q->results[1] = (double)count.active;
    return status;
}

VL_ASK(planned_chip, chip, 0)
{
    struct vl_chip chip = {0};
    enum vl_status status = vl_planned_chip(&chip, &q->plan.setting.model, &q->plan.division);
    const double all[] = {(double)chip.dense_layers, (double)chip.expert_layers, chip.common,
                          chip.experts, chip.unit};
    memcpy(q->results, all, sizeof all);
    return status;
}

VL_ASK(group_of, group, 0)
{
    struct vl_group group = {0};
    enum vl_status status =
        vl_group_of(&group, (size_t)q->members[0], (size_t)q->members[1], &q->plan.setting.cluster);
    q->results[0] = (double)group.inside;
    q->results[1] = (double)group.across;
    return status;
}

VL_ASK(group_exchange_seconds, seconds, 0)
{
    return vl_group_exchange_seconds(q->results, &q->group, &q->plan.setting.cluster, q->bytes[0],
                                     q->bytes[1]);
}

VL_ASK(rule_tokens, tokens, 0)
{
    return vl_rule_tokens(q->results, &q->plan.setting, q->bytes[0], &q->plan.division);
}

/* ---- what a chip computes and holds ---- */

VL_ASK(planned_flops, flops, 2)
{
    struct vl_work work = {q->results[0], q->results[1]};
    enum vl_status status = vl_planned_flops(
        VL_GIVEN(1, &work), VL_GIVEN(2, &q->plan.setting.model), q->plan.division.keep);
    q->results[0] = work.useful;
    q->results[1] = work.again;
    return status;
}

VL_ASK(planned_arithmetic, seconds, 4)
{
    return vl_planned_arithmetic(VL_GIVEN(1, q->results), VL_GIVEN(2, &q->work),
                                 VL_GIVEN(3, &q->plan.setting), VL_GIVEN(4, &q->plan.division));
}

VL_ASK(planned_state_bytes, bytes, 4)
{
    return vl_planned_state_bytes(VL_GIVEN(1, q->results), VL_GIVEN(2, &q->chip),
                                  VL_GIVEN(3, &q->plan.setting.recipe),
                                  VL_GIVEN(4, &q->plan.division));
}

VL_ASK(planned_kept_bytes, bytes, 4)
{
    return vl_planned_kept_bytes(VL_GIVEN(1, q->results), VL_GIVEN(2, &q->chip),
                                 VL_GIVEN(3, &q->plan.setting), VL_GIVEN(4, &q->plan.division));
}
