/*
 * Inputs of lab 10's cases: models, machines and divisions, drawn so that every division is
 * possible and that all stages of ZeRO and all ways of keeping occur.
 */
#include "base/random.h"
#include "grade/catalogue/maker.h"
#include "grade/labs/10_bandwidth/bandwidth.h"

enum { ROWS = 12, CHIP = 5 };

static double amount(struct vl_maker *m, double least, double most)
{
    return least + (most - least) * vl_random_uniform(m->seed, m->stream++, 0);
}

/* ---- what is drawn ---- */

static struct vl_division draw_division(struct vl_maker *m, int variant, size_t row)
{
    size_t p = variant == VL_BANDWIDTH_ALONE ? 1 : vl_maker_between(m, 1, 4);
    if (variant == VL_BANDWIDTH_UNEVEN)
        p = vl_maker_between(m, 2, 4);
    size_t v = p > 1 ? vl_maker_between(m, 1, 3) : 1;
    size_t batches = vl_maker_between(m, 1, 4) * p + (v == 1 ? vl_maker_between(m, 0, p) : 0);
    return (struct vl_division){.tensor = vl_maker_between(m, 1, 4),
                                .expert =
                                    variant == VL_BANDWIDTH_PLAIN ? 1 : vl_maker_between(m, 1, 8),
                                .data = vl_maker_between(m, 1, 6),
                                .pipeline = p,
                                .chunks = v,
                                .micro_batches = batches,
                                .zero = row % 4,
                                .keep = (enum vl_keep)(row % 3)};
}

/* A model that can be divided in this way. The unit is 1, or how much larger real models are. */
static struct vl_blueprint draw_model(struct vl_maker *m, const struct vl_division *d, int variant)
{
    size_t unit = variant == VL_BANDWIDTH_LARGE ? 128 : 1, cuts = d->pipeline * d->chunks;
    struct vl_blueprint model = {.layers = cuts + vl_maker_between(m, 0, 9),
                                 .width = unit * vl_maker_between(m, 11, 59),
                                 .heads = d->tensor * vl_maker_between(m, 1, 5),
                                 .key_width = vl_maker_between(m, 7, 24),
                                 .value_width = vl_maker_between(m, 2, 16),
                                 .ff = unit * vl_maker_between(m, 60, 150),
                                 .vocabulary = unit * vl_maker_between(m, 61, 900),
                                 .sequence = unit * vl_maker_between(m, 3, 31)};
    if (variant == VL_BANDWIDTH_UNEVEN && model.layers % cuts == 0)
        model.layers++;
    if (variant == VL_BANDWIDTH_PLAIN)
        return model;
    model.query_rank = vl_maker_between(m, 3, 40);
    model.latent_rank = vl_maker_between(m, 3, 30);
    model.rope_width = vl_maker_between(m, 1, 6);
    model.experts = d->tensor * d->expert * vl_maker_between(m, 2, 5);
    model.chosen = vl_maker_between(m, 2, model.experts < 9 ? model.experts : 9);
    model.shared = vl_maker_between(m, 1, 2);
    model.expert_ff = unit * vl_maker_between(m, 5, 50);
    model.dense_layers = vl_maker_between(m, 0, model.layers - 1);
    return model;
}

/* Replicas may have different numbers of sequences, but each has at least one. */
static struct vl_recipe draw_recipe(struct vl_maker *m, const struct vl_division *d)
{
    size_t replicas = d->data * d->expert, rows = vl_maker_between(m, 1, 3);
    size_t most = d->micro_batches * rows > 1 ? replicas - 1 : 0;
    return (struct vl_recipe){.batch =
                                  replicas * d->micro_batches * rows - vl_maker_between(m, 0, most),
                              .weight_bytes = amount(m, 1, 2),
                              .gradient_bytes = amount(m, 2.5, 4),
                              .optimizer_bytes = amount(m, 5, 12),
                              .kept_bytes = amount(m, 1.1, 4),
                              .element_bytes = amount(m, 1.1, 4),
                              .dispatch_bytes = amount(m, 1, 2),
                              .combine_bytes = amount(m, 2.5, 4),
                              .domains_met = vl_maker_between(m, 0, 3)};
}

