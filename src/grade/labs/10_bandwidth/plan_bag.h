/*
 * How questions about plans travel in a bag: one row per question, with settings and divisions as
 * sizes and amounts. Grader and runner both include this.
 *
 *   sizes (n,28) I64      the whole numbers of a setting and a division, in the order of
 *                         vialata/blueprint.h
 *   amounts (n,16) F64    all other numbers, in that order
 */
#ifndef VIALATA_GRADE_LABS_10_BANDWIDTH_PLAN_BAG_H
#define VIALATA_GRADE_LABS_10_BANDWIDTH_PLAN_BAG_H

#include "vialata/crossover.h"
#include "wire/bag.h"

#include <math.h>

enum { VL_PLAN_SIZES = 28, VL_PLAN_AMOUNTS = 16 };

struct vl_plan {
    struct vl_setting setting;
    struct vl_division division;
};

/* The addresses of all numbers of a plan except 'keep', which is the last of the sizes. */
static inline void vl_plan_fields(size_t *sizes[VL_PLAN_SIZES - 1],
                                  double *amounts[VL_PLAN_AMOUNTS], struct vl_plan *plan)
{
    struct vl_blueprint *m = &plan->setting.model;
    struct vl_recipe *r = &plan->setting.recipe;
    struct vl_cluster *c = &plan->setting.cluster;
    struct vl_division *d = &plan->division;
    size_t *const whole[VL_PLAN_SIZES - 1] = {
        &m->layers,        &m->dense_layers, &m->width,       &m->heads,       &m->key_width,
        &m->value_width,   &m->rope_width,   &m->query_rank,  &m->latent_rank, &m->ff,
        &m->expert_ff,     &m->experts,      &m->chosen,      &m->shared,      &m->vocabulary,
        &m->sequence,      &r->batch,        &r->domains_met, &c->domain,      &c->torus,
        &d->tensor,        &d->expert,       &d->data,        &d->pipeline,    &d->chunks,
        &d->micro_batches, &d->zero};
    double *const real[VL_PLAN_AMOUNTS] = {
        &r->weight_bytes,  &r->gradient_bytes,  &r->optimizer_bytes, &r->kept_bytes,
        &r->element_bytes, &r->dispatch_bytes,  &r->combine_bytes,   &c->peak,
        &c->efficiency,    &c->memory_bytes,    &c->reserve_bytes,   &c->hidden,
        &c->inner.latency, &c->inner.bandwidth, &c->outer.latency,   &c->outer.bandwidth};
    for (size_t i = 0; i < VL_PLAN_SIZES - 1; i++)
        sizes[i] = whole[i];
    for (size_t i = 0; i < VL_PLAN_AMOUNTS; i++)
        amounts[i] = real[i];
}

/* How many questions there are. */
static inline size_t vl_plan_rows(const struct vl_bag *bag)
{
    const struct vl_tensor_entry *sizes = vl_bag_find(bag, "sizes");
    return sizes != NULL ? sizes->count / VL_PLAN_SIZES : 0;
}

static inline struct vl_plan vl_plan_read(const struct vl_bag *bag, size_t row)
{
    struct vl_plan plan = {0};
    size_t *sizes[VL_PLAN_SIZES - 1];
    double *amounts[VL_PLAN_AMOUNTS];
    const int64_t *whole = (const int64_t *)vl_bag_find(bag, "sizes")->data + row * VL_PLAN_SIZES;
    const double *real = vl_bag_f64(bag, "amounts") + row * VL_PLAN_AMOUNTS;
    vl_plan_fields(sizes, amounts, &plan);
    for (size_t i = 0; i < VL_PLAN_SIZES - 1; i++)
        *sizes[i] = (size_t)whole[i];
    for (size_t i = 0; i < VL_PLAN_AMOUNTS; i++)
        *amounts[i] = real[i];
    plan.division.keep = (enum vl_keep)whole[VL_PLAN_SIZES - 1];
    return plan;
}

/* Five questions per row: the plan as drawn, then with one change that may make it impossible. */
enum { VL_PLAN_CHANGES = 5 };

