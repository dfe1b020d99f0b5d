/*
 * Inputs of lab 10's cases: models, machines and divisions, drawn so that every division is
 * possible and that all stages of ZeRO and all ways of keeping occur. In the last rows, what must
 * occur in any case is fixed.
 */
#include "base/random.h"
#include "grade/catalogue/maker.h"
#include "grade/labs/10_bandwidth/bandwidth.h"

#include <math.h>
#include <string.h>

/* The rows: every stage of ZeRO with every way of keeping; then those in which something is fixed. */
enum row {
    DRAWN = 12,
    FEW_MICRO_BATCHES = DRAWN, /* fewer than stages; large: more elements than an int holds */
    OTHER_ATTENTION,           /* plain, with experts too, and with shared keys; large: V3's */
    ONE_REPLICA,               /* whose micro-batches do not divide the batch; as many as stages */
    ALONE,                     /* one replica, too, in which a chip has all experts; any stages */
    QUESTIONS
};

double vl_draw_amount(struct vl_maker *m, double least, double most)
{
    return least + (most - least) * vl_random_uniform(m->numbers, m->stream++, 0);
}

/* Zeroed structures, as they are in memory. */
static void *add_structures(struct vl_maker *m, const char *name, size_t count, size_t size)
{
    void *memory = vl_bag_add(m->bag, name, VL_U8, 2, (size_t[]){count, size});
    m->failed |= memory == NULL;
    return memory;
}

/* ---- a plan ---- */

static void draw_division(struct vl_maker *m, struct vl_division *d, int variant, size_t row)
{
    d->pipeline = variant == VL_BANDWIDTH_ALONE ? 1 : vl_maker_between(m, 1, 4);
    if (variant == VL_BANDWIDTH_UNEVEN)
        d->pipeline = vl_maker_between(m, 2, 4);
    d->chunks = d->pipeline > 1 ? vl_maker_between(m, 1, 3) : 1;
    d->micro_batches = vl_maker_between(m, 1, 4) * d->pipeline;
    d->micro_batches += d->chunks == 1 ? vl_maker_between(m, 0, d->pipeline) : 0;
    d->tensor = vl_maker_between(m, 1, 4);
    d->expert = variant == VL_BANDWIDTH_PLAIN ? 1 : vl_maker_between(m, 1, 8);
    d->data = vl_maker_between(m, 1, 6);
    d->zero = row % 4;
    d->keep = (enum vl_keep)(row % 3);
}

/* What is fixed of it in the last rows. */
static void fix_division(struct vl_maker *m, struct vl_division *d, int variant, size_t row)
{
    int staged = variant != VL_BANDWIDTH_ALONE;
    if (row == FEW_MICRO_BATCHES && staged) {
        d->pipeline = 4;
        d->chunks = 1;
        d->micro_batches = vl_maker_between(m, 1, 3);
    }
    if (row == OTHER_ATTENTION && variant == VL_BANDWIDTH_LARGE)
        d->tensor = 4; /* divides V3's heads */
    if (row == ONE_REPLICA) {
        d->pipeline = staged ? 3 : 1;
        d->chunks = staged ? 2 : 1;
        d->micro_batches = staged ? 3 : 2;
    }
    if (row == ALONE) {
        d->tensor = 1;
        d->micro_batches += d->micro_batches == 1 ? 1 : 0;
    }
    if (row == ONE_REPLICA || row == ALONE)
        d->data = d->expert = 1;
}

