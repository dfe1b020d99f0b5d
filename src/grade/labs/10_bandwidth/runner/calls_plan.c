/*
 * Calls of lab 10: what is given, and what a chip computes and holds.
 */
#include "grade/labs/10_bandwidth/runner/plan_site.h"

enum { MOST_RESULTS = 16 };

enum vl_status vl_first_unrefused(const enum vl_status *statuses, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (statuses[i] != VL_EINVAL)
            return statuses[i];
    return VL_EINVAL;
}

struct vl_question vl_question_of(const struct vl_bag *inputs, size_t row, double *results)
{
    const double *c = vl_plan_row(inputs, "chip", row, 5);
    const double *g = vl_plan_row(inputs, "group", row, 2);
    const double *w = vl_plan_row(inputs, "work", row, 2);
    const double *l = vl_plan_row(inputs, "loads", row, 4);
    return (struct vl_question){.plan = vl_plan_read(inputs, row),
                                .chip = {(size_t)c[0], (size_t)c[1], c[2], c[3], c[4]},
                                .group = {(size_t)g[0], (size_t)g[1]},
                                .work = {w[0], w[1]},
                                .loads = {l[0], l[1], l[2], l[3]},
                                .bytes = vl_plan_row(inputs, "bytes", row, 2),
                                .members = vl_plan_row(inputs, "members", row, 2),
                                .results = results};
}

enum vl_status vl_ask_all(struct vl_bag *outputs, const struct vl_bag *inputs,
                          const char *const *names,
                          enum vl_status (*ask)(const struct vl_question *q))
{
    double *arrays[MOST_RESULTS], results[MOST_RESULTS];
    size_t rows = vl_plan_rows(inputs), count = 0;
    enum vl_status status = VL_OK;
    for (; names[count] != NULL; count++) {
        if ((arrays[count] = vl_bag_add_f64(outputs, names[count], 1, rows)) == NULL)
            return VL_EINTERNAL;
        vl_bag_poison(outputs, names[count]);
    }
    for (size_t row = 0; status == VL_OK && row < rows; row++) {
        for (size_t i = 0; i < count; i++)
            results[i] = arrays[i][row];
        const struct vl_question q = vl_question_of(inputs, row, results);
        status = ask(&q);
        for (size_t i = 0; i < count; i++)
            arrays[i][row] = results[i];
    }
    return status;
}

static const char *const seconds_name[] = {"seconds", NULL}, *const bytes_name[] = {"bytes", NULL};

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

static enum vl_status ask_parameters(const struct vl_question *q)
{
    struct vl_parameters count;
    enum vl_status status = vl_planned_parameters(&count, &q->plan.setting.model);
    q->results[0] = (double)count.all;
    q->results[1] = (double)count.active;
    return status;
}

static enum vl_status ask_chip(const struct vl_question *q)
{
    struct vl_chip chip = {0};
    enum vl_status status = vl_planned_chip(&chip, &q->plan.setting.model, &q->plan.division);
    q->results[0] = (double)chip.dense_layers;
    q->results[1] = (double)chip.expert_layers;
    q->results[2] = chip.common;
    q->results[3] = chip.experts;
    q->results[4] = chip.unit;
    return status;
}

static enum vl_status ask_group(const struct vl_question *q)
{
    struct vl_group group = {0};
    enum vl_status status =
        vl_group_of(&group, (size_t)q->members[0], (size_t)q->members[1], &q->plan.setting.cluster);
    q->results[0] = (double)group.inside;
    q->results[1] = (double)group.across;
    return status;
}

static enum vl_status ask_exchange(const struct vl_question *q)
{
    return vl_group_exchange_seconds(q->results, &q->group, &q->plan.setting.cluster, q->bytes[0],
                                     q->bytes[1]);
}

static enum vl_status ask_rule(const struct vl_question *q)
{
    return vl_rule_tokens(q->results, &q->plan.setting, q->bytes[0], &q->plan.division);
}

VL_CALL(planned_parameters)
{
    static const char *const names[] = {"all", "active", NULL};
    return vl_ask_all(outputs, inputs, names, ask_parameters);
}