static struct vl_cluster draw_cluster(struct vl_maker *m, int variant)
{
    int torus = variant == VL_BANDWIDTH_TORUS;
    return (struct vl_cluster){.peak = amount(m, 1e12, 1e15),
                               .efficiency = amount(m, 0.3, 0.9),
                               .memory_bytes = amount(m, 1e5, 2e6),
                               .reserve_bytes = amount(m, 1e3, 1e5),
                               .hidden = amount(m, 0.2, 0.9),
                               .domain =
                                   torus ? vl_maker_between(m, 8, 64) : vl_maker_between(m, 2, 9),
                               .torus = torus ? vl_maker_between(m, 1, 3) : 0,
                               .inner = {amount(m, 1e-6, 1e-5), amount(m, 1e9, 1e10)},
                               .outer = {amount(m, 1e-5, 1e-4), amount(m, 1e8, 1e9)}};
}

static struct vl_plan draw_plan(struct vl_maker *m, int variant, size_t row)
{
    struct vl_plan plan = {.division = draw_division(m, variant, row)};
    plan.setting.model = draw_model(m, &plan.division, variant);
    plan.setting.recipe = draw_recipe(m, &plan.division);
    plan.setting.cluster = draw_cluster(m, variant);
    return plan;
}

/* ---- into the bag ---- */

struct tables {
    int64_t *sizes;
    double *amounts, *chip, *group, *members, *bytes, *work, *loads;
};

static double *table(struct vl_maker *m, const char *name, size_t rows, size_t columns)
{
    double *numbers = vl_bag_add_f64(m->bag, name, rows, columns);
    m->failed |= numbers == NULL;
    return numbers;
}

static struct tables add_tables(struct vl_maker *m, size_t rows)
{
    struct tables t = {vl_bag_add(m->bag, "sizes", VL_I64, 2, (size_t[]){rows, VL_PLAN_SIZES}),
                       table(m, "amounts", rows, VL_PLAN_AMOUNTS),
                       table(m, "chip", rows, CHIP),
                       table(m, "group", rows, 2),
                       table(m, "members", rows, 2),
                       table(m, "bytes", rows, 2),
                       table(m, "work", rows, 2),
                       table(m, "loads", rows, VL_ORACLE_LOADS)};
    m->failed |= t.sizes == NULL;
    return t;
}

static void write_plan(const struct tables *t, struct vl_plan plan, size_t row)
{
    size_t *sizes[VL_PLAN_SIZES - 1];
    double *amounts[VL_PLAN_AMOUNTS];
    vl_plan_fields(sizes, amounts, &plan);
    for (size_t i = 0; i < VL_PLAN_SIZES - 1; i++)
        t->sizes[row * VL_PLAN_SIZES + i] = (int64_t)*sizes[i];
    t->sizes[row * VL_PLAN_SIZES + VL_PLAN_SIZES - 1] = (int64_t)plan.division.keep;
    for (size_t i = 0; i < VL_PLAN_AMOUNTS; i++)
        t->amounts[row * VL_PLAN_AMOUNTS + i] = *amounts[i];
}

static void write_row(struct vl_maker *m, const struct tables *t, const struct vl_plan *plan,
                      size_t row)
{
    struct vl_oracle_chip chip;
    const struct vl_division *d = &plan->division;
    size_t members = d->tensor * d->expert, domain = plan->setting.cluster.domain;
    size_t inside = vl_oracle_plan_inside(members, 1, domain);
    vl_oracle_plan_chip(&chip, &plan->setting.model, d);
    const double of_chip[CHIP] = {(double)chip.dense_layers, (double)chip.expert_layers,
                                  chip.common, chip.experts, chip.unit};
    for (size_t i = 0; i < CHIP; i++)
        t->chip[row * CHIP + i] = of_chip[i];
    t->group[2 * row] = (double)inside;
    t->group[2 * row + 1] = (double)(members / inside);
    t->members[2 * row] = (double)vl_maker_between(m, 1, 64);
    t->members[2 * row + 1] = (double)vl_maker_between(m, 1, domain + 2);
    /* Sometimes the inner road takes longer, sometimes the outer one. */
    t->bytes[2 * row] = amount(m, 1e6, 1e8);
    t->bytes[2 * row + 1] = amount(m, 1e5, 1e7);
    t->work[2 * row] = amount(m, 1e8, 1e9);
    t->work[2 * row + 1] = amount(m, 1e7, 1e8);
    double arithmetic = amount(m, 1, 9), rounds = (double)d->micro_batches;
    t->loads[4 * row] = arithmetic;
    t->loads[4 * row + 1] = amount(m, 0.1, 2);
    t->loads[4 * row + 2] = amount(m, 0, 2) * arithmetic;
    t->loads[4 * row + 3] = amount(m, 0, 2) * arithmetic / rounds;
}