static inline struct vl_plan vl_plan_changed(const struct vl_bag *bag, size_t question)
{
    struct vl_plan plan = vl_plan_read(bag, question / VL_PLAN_CHANGES);
    size_t change = question % VL_PLAN_CHANGES;
    plan.division.tensor += change == 1;
    plan.division.expert += change == 2;
    plan.division.chunks += change == 3;
    plan.division.micro_batches += change == 4;
    return plan;
}

/* What a function answers to a question, by name and in this order, ended by NULL. */
static const char *const vl_names_parameters[] = {"all", "active", NULL};
static const char *const vl_names_chip[] = {"dense_layers", "expert_layers", "common",
                                            "experts",      "unit",          NULL};
static const char *const vl_names_group[] = {"inside", "across", NULL};
static const char *const vl_names_tokens[] = {"tokens", NULL};
static const char *const vl_names_seconds[] = {"seconds", NULL};
static const char *const vl_names_bytes[] = {"bytes", NULL};
static const char *const vl_names_flops[] = {"useful", "again", NULL};
static const char *const vl_names_traffic[] = {
    "reduced_bytes", "reductions",     "inside_elements", "across_elements",
    "exchanges",     "boundary_bytes", "boundaries",      "each.scatters",
    "each.gathers",  "once.scatters",  "once.gathers",    NULL};
static const char *const vl_names_step[] = {"exposed",           "bubble", "left", "seconds",
                                            "tokens_per_second", "mfu",    NULL};
static const char *const vl_names_whole[] = {"state_bytes", "kept_bytes", "arithmetic", "tensor",
                                             "flowing",     "closing",    "seconds",    "mfu",
                                             "fits",        NULL};
enum { VL_PLAN_MOST_NAMES = 16 };

/* Row 'row' of an array (n, columns) of float64. */
static inline const double *vl_plan_row(const struct vl_bag *bag, const char *name, size_t row,
                                        size_t columns)
{
    return vl_bag_f64(bag, name) + row * columns;
}

/* A question with all that may belong to it, which other functions of the lab would answer. */
struct vl_question {
    struct vl_plan plan;
    struct vl_chip chip;
    struct vl_group group;
    struct vl_work work;
    struct vl_loads loads;
    const double *bytes, *members;
    double *results; /* in the order of the names */
    int missing;     /* which argument the runner leaves out, counted from 1; 0: none */
};

static inline struct vl_question vl_question_read(const struct vl_bag *bag, size_t row,
                                                  double *results)
{
    const double *c = vl_plan_row(bag, "chip", row, 5), *g = vl_plan_row(bag, "group", row, 2);
    const double *w = vl_plan_row(bag, "work", row, 2), *l = vl_plan_row(bag, "loads", row, 4);
    return (struct vl_question){.plan = vl_plan_read(bag, row),
                                .chip = {(size_t)c[0], (size_t)c[1], c[2], c[3], c[4]},
                                .group = {(size_t)g[0], (size_t)g[1]},
                                .work = {w[0], w[1]},
                                .loads = {l[0], l[1], l[2], l[3]},
                                .bytes = vl_plan_row(bag, "bytes", row, 2),
                                .members = vl_plan_row(bag, "members", row, 2),
                                .results = results};
}

/* What the two rivals of a crossover answer. */
struct vl_plan_rivals {
    double least, volume; /* seconds of the best of all: least + volume / bandwidth */
    double needed;        /* without a pipeline: (1 + needed / bandwidth) times as long, */
    double fits_from;     /* if the bandwidth is at least this; below it, nothing fits */
};

/* A rival's seconds at a bandwidth; context: struct vl_plan_rivals. */
static inline double vl_plan_of_all(void *context, double bandwidth)
{
    const struct vl_plan_rivals *r = context;
    return r->least + r->volume / bandwidth;
}

static inline double vl_plan_without(void *context, double bandwidth)
{
    const struct vl_plan_rivals *r = context;
    return bandwidth < r->fits_from
               ? INFINITY
               : vl_plan_of_all(context, bandwidth) * (1 + r->needed / bandwidth);
}

static inline struct vl_plan_rivals vl_plan_rivals_read(const struct vl_bag *bag)
{
    return (struct vl_plan_rivals){vl_bag_real(bag, "least"), vl_bag_real(bag, "volume"),
                                   vl_bag_real(bag, "needed"), vl_bag_real(bag, "fits_from")};
}

#endif