/* A model that can be divided in this way. The unit is 1, or how much larger real models are. */
static void draw_model(struct vl_maker *m, struct vl_blueprint *model, const struct vl_division *d,
                       int variant)
{
    size_t unit = variant == VL_BANDWIDTH_LARGE ? 128 : 1, cuts = d->pipeline * d->chunks;
    model->layers = cuts + vl_maker_between(m, 0, 9);
    model->width = unit * vl_maker_between(m, 11, 59);
    model->kv_heads = vl_maker_between(m, 1, 3);
    model->heads = d->tensor * model->kv_heads * vl_maker_between(m, 1, 3);
    model->key_width = vl_maker_between(m, 7, 24);
    model->value_width = vl_maker_between(m, 2, 16);
    model->ff = unit * vl_maker_between(m, 60, 150);
    model->ff_matrices = vl_maker_between(m, 2, 3);
    model->expert_groups = model->groups_met = 1;
    model->vocabulary = unit * vl_maker_between(m, 61, 900);
    model->sequence = unit * vl_maker_between(m, 3, 31);
    if (variant == VL_BANDWIDTH_UNEVEN && model->layers % cuts == 0)
        model->layers++;
    if (variant == VL_BANDWIDTH_PLAIN)
        return;
    model->kv_heads = model->heads; /* latents serve all heads */
    model->query_rank = vl_maker_between(m, 3, 40);
    model->latent_rank = vl_maker_between(m, 3, 30);
    model->rope_width = vl_maker_between(m, 1, 6);
    /* Groups that are as large as domains, larger, smaller; and some that lie across. */
    model->expert_groups = vl_maker_between(m, 1, 4);
    model->groups_met = vl_maker_between(m, 1, model->expert_groups);
    model->experts = model->expert_groups * d->tensor * d->expert * vl_maker_between(m, 1, 3);
    size_t within = model->experts / model->expert_groups * model->groups_met;
    model->chosen = vl_maker_between(m, 1, within < 9 ? within : 9);
    model->shared = vl_maker_between(m, 1, 2);
    model->expert_ff = unit * vl_maker_between(m, 5, 50);
    model->dense_layers = vl_maker_between(m, 0, model->layers - 1);
}

/* V3's: figures that no int holds when they are multiplied. */
static void take_attention_of_v3(struct vl_blueprint *model)
{
    model->layers = 61;
    model->dense_layers = 3;
    model->heads = model->kv_heads = 128;
    model->key_width = 192;
    model->value_width = 128;
    model->rope_width = 64;
    model->query_rank = 1536;
    model->latent_rank = 512;
    model->sequence = 4096;
}

/* A stage has several layers: with a single one, the bytes that are kept and those that are computed
 * again always have the same sum. */
static void take_plain_attention(struct vl_blueprint *model, const struct vl_division *d)
{
    model->layers += d->pipeline * d->chunks;
    model->dense_layers = 0;
    model->heads *= 2;
    model->query_rank = model->latent_rank = model->rope_width = 0;
}

static void fix_model(struct vl_blueprint *model, const struct vl_division *d, int variant,
                      size_t row)
{
    int large = variant == VL_BANDWIDTH_LARGE;
    if (row == FEW_MICRO_BATCHES && large) { /* with 16 sequences 2^31 elements */
        model->width = 16384;
        model->sequence = 8192;
    }
    if (row == OTHER_ATTENTION && large)
        take_attention_of_v3(model);
    else if (row == OTHER_ATTENTION)
        take_plain_attention(model, d);
}

/* Replicas may have different numbers of sequences, and so may micro-batches; but each replica has
 * at least one, and so has some replica's last micro-batch. */
static void draw_recipe(struct vl_maker *m, struct vl_recipe *r, const struct vl_division *d)
{
    size_t replicas = d->data * d->expert, rows = vl_maker_between(m, 1, 3);
    size_t most = d->micro_batches > 1 ? replicas - 1 : 0;
    if (rows > 1)
        most = replicas * d->micro_batches - 1;
    r->batch = replicas * d->micro_batches * rows - vl_maker_between(m, 0, most);
    r->weight_bytes = vl_draw_amount(m, 1, 2);
    r->gradient_bytes = vl_draw_amount(m, 2.5, 4);
    r->optimizer_bytes = vl_draw_amount(m, 5, 12);
    r->kept_bytes = vl_draw_amount(m, 1.1, 4);
    r->element_bytes = vl_draw_amount(m, 1.1, 4);
    r->dispatch_bytes = vl_draw_amount(m, 1, 2);
    r->combine_bytes = vl_draw_amount(m, 2.5, 4);
}

