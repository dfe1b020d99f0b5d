/*
 * What lab 10 must give.
 */
#include "grade/catalogue/maker.h"
#include "grade/labs/10_bandwidth/bandwidth.h"

#include <math.h>

static enum vl_status refused(struct vl_bag *expected, enum vl_status status)
{
    return vl_bag_set_int(expected, "status", status) ? VL_OK : VL_ENOMEM;
}

enum vl_status vl_plan_answers(struct vl_bag *answer, const char *const *names,
                               const struct vl_bag *inputs, vl_plan_answer *of, int mistake)
{
    enum { MOST = 16 };
    double *arrays[MOST], results[MOST];
    size_t rows = vl_plan_rows(inputs), count = 0;
    for (; names[count] != NULL; count++)
        if ((arrays[count] = vl_bag_add_f64(answer, names[count], 1, rows)) == NULL)
            return VL_ENOMEM;
    for (size_t row = 0; row < rows; row++) {
        const struct vl_plan plan = vl_plan_read(inputs, row);
        of(results, &plan, inputs, row, mistake);
        for (size_t i = 0; i < count; i++)
            arrays[i][row] = results[i];
    }
    return VL_OK;
}

static enum vl_status right(struct vl_bag *expected, const char *const *names,
                            const struct vl_bag *inputs, vl_plan_answer *of)
{
    return vl_bag_int(inputs, "bad") ? refused(expected, VL_EINVAL)
                                     : vl_plan_answers(expected, names, inputs, of, 0);
}

