/*
 * Calls of lab 10: plans on paper, one after the other.
 *
 * Names of the inputs are described in grade/bandwidth.h.
 */
#include "grade/plan_bag.h"
#include "grade/runner/call.h"
#include "vialata/crossover.h"

#include <math.h>
#include <string.h>

#define CALL(name)                                                                                 \
    static enum vl_status call_##name(struct vl_bag *outputs, const struct vl_bag *inputs)

enum { MOST_RESULTS = 16, ENDLESS_CALLS = 2000 };

/* Of several calls that must all be refused: the first that was not. */
static enum vl_status first_unrefused(const enum vl_status *statuses, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (statuses[i] != VL_EINVAL)
            return statuses[i];
    return VL_EINVAL;
}

#define REFUSED(...)                                                                               \
    first_unrefused((const enum vl_status[]){__VA_ARGS__},                                         \
                    sizeof((const enum vl_status[]){__VA_ARGS__}) / sizeof(enum vl_status))

/* ---- a row of questions ---- */

/* One question of the inputs, with all that may belong to it; its results hold poison before. */
struct question {
    struct vl_plan plan;
    struct vl_chip chip;
    struct vl_group group;
    struct vl_work work;
    struct vl_loads loads;
    const double *bytes, *members;
    double *results;
};

static struct question question_of(const struct vl_bag *inputs, size_t row, double *results)
{
    const double *c = vl_plan_row(inputs, "chip", row, 5);
    const double *g = vl_plan_row(inputs, "group", row, 2);
    const double *w = vl_plan_row(inputs, "work", row, 2);
    const double *l = vl_plan_row(inputs, "loads", row, 4);
    return (struct question){.plan = vl_plan_read(inputs, row),
                             .chip = {(size_t)c[0], (size_t)c[1], c[2], c[3], c[4]},
                             .group = {(size_t)g[0], (size_t)g[1]},
                             .work = {w[0], w[1]},
                             .loads = {l[0], l[1], l[2], l[3]},
                             .bytes = vl_plan_row(inputs, "bytes", row, 2),
                             .members = vl_plan_row(inputs, "members", row, 2),
                             .results = results};
}

/* An array (1,n) for each of the names; 'ask' fills a column of them. */
static enum vl_status ask_all(struct vl_bag *outputs, const struct vl_bag *inputs,
                              const char *const *names,
                              enum vl_status (*ask)(const struct question *q))
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
        const struct question q = question_of(inputs, row, results);
        status = ask(&q);
        for (size_t i = 0; i < count; i++)
            arrays[i][row] = results[i];
    }
    return status;
}

static const char *const seconds_name[] = {"seconds", NULL}, *const bytes_name[] = {"bytes", NULL};

/* ---- what is given ---- */

CALL(check)
{
    size_t rows = vl_plan_rows(inputs);
    int64_t *statuses = vl_bag_add(outputs, "statuses", VL_I64, 2, (size_t[]){rows, 5});
    for (size_t i = 0; statuses != NULL && i < 5 * rows; i++) {
        struct vl_plan plan = vl_plan_read(inputs, i / 5);
        plan.division.tensor += i % 5 == 1;
        plan.division.expert += i % 5 == 2;
        plan.division.chunks += i % 5 == 3;
        plan.division.micro_batches += i % 5 == 4;
        statuses[i] = vl_division_check(&plan.setting, &plan.division);
    }
    return statuses != NULL ? VL_OK : VL_EINTERNAL;
}

static enum vl_status ask_parameters(const struct question *q)
{
    struct vl_parameters count;
    enum vl_status status = vl_planned_parameters(&count, &q->plan.setting.model);
    q->results[0] = (double)count.all;
    q->results[1] = (double)count.active;
    return status;
}

static enum vl_status ask_chip(const struct question *q)
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

static enum vl_status ask_group(const struct question *q)
{
    struct vl_group group = {0};
    enum vl_status status =
        vl_group_of(&group, (size_t)q->members[0], (size_t)q->members[1], &q->plan.setting.cluster);
    q->results[0] = (double)group.inside;
    q->results[1] = (double)group.across;
    return status;
}

static enum vl_status ask_exchange(const struct question *q)
{
    return vl_group_exchange_seconds(q->results, &q->group, &q->plan.setting.cluster, q->bytes[0],
                                     q->bytes[1]);
}

static enum vl_status ask_rule(const struct question *q)
{
    return vl_rule_tokens(q->results, &q->plan.setting, q->bytes[0], &q->plan.division);
}

CALL(parameters)
{
    static const char *const names[] = {"all", "active", NULL};
    return ask_all(outputs, inputs, names, ask_parameters);
}

CALL(chip)
{
    static const char *const names[] = {"dense_layers", "expert_layers", "common",
                                        "experts",      "unit",          NULL};
    return ask_all(outputs, inputs, names, ask_chip);
}

CALL(group)
{
    static const char *const names[] = {"inside", "across", NULL};
    return ask_all(outputs, inputs, names, ask_group);
}

CALL(exchange)
{
    return ask_all(outputs, inputs, seconds_name, ask_exchange);
}