static void fix_recipe(struct vl_recipe *r, const struct vl_division *d, int variant, size_t row)
{
    if (row == FEW_MICRO_BATCHES && variant == VL_BANDWIDTH_LARGE)
        r->batch = d->data * d->expert * d->micro_batches * 16;
    if (row == ONE_REPLICA || row == ALONE)
        r->batch = d->micro_batches * 3 - 1;
}

/* In a stream apart, so that a seed gives all other inputs as it did before there was this. */
static void draw_processors(struct vl_maker *m, struct vl_cluster *c)
{
    enum { APART = 1 << 20 };
    const uint64_t stream = m->stream;
    m->stream += APART;
    c->processors = vl_maker_between(m, 0, 12);
    c->tile_rows = vl_maker_between(m, 1, 32);
    c->tile_columns = vl_maker_between(m, 1, 32);
    c->memory_bandwidth = c->peak * vl_draw_amount(m, 0.003, 0.03);
    c->score_passes = vl_draw_amount(m, 0, 5);
    c->sequence_parallel = vl_maker_between(m, 0, 1);
    m->stream = stream;
}

static void draw_cluster(struct vl_maker *m, struct vl_cluster *c, int is_torus)
{
    c->peak = vl_draw_amount(m, 1e12, 1e15);
    c->efficiency = vl_draw_amount(m, 0.3, 0.9);
    c->memory_bytes = vl_draw_amount(m, 1e5, 2e6);
    c->reserve_bytes = vl_draw_amount(m, 1e3, 1e5);
    c->hidden_gathers = vl_draw_amount(m, 0.2, 0.9);
    c->hidden_experts = vl_draw_amount(m, 0.2, 0.9);
    c->hidden_pipeline = vl_draw_amount(m, 0.2, 0.9);
    c->hidden_closing = vl_draw_amount(m, 0.2, 0.9);
    c->levels = vl_maker_between(m, 1, 2);
    c->domain = is_torus ? vl_maker_between(m, 8, 64) : vl_maker_between(m, 2, 9);
    c->torus = is_torus ? vl_maker_between(m, 1, 3) : 0;
    c->inner.latency = vl_draw_amount(m, 1e-6, 1e-5);
    c->inner.bandwidth = vl_draw_amount(m, 1e9, 1e10);
    c->outer.latency = vl_draw_amount(m, 1e-5, 1e-4);
    c->outer.bandwidth = vl_draw_amount(m, 1e8, 1e9);
    c->inner.nominal = 1.25 * c->inner.bandwidth;
    c->outer.nominal = 1.25 * c->outer.bandwidth;
    draw_processors(m, c);
}

/* 'plan' is zeroed. */
static void draw_plan(struct vl_maker *m, struct vl_plan *plan, int variant, size_t row)
{
    struct vl_setting *setting = &plan->setting;
    draw_division(m, &plan->division, variant, row);
    fix_division(m, &plan->division, variant, row);
    draw_model(m, &setting->model, &plan->division, variant);
    fix_model(&setting->model, &plan->division, variant, row);
    draw_recipe(m, &setting->recipe, &plan->division);
    fix_recipe(&setting->recipe, &plan->division, variant, row);
    draw_cluster(m, &setting->cluster, variant == VL_BANDWIDTH_TORUS);
}

/* ---- questions about it ---- */

