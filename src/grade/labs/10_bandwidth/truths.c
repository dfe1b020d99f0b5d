/*
 * What lab 10 must give.
 */
#include "grade/catalogue/maker.h"
#include "grade/catalogue/scope.h"
#include "grade/labs/10_bandwidth/bandwidth.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* A truth whose body answers one question; a refusal if the inputs are bad. */
#define TRUTH(name, names)                                                                         \
    static void name(double *results, const struct vl_question *q);                                \
    static enum vl_status ask_##name(union vl_answer *answer, const struct vl_question *q)         \
    {                                                                                              \
        name(answer->numbers, q);                                                                  \
        return VL_OK;                                                                              \
    }                                                                                              \
    VL_TRUTH(name)                                                                                 \
    {                                                                                              \
        if (vl_bag_int(inputs, "bad"))                                                             \
            return vl_answer_int(expected, "status", VL_EINVAL);                                   \
        return vl_ask_all(expected, inputs, vl_names_##names, ask_##name) ? VL_ENOMEM : VL_OK;     \
    }                                                                                              \
    static void name(double *results, const struct vl_question *q)

/* ---- what is given ---- */

bool vl_plan_can_be(const struct vl_plan *plan)
{
    const struct vl_blueprint *m = &plan->setting.model;
    const struct vl_division *d = &plan->division;
    size_t replicas = d->data * d->expert, batch = plan->setting.recipe.batch;
    return d->micro_batches > 0 && m->heads % d->tensor == 0 &&
           (m->experts == 0 ? d->expert == 1 : m->experts % (d->tensor * d->expert) == 0) &&
           d->pipeline * d->chunks <= m->layers + (d->chunks > 1 ? 2 : 0) &&
           (d->chunks == 1 || d->pipeline > 1) &&
           (d->chunks == 1 || d->micro_batches % d->pipeline == 0) && replicas <= batch &&
           replicas * (d->micro_batches - 1) < batch;
}

VL_TRUTH(division_check)
{
    size_t count = vl_question_count(inputs);
    int64_t *statuses =
        vl_bag_add(expected, "statuses", VL_I64, 2, (size_t[]){count, VL_PLAN_CHANGES});
    for (size_t i = 0; statuses != NULL && i < count * VL_PLAN_CHANGES; i++) {
        const struct vl_plan plan = vl_plan_changed(inputs, i);
        statuses[i] = vl_plan_can_be(&plan) ? VL_OK : VL_ESHAPE;
    }
    return statuses != NULL ? VL_OK : VL_ENOMEM;
}

TRUTH(planned_parameters, parameters)
{
    vl_oracle_plan_parameters(&results[0], &results[1], &q->plan.setting.model);
}

TRUTH(planned_chip, chip)
{
    const double all[] = {(double)q->chip.dense_layers, (double)q->chip.expert_layers,
                          q->chip.common, q->chip.experts, q->chip.unit};
    memcpy(results, all, sizeof all);
}

TRUTH(group_of, group)
{
    size_t inside = vl_oracle_plan_inside(q->members, q->stride, q->plan.setting.cluster.domain);
    results[0] = (double)inside;
    results[1] = (double)(q->members / inside);
}

TRUTH(group_exchange_seconds, seconds)
{
    results[0] = vl_oracle_plan_exchange(q->group.inside, q->group.across, &q->plan.setting.cluster,
                                         q->bytes[0], q->bytes[1]);
}

TRUTH(domains_met, domains)
{
    results[0] = vl_oracle_plan_domains(&q->plan.setting.model, q->group.across);
}

TRUTH(rule_tokens, tokens)
{
    const struct vl_division *d = &q->plan.division;
    const struct vl_blueprint *m = &q->plan.setting.model;
    double tokens = q->plan.setting.cluster.peak / q->bytes[0];
    if (m->experts > 0)
        tokens *= (double)m->experts / (double)m->chosen;
    results[0] = tokens / (double)(d->tensor * d->expert * d->pipeline);
}

/* ---- one division ---- */

static struct vl_oracle_chip chip_of(const struct vl_question *q)
{
    return (struct vl_oracle_chip){q->chip.dense_layers, q->chip.expert_layers, q->chip.common,
                                   q->chip.experts, q->chip.unit};
}

TRUTH(planned_flops, flops)
{
    vl_oracle_plan_flops(&results[0], &results[1], &q->plan.setting.model, q->plan.division.keep);
    results[2] = vl_oracle_plan_head(&q->plan.setting.model);
}

TRUTH(planned_arithmetic, seconds)
{
    results[0] = vl_oracle_plan_arithmetic(q->work.useful + q->work.again, q->work.head,
                                           &q->plan.setting, &q->plan.division);
}

TRUTH(planned_state_bytes, bytes)
{
    const struct vl_oracle_chip chip = chip_of(q);
    results[0] = vl_oracle_plan_state_bytes(&chip, &q->plan.setting.recipe, &q->plan.division);
}

TRUTH(planned_kept_bytes, bytes)
{
    const struct vl_oracle_chip chip = chip_of(q);
    results[0] = vl_oracle_plan_kept_bytes(&chip, &q->plan.setting, &q->plan.division);
}

TRUTH(group_gather_seconds, seconds)
{
    results[0] = vl_oracle_plan_gather(q->group.inside, q->group.across, &q->plan.setting.cluster,
                                       q->bytes[0]);
}

TRUTH(planned_traffic, traffic)
{
    const struct vl_oracle_chip chip = chip_of(q);
    vl_oracle_plan_traffic(results, &chip, q->group.inside, q->group.across, &q->plan.setting,
                           &q->plan.division);
}

TRUTH(planned_step, step)
{
    const struct vl_flowing *flowing = &q->loads.flowing;
    const double loads[] = {q->loads.arithmetic, q->loads.tensor, flowing->experts,
                            flowing->pipeline,   flowing->data,   q->loads.closing};
    vl_oracle_plan_step(results, loads, q->work.useful, q->work.again, &q->plan.setting,
                        &q->plan.division);
}

TRUTH(whole_plan, whole)
{
    struct vl_oracle_forecast f;
    vl_oracle_plan_forecast(&f, &q->plan.setting, &q->plan.division);
    const double all[] = {f.state_bytes, f.kept_bytes, f.loads[0], f.loads[1],
                          f.loads[2],    f.loads[3],   f.loads[4], f.loads[5],
                          f.step[3],     f.step[5],    f.fits};
    memcpy(results, all, sizeof all);
}

/* ---- the crossover ---- */

/* To a thousandth. The oracle finds the crossover to a ten-thousandth, and the middle of what is
 * accepted is half a thousandth above it. If the condition holds at low, the answer is low. */
static void give_crossovers(struct vl_scope *s, const struct vl_plan_crossover *all, size_t count)
{
    int64_t *endless = vl_scope_whole(s, "endless", 1, count);
    double *bandwidth = vl_scope_out(s, "bandwidth", 1, count, 0);
    for (size_t i = 0; !s->failed && i < count; i++) {
        struct vl_plan_crossover c = all[i];
        double found =
            vl_oracle_crossover(c.low, c.high, c.slack, vl_plan_without, vl_plan_of_all, &c);
        if (isfinite(found) && found > c.low)
            found *= 1.00045;
        endless[i] = isinf(found) != 0;
        bandwidth[i] = endless[i] ? 0 : found;
    }
}

/* Nobody is asked once more after a call that failed. */
static void give_calls(struct vl_scope *s, const struct vl_plan_crossover *all, size_t count)
{
    int64_t *calls = vl_scope_whole(s, "calls", 1, count);
    for (size_t i = 0; calls != NULL && i < count; i++)
        calls[i] = all[i].fails_at;
}

VL_SCOPED_TRUTH(crossover)
{
    const struct vl_plan_crossover *all = vl_plan_crossover_of(s->inputs);
    size_t count = vl_plan_crossover_count(s->inputs);
    if (vl_scope_bad(s))
        return;
    if (vl_scope_refused(s, all->fails_at > 0, VL_ENOMEM))
        give_calls(s, all, count);
    else
        give_crossovers(s, all, count);
}

/* ---- the search ---- */

static double seconds_of(const struct vl_plan *plan, int memory_counts)
{
    struct vl_oracle_forecast forecast;
    if (!vl_plan_can_be(plan))
        return INFINITY;
    vl_oracle_plan_forecast(&forecast, &plan->setting, &plan->division);
    return memory_counts && !forecast.fits ? INFINITY : forecast.step[3]; /* seconds */
}

/* One grid of chips, with all micro-batches, chunks, stages of ZeRO and ways of keeping. */
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

VL_SCOPED_TRUTH(best_plan)
{
    const struct vl_setting *setting = &vl_questions(s->inputs)->plan.setting;
    size_t chips = vl_scope_size(s, "chips");
    vl_scope_give_real(s, "without", vl_plan_best_seconds(setting, chips, 1, 1));
    vl_scope_give_real(s, "of_all", vl_plan_best_seconds(setting, chips, 0, 1));
}

/* ---- the sealed numbers ---- */

static double millions(const struct vl_scope *s, const char *name)
{
    return 1e6 * (double)vl_scope_size(s, name);
}

/* V3's own division, with a stage as the lab's text has it. */
VL_SCOPED_TRUTH(predict_state_bytes)
{
    const struct vl_recipe recipe = {.weight_bytes = 2, .gradient_bytes = 4, .optimizer_bytes = 8};
    const struct vl_division d = {.tensor = 1, .expert = 64, .data = 2, .pipeline = 16, .zero = 1};
    const struct vl_oracle_chip chip = {
        .expert_layers = 1, .common = millions(s, "common"), .experts = millions(s, "experts")};
    vl_scope_give_real(s, "state_bytes", vl_oracle_plan_state_bytes(&chip, &recipe, &d));
}

/* One byte per element there and two back, in forward and backward; an eighth of it is not sent. */
VL_SCOPED_TRUTH(predict_exchange_seconds)
{
    const double inner = 1000 * millions(s, "inside"), outer = 1000 * millions(s, "across");
    const struct vl_cluster c = {
        .domain = 8, .inner = {0, inner, inner}, .outer = {0, outer, outer}};
    double rows = 7168.0 * (double)vl_scope_size(s, "tokens"), inside = rows * 8 * 7 / 8,
           across = rows * 4 * 7 / 8;
    double out = vl_oracle_plan_exchange(8, 8, &c, inside, across);
    double back = vl_oracle_plan_exchange(8, 8, &c, 2 * inside, 2 * across);
    vl_scope_give_real(s, "exchange_seconds", 2 * (out + back));
}

VL_SCOPED_TRUTH(predict_crossover_bandwidth)
{
    vl_scope_give_real(s, "crossover_bandwidth", VL_BANDWIDTH_MIDDLE);
}