CALL(rule)
{
    static const char *const names[] = {"tokens", NULL};
    return ask_all(outputs, inputs, names, ask_rule);
}

/* ---- what a chip computes and holds ---- */

static enum vl_status ask_flops(const struct question *q)
{
    struct vl_work work = {q->results[0], q->results[1]};
    enum vl_status status = vl_planned_flops(&work, &q->plan.setting.model, q->plan.division.keep);
    q->results[0] = work.useful;
    q->results[1] = work.again;
    return status;
}

static enum vl_status ask_arithmetic(const struct question *q)
{
    return vl_planned_arithmetic(q->results, &q->work, &q->plan.setting, &q->plan.division);
}

static enum vl_status ask_state(const struct question *q)
{
    return vl_planned_state_bytes(q->results, &q->chip, &q->plan.setting.recipe, &q->plan.division);
}

static enum vl_status ask_kept(const struct question *q)
{
    return vl_planned_kept_bytes(q->results, &q->chip, &q->plan.setting, &q->plan.division);
}

CALL(flops)
{
    static const char *const names[] = {"useful", "again", NULL};
    struct vl_work work;
    const struct vl_plan plan = vl_plan_read(inputs, 0);
    const struct vl_blueprint *model = &plan.setting.model;
    if (vl_bag_int(inputs, "bad"))
        return REFUSED(vl_planned_flops(NULL, model, VL_KEEP_ALL),
                       vl_planned_flops(&work, NULL, VL_KEEP_ALL));
    return ask_all(outputs, inputs, names, ask_flops);
}

CALL(arithmetic)
{
    double seconds;
    const struct vl_work work = {1, 1};
    const struct vl_plan plan = vl_plan_read(inputs, 0);
    if (vl_bag_int(inputs, "bad"))
        return REFUSED(vl_planned_arithmetic(NULL, &work, &plan.setting, &plan.division),
                       vl_planned_arithmetic(&seconds, NULL, &plan.setting, &plan.division),
                       vl_planned_arithmetic(&seconds, &work, NULL, &plan.division),
                       vl_planned_arithmetic(&seconds, &work, &plan.setting, NULL));
    return ask_all(outputs, inputs, seconds_name, ask_arithmetic);
}

CALL(state)
{
    double bytes;
    const struct question q = question_of(inputs, 0, &bytes);
    const struct vl_recipe *recipe = &q.plan.setting.recipe;
    if (vl_bag_int(inputs, "bad"))
        return REFUSED(vl_planned_state_bytes(NULL, &q.chip, recipe, &q.plan.division),
                       vl_planned_state_bytes(&bytes, NULL, recipe, &q.plan.division),
                       vl_planned_state_bytes(&bytes, &q.chip, NULL, &q.plan.division),
                       vl_planned_state_bytes(&bytes, &q.chip, recipe, NULL));
    return ask_all(outputs, inputs, bytes_name, ask_state);
}

CALL(kept)
{
    double bytes;
    const struct question q = question_of(inputs, 0, &bytes);
    if (vl_bag_int(inputs, "bad"))
        return REFUSED(vl_planned_kept_bytes(NULL, &q.chip, &q.plan.setting, &q.plan.division),
                       vl_planned_kept_bytes(&bytes, NULL, &q.plan.setting, &q.plan.division),
                       vl_planned_kept_bytes(&bytes, &q.chip, NULL, &q.plan.division),
                       vl_planned_kept_bytes(&bytes, &q.chip, &q.plan.setting, NULL));
    return ask_all(outputs, inputs, bytes_name, ask_kept);
}

/* ---- roads ---- */

static enum vl_status ask_gather(const struct question *q)
{
    return vl_group_gather_seconds(q->results, &q->group, &q->plan.setting.cluster, q->bytes[0]);
}

static enum vl_status ask_traffic(const struct question *q)
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

CALL(gather)
{
    double seconds;
    const struct question q = question_of(inputs, 0, &seconds);
    const struct vl_cluster *cluster = &q.plan.setting.cluster;
    const struct vl_group nobody = {0, 1}, nowhere = {1, 0};
    if (vl_bag_int(inputs, "bad"))
        return REFUSED(vl_group_gather_seconds(NULL, &q.group, cluster, 1),
                       vl_group_gather_seconds(&seconds, NULL, cluster, 1),
                       vl_group_gather_seconds(&seconds, &q.group, NULL, 1),
                       vl_group_gather_seconds(&seconds, &nobody, cluster, 1),
                       vl_group_gather_seconds(&seconds, &nowhere, cluster, 1));
    return ask_all(outputs, inputs, seconds_name, ask_gather);
}