/* What other functions would answer about the plan, and everything else that is drawn. */
static void draw_rest(struct vl_maker *m, struct vl_question *q)
{
    struct vl_oracle_chip chip;
    const struct vl_division *d = &q->plan.division;
    size_t members = d->tensor * d->expert, domain = q->plan.setting.cluster.domain;
    vl_oracle_plan_chip(&chip, &q->plan.setting.model, d);
    q->chip = (struct vl_chip){chip.dense_layers, chip.expert_layers, chip.common, chip.experts,
                               chip.unit};
    q->group.inside = vl_oracle_plan_inside(members, 1, domain);
    q->group.across = members / q->group.inside;
    q->members = vl_maker_between(m, 1, 64);
    q->stride = vl_maker_between(m, 1, domain + 2);
    /* Sometimes the inner road takes longer, sometimes the outer one. */
    q->bytes[0] = vl_draw_amount(m, 1e6, 1e8);
    q->bytes[1] = vl_draw_amount(m, 1e5, 1e7);
    q->work.useful = vl_draw_amount(m, 1e8, 1e9);
    q->work.again = vl_draw_amount(m, 1e7, 1e8);
    q->work.head = vl_draw_amount(m, 1e5, 1e8);
    q->loads.arithmetic = vl_draw_amount(m, 1, 9);
    q->loads.tensor = vl_draw_amount(m, 0.1, 2);
    q->loads.flowing.experts = vl_draw_amount(m, 0, 1.2) * q->loads.arithmetic;
    q->loads.flowing.pipeline = vl_draw_amount(m, 0, 1.2) * q->loads.arithmetic;
    q->loads.flowing.data = vl_draw_amount(m, 0, 1.2) * q->loads.arithmetic;
    q->loads.closing = vl_draw_amount(m, 0, 2) * q->loads.arithmetic / (double)d->micro_batches;
}

/* On a torus: one member in each of several domains, and one member alone. */
static void fix_group(struct vl_group *group, int variant, size_t row)
{
    if (variant == VL_BANDWIDTH_TORUS && row == FEW_MICRO_BATCHES)
        *group = (struct vl_group){1, 4};
    if (variant == VL_BANDWIDTH_TORUS && row == OTHER_ATTENTION)
        *group = (struct vl_group){1, 1};
}

VL_SCOPED_MAKE(plan)
{
    int bad = self->variant == VL_BANDWIDTH_BAD;
    size_t count = bad ? 1 : QUESTIONS;
    struct vl_question *questions = add_structures(m, "questions", count, sizeof *questions);
    vl_maker_size(m, "bad", (size_t)bad);
    for (size_t i = 0; !m->failed && i < count; i++) {
        draw_plan(m, &questions[i].plan, bad ? VL_BANDWIDTH_EXPERTS : self->variant, i);
        draw_rest(m, &questions[i]);
        fix_group(&questions[i].group, self->variant, i);
    }
}

/* Few chips, so that all divisions can be tried, and memory that only some divisions fit into. */
VL_SCOPED_MAKE(plan_search)
{
    static const size_t chips[] = {8, 12, 16};
    size_t all = vl_maker_size(m, "chips", chips[vl_maker_between(m, 0, 2)]);
    struct vl_question *q = add_structures(m, "questions", 1, sizeof *q);
    double whole = 0, fitting = 0, single = 0; /* seconds */
    while (!m->failed && !(whole < fitting && fitting < single && isfinite(single))) {
        struct vl_setting *setting = &q->plan.setting;
        memset(q, 0, sizeof *q);
        draw_plan(m, &q->plan, self->variant, 0);
        setting->model.heads = 4;
        setting->model.kv_heads = setting->model.latent_rank > 0 ? 4 : vl_maker_between(m, 1, 2);
        setting->model.layers = vl_maker_between(m, 4, 6);
        setting->model.dense_layers = 1;
        setting->recipe.batch = vl_maker_between(m, all, 3 * all);
        if (setting->model.experts > 0) {
            setting->model.experts = 8;
            setting->model.expert_groups = 2;
            setting->model.groups_met = vl_maker_between(m, 1, 2);
            setting->model.chosen = vl_maker_between(m, 2, 4);
        }
        whole = vl_plan_best_seconds(setting, all, 0, 0);
        fitting = vl_plan_best_seconds(setting, all, 0, 1);
        single = vl_plan_best_seconds(setting, all, 1, 1);
    }
}
