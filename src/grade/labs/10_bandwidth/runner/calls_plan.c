/*
 * Calls of lab 10: what is given, and what a chip computes and holds.
 */
#include "grade/labs/10_bandwidth/runner/plan_site.h"

#include <string.h>

enum vl_status vl_first_unrefused(const enum vl_status *statuses, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (statuses[i] != VL_EINVAL)
            return statuses[i];
    return VL_EINVAL;
}

enum vl_status vl_ask_all(struct vl_bag *outputs, const struct vl_bag *inputs,
                          const char *const *names, vl_ask *ask, vl_ask *refuse)
{
    double *arrays[VL_PLAN_MOST_NAMES], results[VL_PLAN_MOST_NAMES] = {0};
    size_t rows = vl_plan_rows(inputs), count = 0;
    if (refuse != NULL && vl_bag_int(inputs, "bad")) {
        const struct vl_question q = vl_question_read(inputs, 0, results);
        return refuse(&q);
    }
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

VL_ASK(planned_parameters, parameters, NULL)
{
    struct vl_parameters count;
    enum vl_status status = vl_planned_parameters(&count, &q->plan.setting.model);
    q->results[0] = (double)count.all;
    q->results[1] = (double)count.active;
    return status;
}

VL_ASK(planned_chip, chip, NULL)
{
    struct vl_chip chip = {0};
    enum vl_status status = vl_planned_chip(&chip, &q->plan.setting.model, &q->plan.division);
    const double all[] = {(double)chip.dense_layers, (double)chip.expert_layers, chip.common,
                          chip.experts, chip.unit};
    memcpy(q->results, all, sizeof all);
    return status;
}

VL_ASK(group_of, group, NULL)
{
    struct vl_group group = {0};
    enum vl_status status =
        vl_group_of(&group, (size_t)q->members[0], (size_t)q->members[1], &q->plan.setting.cluster);
    q->results[0] = (double)group.inside;
    q->results[1] = (double)group.across;
    return status;
}

VL_ASK(group_exchange_seconds, seconds, NULL)
{
    return vl_group_exchange_seconds(q->results, &q->group, &q->plan.setting.cluster, q->bytes[0],
                                     q->bytes[1]);
}

VL_ASK(rule_tokens, tokens, NULL)
{
    return vl_rule_tokens(q->results, &q->plan.setting, q->bytes[0], &q->plan.division);
}

/* ---- what a chip computes and holds ---- */

static enum vl_status refuse_flops(const struct vl_question *q)
{
    struct vl_work work;
    return VL_REFUSED(vl_planned_flops(NULL, &q->plan.setting.model, VL_KEEP_ALL),
                      vl_planned_flops(&work, NULL, VL_KEEP_ALL));
}

VL_ASK(planned_flops, flops, refuse_flops)
{
    struct vl_work work = {q->results[0], q->results[1]};
    enum vl_status status = vl_planned_flops(&work, &q->plan.setting.model, q->plan.division.keep);
    q->results[0] = work.useful;
    q->results[1] = work.again;
    return status;
}

static enum vl_status refuse_arithmetic(const struct vl_question *q)
{
    double *seconds = q->results;
    const struct vl_setting *s = &q->plan.setting;
    const struct vl_division *d = &q->plan.division;
    return VL_REFUSED(vl_planned_arithmetic(NULL, &q->work, s, d),
                      vl_planned_arithmetic(seconds, NULL, s, d),
                      vl_planned_arithmetic(seconds, &q->work, NULL, d),
                      vl_planned_arithmetic(seconds, &q->work, s, NULL));
}

VL_ASK(planned_arithmetic, seconds, refuse_arithmetic)
{
    return vl_planned_arithmetic(q->results, &q->work, &q->plan.setting, &q->plan.division);
}

static enum vl_status refuse_state(const struct vl_question *q)
{
    double *bytes = q->results;
    const struct vl_recipe *recipe = &q->plan.setting.recipe;
    const struct vl_division *d = &q->plan.division;
    return VL_REFUSED(vl_planned_state_bytes(NULL, &q->chip, recipe, d),
                      vl_planned_state_bytes(bytes, NULL, recipe, d),
                      vl_planned_state_bytes(bytes, &q->chip, NULL, d),
                      vl_planned_state_bytes(bytes, &q->chip, recipe, NULL));
}

VL_ASK(planned_state_bytes, bytes, refuse_state)
{
    return vl_planned_state_bytes(q->results, &q->chip, &q->plan.setting.recipe, &q->plan.division);
}

static enum vl_status refuse_kept(const struct vl_question *q)
{
    double *bytes = q->results;
    const struct vl_setting *s = &q->plan.setting;
    const struct vl_division *d = &q->plan.division;
    return VL_REFUSED(vl_planned_kept_bytes(NULL, &q->chip, s, d),
                      vl_planned_kept_bytes(bytes, NULL, s, d),
                      vl_planned_kept_bytes(bytes, &q->chip, NULL, d),
                      vl_planned_kept_bytes(bytes, &q->chip, s, NULL));
}

VL_ASK(planned_kept_bytes, bytes, refuse_kept)
{
    return vl_planned_kept_bytes(q->results, &q->chip, &q->plan.setting, &q->plan.division);
}