#define RIGHT(function, answer, names)                                                             \
    VL_TRUTH(function)                                                                             \
    {                                                                                              \
        return right(expected, vl_plan_##names##_names, inputs, vl_plan_##answer);                 \
    }

RIGHT(planned_flops, flops, flops)
RIGHT(planned_arithmetic, arithmetic, arithmetic)
RIGHT(planned_state_bytes, state, bytes)
RIGHT(planned_kept_bytes, kept, bytes)
RIGHT(group_gather_seconds, gather, gather)
RIGHT(planned_traffic, traffic, traffic)
RIGHT(planned_step, step, step)
RIGHT(whole_plan, whole, whole)

struct vl_oracle_chip vl_plan_chip_read(const struct vl_bag *inputs, size_t row)
{
    const double *chip = vl_plan_row(inputs, "chip", row, 5);
    return (struct vl_oracle_chip){(size_t)chip[0], (size_t)chip[1], chip[2], chip[3], chip[4]};
}

/* ---- what is given ---- */

int vl_plan_can_be(const struct vl_plan *plan)
{
    const struct vl_blueprint *m = &plan->setting.model;
    const struct vl_division *d = &plan->division;
    size_t replicas = d->data * d->expert, batch = plan->setting.recipe.batch;
    const int holds[] = {d->micro_batches > 0,
                         m->heads % d->tensor == 0,
                         m->experts == 0 ? d->expert == 1
                                         : m->experts % (d->tensor * d->expert) == 0,
                         d->pipeline * d->chunks <= m->layers,
                         d->chunks == 1 || d->pipeline > 1,
                         d->chunks == 1 || d->micro_batches % d->pipeline == 0,
                         replicas <= batch,
                         replicas * (d->micro_batches - 1) < batch};
    for (size_t i = 0; i < sizeof holds / sizeof *holds; i++)
        if (!holds[i])
            return 0;
    return 1;
}

VL_TRUTH(division_check)
{
    const size_t shape[] = {vl_plan_rows(inputs), VL_PLAN_CHANGES};
    int64_t *statuses = vl_bag_add(expected, "statuses", VL_I64, 2, shape);
    for (size_t i = 0; statuses != NULL && i < shape[0] * shape[1]; i++) {
        const struct vl_plan plan = vl_plan_changed(inputs, i);
        statuses[i] = vl_plan_can_be(&plan) ? VL_OK : VL_ESHAPE;
    }
    return statuses != NULL ? VL_OK : VL_ENOMEM;
}

static void parameters(double *results, const struct vl_plan *plan, const struct vl_bag *inputs,
                       size_t row, int mistake)
{
    (void)inputs, (void)row, (void)mistake;
    vl_oracle_plan_parameters(&results[0], &results[1], &plan->setting.model);
}

VL_TRUTH(planned_parameters)
{
    static const char *const names[] = {"all", "active", NULL};
    return right(expected, names, inputs, parameters);
}

static void chip(double *results, const struct vl_plan *plan, const struct vl_bag *inputs,
                 size_t row, int mistake)
{
    (void)plan, (void)mistake;
    for (size_t i = 0; i < 5; i++)
        results[i] = vl_plan_row(inputs, "chip", row, 5)[i];
}

VL_TRUTH(planned_chip)
{
    static const char *const names[] = {"dense_layers", "expert_layers", "common",
                                        "experts",      "unit",          NULL};
    return right(expected, names, inputs, chip);
}

static void group(double *results, const struct vl_plan *plan, const struct vl_bag *inputs,
                  size_t row, int mistake)
{
    (void)mistake;
    const double *members = vl_plan_row(inputs, "members", row, 2);
    results[0] = (double)vl_oracle_plan_inside((size_t)members[0], (size_t)members[1],
                                               plan->setting.cluster.domain);
    results[1] = members[0] / results[0];
}

VL_TRUTH(group_of)
{
    static const char *const names[] = {"inside", "across", NULL};
    return right(expected, names, inputs, group);
}

static void exchange(double *results, const struct vl_plan *plan, const struct vl_bag *inputs,
                     size_t row, int mistake)
{
    (void)mistake;
    const double *g = vl_plan_row(inputs, "group", row, 2);
    const double *bytes = vl_plan_row(inputs, "bytes", row, 2);
    results[0] = vl_oracle_plan_exchange((size_t)g[0], (size_t)g[1], &plan->setting.cluster,
                                         bytes[0], bytes[1]);
}

VL_TRUTH(group_exchange_seconds)
{
    return right(expected, vl_plan_gather_names, inputs, exchange);
}

static void rule(double *results, const struct vl_plan *plan, const struct vl_bag *inputs,
                 size_t row, int mistake)
{
    (void)mistake;
    const struct vl_division *d = &plan->division;
    const struct vl_blueprint *m = &plan->setting.model;
    double tokens = plan->setting.cluster.peak / vl_plan_row(inputs, "bytes", row, 2)[0];
    if (m->experts > 0)
        tokens *= (double)m->experts / (double)m->chosen;
    results[0] = tokens / (double)(d->tensor * d->expert * d->pipeline);
}

VL_TRUTH(rule_tokens)
{
    static const char *const names[] = {"tokens", NULL};
    return right(expected, names, inputs, rule);
}

/* ---- the crossover ---- */

/* To a thousandth: the oracle finds it to a ten-thousandth, and the middle of what is right is half
 * a thousandth above. What is right at low is low itself. */
VL_TRUTH(crossover)
{
    struct vl_plan_rivals rivals = vl_plan_rivals_read(inputs);
    double low = vl_bag_real(inputs, "low");
    if (vl_bag_int(inputs, "bad"))
        return refused(expected, VL_EINVAL);
    if (vl_bag_int(inputs, "fails_at"))
        return refused(expected, VL_ENOMEM);
    double found =
        vl_oracle_crossover(low, vl_bag_real(inputs, "high"), vl_bag_real(inputs, "slack"),
                            vl_plan_without, vl_plan_of_all, &rivals);
    if (isfinite(found) && found > low)
        found *= 1.00045;
    return vl_bag_set_int(expected, "endless", isinf(found) != 0) &&
                   vl_bag_set_real(expected, "bandwidth", isinf(found) ? 0 : found)
               ? VL_OK
               : VL_ENOMEM;
}

/* ---- the search ---- */

static double seconds_of(const struct vl_plan *plan, int memory_counts)
{
    struct vl_oracle_forecast forecast;
    if (!vl_plan_can_be(plan))
        return INFINITY;
    vl_oracle_plan_forecast(&forecast, &plan->setting, &plan->division);
    return memory_counts && !forecast.fits ? INFINITY : forecast.step[3];
}

/* All ways of cutting the sequences, of ZeRO and of keeping, for one grid. */
static double best_of_grid(struct vl_plan plan, int memory_counts)
{
    double best = INFINITY;
    struct vl_division *d = &plan.division;
    size_t replicas = d->data * d->expert;
    size_t sequences = (plan.setting.recipe.batch + replicas - 1) / replicas;
    for (size_t rows = 1; rows <= 8 && rows <= sequences; rows *= 2)
        for (d->chunks = 1; d->chunks <= 4; d->chunks++)
            for (size_t i = 0; i < 12; i++) {
                size_t m = sequences / rows;
                d->micro_batches = d->chunks > 1 ? m - m % d->pipeline : m;
                d->zero = i / 3;
                d->keep = (enum vl_keep)(i % 3);
                best = fmin(best, seconds_of(&plan, memory_counts));
            }
    return best;
}

double vl_plan_best_seconds(const struct vl_setting *setting, size_t chips, size_t most_pipeline,
                            int memory_counts)
{
    double best = INFINITY;
    struct vl_plan plan = {.setting = *setting};
    struct vl_division *d = &plan.division;
    for (d->tensor = 1; d->tensor <= chips; d->tensor++)
        for (d->expert = 1; d->tensor * d->expert <= chips; d->expert++)
            for (d->data = 1; d->tensor * d->expert * d->data <= chips; d->data++) {
                size_t rest = d->tensor * d->expert * d->data;
                d->pipeline = chips / rest;
                if (d->pipeline * rest == chips &&
                    (most_pipeline == 0 || d->pipeline <= most_pipeline))
                    best = fmin(best, best_of_grid(plan, memory_counts));
            }
    return best;
}

VL_TRUTH(best_plan)
{
    const struct vl_plan plan = vl_plan_read(inputs, 0);
    size_t chips = vl_bag_size(inputs, "chips");
    double without = vl_plan_best_seconds(&plan.setting, chips, 1, 1);
    double of_all = vl_plan_best_seconds(&plan.setting, chips, 0, 1);
    return vl_bag_set_real(expected, "without", without) &&
                   vl_bag_set_real(expected, "of_all", of_all)
               ? VL_OK
               : VL_ENOMEM;
}