CALL(traffic)
{
    static const char *const names[] = {"reduced_bytes",   "reductions",    "inside_elements",
                                        "across_elements", "exchanges",     "boundary_bytes",
                                        "boundaries",      "each.scatters", "each.gathers",
                                        "once.scatters",   "once.gathers",  NULL};
    struct vl_traffic t;
    const struct question q = question_of(inputs, 0, NULL);
    const struct vl_setting *s = &q.plan.setting;
    const struct vl_division *d = &q.plan.division;
    if (vl_bag_int(inputs, "bad"))
        return REFUSED(vl_planned_traffic(NULL, &q.chip, &q.group, s, d),
                       vl_planned_traffic(&t, NULL, &q.group, s, d),
                       vl_planned_traffic(&t, &q.chip, NULL, s, d),
                       vl_planned_traffic(&t, &q.chip, &q.group, NULL, d),
                       vl_planned_traffic(&t, &q.chip, &q.group, s, NULL));
    return ask_all(outputs, inputs, names, ask_traffic);
}

/* ---- a step, and all of it ---- */

static enum vl_status ask_step(const struct question *q)
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

static enum vl_status ask_whole(const struct question *q)
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

CALL(step)
{
    static const char *const names[] = {"exposed",           "bubble", "left", "seconds",
                                        "tokens_per_second", "mfu",    NULL};
    struct vl_step_plan step;
    const struct question q = question_of(inputs, 0, NULL);
    const struct vl_setting *s = &q.plan.setting;
    const struct vl_division *d = &q.plan.division;
    if (vl_bag_int(inputs, "bad"))
        return REFUSED(vl_planned_step(NULL, &q.loads, &q.work, s, d),
                       vl_planned_step(&step, NULL, &q.work, s, d),
                       vl_planned_step(&step, &q.loads, NULL, s, d),
                       vl_planned_step(&step, &q.loads, &q.work, NULL, d),
                       vl_planned_step(&step, &q.loads, &q.work, s, NULL));
    return ask_all(outputs, inputs, names, ask_step);
}

CALL(whole)
{
    static const char *const names[] = {"state_bytes", "kept_bytes", "arithmetic", "tensor",
                                        "flowing",     "closing",    "seconds",    "mfu",
                                        "fits",        NULL};
    return ask_all(outputs, inputs, names, ask_whole);
}

CALL(best)
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

struct asked {
    struct vl_plan_rivals rivals;
    int64_t calls, fails_at;
};

static enum vl_status answer(void *context, double *without, double *of_all, double bandwidth)
{
    struct asked *a = context;
    const struct vl_plan_rivals *r = &a->rivals;
    a->calls++;
    if (a->calls == a->fails_at || a->calls > ENDLESS_CALLS)
        return VL_ENOMEM;
    *of_all = r->least + r->volume / bandwidth;
    *without = bandwidth < r->fits_from ? INFINITY : *of_all * (1 + r->needed / bandwidth);
    return VL_OK;
}

CALL(crossover)
{
    struct asked asked = {vl_plan_rivals_read(inputs), 0, vl_bag_int(inputs, "fails_at")};
    const struct vl_rivals rivals = {&asked, answer};
    double low = vl_bag_real(inputs, "low"), high = vl_bag_real(inputs, "high");
    double slack = vl_bag_real(inputs, "slack");
    double *bandwidth = vl_bag_add_f64(outputs, "bandwidth", 1, 1);
    if (bandwidth == NULL)
        return VL_EINTERNAL;
    vl_bag_poison(outputs, "bandwidth");
    if (vl_bag_int(inputs, "bad"))
        return REFUSED(vl_crossover(NULL, low, high, slack, &rivals),
                       vl_crossover(bandwidth, low, high, slack, NULL),
                       vl_crossover(bandwidth, 0, high, slack, &rivals),
                       vl_crossover(bandwidth, high, low, slack, &rivals),
                       vl_crossover(bandwidth, low, high, -slack, &rivals),
                       vl_crossover(bandwidth, NAN, high, slack, &rivals));
    enum vl_status status = vl_crossover(bandwidth, low, high, slack, &rivals);
    int endless = isinf(*bandwidth) != 0;
    if (endless)
        *bandwidth = 0;
    if (asked.calls > ENDLESS_CALLS)
        status = VL_OK; /* it was stopped, and the count says so */
    return vl_bag_set_int(outputs, "endless", endless) &&
                   vl_bag_set_int(outputs, "calls", asked.calls)
               ? status
               : VL_EINTERNAL;
}

CALL(predict)
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

const struct vl_call vl_calls_bandwidth[] = {
    {"vl_division_check", call_check},
    {"vl_planned_parameters", call_parameters},
    {"vl_planned_chip", call_chip},
    {"vl_group_of", call_group},
    {"vl_group_exchange_seconds", call_exchange},
    {"vl_rule_tokens", call_rule},
    {"vl_planned_flops", call_flops},
    {"vl_planned_arithmetic", call_arithmetic},
    {"vl_planned_state_bytes", call_state},
    {"vl_planned_kept_bytes", call_kept},
    {"vl_group_gather_seconds", call_gather},
    {"vl_planned_traffic", call_traffic},
    {"vl_planned_step", call_step},
    {"vl_crossover", call_crossover},
    {"whole_plan", call_whole},
    {"best_plan", call_best},
    {"vl_predict_plan", call_predict},
    {NULL, NULL},
};

/* Nothing here is timed. */
const struct vl_timed_call vl_timed_bandwidth[] = {{NULL, NULL, NULL, NULL, NULL}};