VL_CALL(planned_chip)
{
    static const char *const names[] = {"dense_layers", "expert_layers", "common",
                                        "experts",      "unit",          NULL};
    return vl_ask_all(outputs, inputs, names, ask_chip);
}

VL_CALL(group_of)
{
    static const char *const names[] = {"inside", "across", NULL};
    return vl_ask_all(outputs, inputs, names, ask_group);
}

VL_CALL(group_exchange)
{
    return vl_ask_all(outputs, inputs, seconds_name, ask_exchange);
}

VL_CALL(rule_tokens)
{
    static const char *const names[] = {"tokens", NULL};
    return vl_ask_all(outputs, inputs, names, ask_rule);
}

/* ---- what a chip computes and holds ---- */

static enum vl_status ask_flops(const struct vl_question *q)
{
    struct vl_work work = {q->results[0], q->results[1]};
    enum vl_status status = vl_planned_flops(&work, &q->plan.setting.model, q->plan.division.keep);
    q->results[0] = work.useful;
    q->results[1] = work.again;
    return status;
}

static enum vl_status ask_arithmetic(const struct vl_question *q)
{
    return vl_planned_arithmetic(q->results, &q->work, &q->plan.setting, &q->plan.division);
}

static enum vl_status ask_state(const struct vl_question *q)
{
    return vl_planned_state_bytes(q->results, &q->chip, &q->plan.setting.recipe, &q->plan.division);
}

static enum vl_status ask_kept(const struct vl_question *q)
{
    return vl_planned_kept_bytes(q->results, &q->chip, &q->plan.setting, &q->plan.division);
}

VL_CALL(planned_flops)
{
    static const char *const names[] = {"useful", "again", NULL};
    struct vl_work work;
    const struct vl_plan plan = vl_plan_read(inputs, 0);
    const struct vl_blueprint *model = &plan.setting.model;
    if (vl_bag_int(inputs, "bad"))
        return VL_REFUSED(vl_planned_flops(NULL, model, VL_KEEP_ALL),
                          vl_planned_flops(&work, NULL, VL_KEEP_ALL));
    return vl_ask_all(outputs, inputs, names, ask_flops);
}

VL_CALL(planned_arithmetic)
{
    double seconds;
    const struct vl_work work = {1, 1};
    const struct vl_plan plan = vl_plan_read(inputs, 0);
    if (vl_bag_int(inputs, "bad"))
        return VL_REFUSED(vl_planned_arithmetic(NULL, &work, &plan.setting, &plan.division),
                          vl_planned_arithmetic(&seconds, NULL, &plan.setting, &plan.division),
                          vl_planned_arithmetic(&seconds, &work, NULL, &plan.division),
                          vl_planned_arithmetic(&seconds, &work, &plan.setting, NULL));
    return vl_ask_all(outputs, inputs, seconds_name, ask_arithmetic);
}

VL_CALL(planned_state)
{
    double bytes;
    const struct vl_question q = vl_question_of(inputs, 0, &bytes);
    const struct vl_recipe *recipe = &q.plan.setting.recipe;
    if (vl_bag_int(inputs, "bad"))
        return VL_REFUSED(vl_planned_state_bytes(NULL, &q.chip, recipe, &q.plan.division),
                          vl_planned_state_bytes(&bytes, NULL, recipe, &q.plan.division),
                          vl_planned_state_bytes(&bytes, &q.chip, NULL, &q.plan.division),
                          vl_planned_state_bytes(&bytes, &q.chip, recipe, NULL));
    return vl_ask_all(outputs, inputs, bytes_name, ask_state);
}

VL_CALL(planned_kept)
{
    double bytes;
    const struct vl_question q = vl_question_of(inputs, 0, &bytes);
    if (vl_bag_int(inputs, "bad"))
        return VL_REFUSED(vl_planned_kept_bytes(NULL, &q.chip, &q.plan.setting, &q.plan.division),
                          vl_planned_kept_bytes(&bytes, NULL, &q.plan.setting, &q.plan.division),
                          vl_planned_kept_bytes(&bytes, &q.chip, NULL, &q.plan.division),
                          vl_planned_kept_bytes(&bytes, &q.chip, &q.plan.setting, NULL));
    return vl_ask_all(outputs, inputs, bytes_name, ask_kept);
}