VL_SCOPED_MAKE(plan)
{
    int bad = self->variant == VL_BANDWIDTH_BAD;
    size_t rows = bad ? 1 : ROWS;
    struct tables t = add_tables(m, rows);
    vl_maker_size(m, "bad", (size_t)bad);
    for (size_t row = 0; !m->failed && row < rows; row++) {
        struct vl_plan plan = draw_plan(m, bad ? VL_BANDWIDTH_EXPERTS : self->variant, row);
        write_plan(&t, plan, row);
        write_row(m, &t, &plan, row);
    }
}

/* Few chips, so that all divisions can be tried, and memory that only some of them fit into. */
VL_SCOPED_MAKE(plan_search)
{
    static const size_t chips[] = {8, 12, 16};
    size_t all = vl_maker_size(m, "chips", chips[vl_maker_between(m, 0, 2)]);
    struct tables t = add_tables(m, 1);
    if (m->failed)
        return;
    for (;;) {
        struct vl_plan plan = draw_plan(m, self->variant, 0);
        plan.setting.model.heads = 4;
        plan.setting.model.layers = vl_maker_between(m, 4, 6);
        plan.setting.model.dense_layers = 1;
        plan.setting.recipe.batch = vl_maker_between(m, all, 3 * all);
        if (plan.setting.model.experts > 0) {
            plan.setting.model.experts = 8;
            plan.setting.model.chosen = vl_maker_between(m, 2, 4);
        }
        double whole = vl_plan_best_seconds(&plan.setting, all, 0, 0);
        double fitting = vl_plan_best_seconds(&plan.setting, all, 0, 1);
        double single = vl_plan_best_seconds(&plan.setting, all, 1, 1);
        if (fitting < single && single < 1e300 && whole < fitting) {
            write_plan(&t, plan, 0);
            return;
        }
    }
}

VL_SCOPED_MAKE(plan_crossover)
{
    double slack = amount(m, 0.02, 0.2), from = amount(m, 1e10, 1e11);
    double low = amount(m, 0.01, 0.5) * from, high = amount(m, 5, 1e4) * from;
    double fits = self->variant == VL_BANDWIDTH_FITS ? from : low / 3;
    double needed = slack * (self->variant == VL_BANDWIDTH_FITS ? fits / 2 : from);
    if (self->variant == VL_BANDWIDTH_AT_LOW)
        low = 1.5 * from;
    if (self->variant == VL_BANDWIDTH_NEVER)
        needed = 1.1 * slack * high;
    if (self->variant == VL_BANDWIDTH_POINT)
        low = high;
    vl_maker_real(m, "low", low);
    vl_maker_real(m, "high", high);
    vl_maker_real(m, "slack", slack);
    vl_maker_real(m, "least", amount(m, 2, 9));
    vl_maker_real(m, "volume", amount(m, 1e9, 1e11));
    vl_maker_real(m, "needed", needed);
    vl_maker_real(m, "fits_from", fits);
    vl_maker_size(m, "bad", self->variant == VL_BANDWIDTH_BAD);
    vl_maker_size(m, "fails_at",
                  self->variant == VL_BANDWIDTH_FAILS ? vl_maker_between(m, 1, 5) : 0);
}

VL_SCOPED_MAKE(plan_prediction)
{
    (void)m;
}
