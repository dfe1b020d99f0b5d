/*
 * Lab 10, given: what there is to plan with. How many parameters a model has and a chip holds,
 * where a group of chips is, and what one of a group's two kinds of traffic costs: the all-to-all.
 */
#include "vialata/plan_roads.h"

#include <math.h>

/* ---- which divisions there are ---- */

static int sizes_can_be(const struct vl_setting *setting, const struct vl_division *d)
{
    const struct vl_blueprint *model = &setting->model;
    if (d->tensor == 0 || d->expert == 0 || d->data == 0 || d->pipeline == 0 || d->chunks == 0 ||
        d->micro_batches == 0 || d->zero > 3 || model->heads % d->tensor != 0)
        return 0;
    if (model->experts == 0)
        return d->expert == 1;
    return model->experts % (d->tensor * d->expert) == 0;
}

static int stages_can_be(const struct vl_blueprint *model, const struct vl_division *d)
{
    if (d->pipeline * d->chunks > model->layers + (d->chunks > 1 ? 2 : 0))
        return 0;
    return d->chunks == 1 || (d->pipeline > 1 && d->micro_batches % d->pipeline == 0);
}

enum vl_status vl_division_check(const struct vl_setting *setting,
                                 const struct vl_division *division)
{
    if (setting == NULL || division == NULL)
        return VL_EINVAL;
    if (!sizes_can_be(setting, division) || !stages_can_be(&setting->model, division))
        return VL_ESHAPE;
    size_t replicas = division->data * division->expert;
    size_t before =
        replicas * (division->micro_batches - 1); /* so many do not reach the last ones */
    return replicas <= setting->recipe.batch && before < setting->recipe.batch ? VL_OK : VL_ESHAPE;
}

/* ---- parameters ---- */

/* x -> q, k, v -> o; latent: x -> a few numbers -> q, and x -> fewer numbers -> k and v of all
 * heads, except for the rotary part of the keys, which comes from x and serves all heads. */
static uint64_t attention_of(const struct vl_blueprint *m)
{
    uint64_t d = m->width, h = m->heads, out = h * m->value_width * d;
    if (m->latent_rank == 0)
        return d * (h * m->key_width + m->kv_heads * (m->key_width + m->value_width)) + out;
    uint64_t queries = d * m->query_rank + m->query_rank * h * m->key_width;
    uint64_t down = d * (m->latent_rank + m->rope_width);
    uint64_t up = m->latent_rank * h * (m->key_width - m->rope_width + m->value_width);
    return queries + down + up + out;
}

enum vl_status vl_planned_parameters(struct vl_parameters *count, const struct vl_blueprint *model)
{
    if (count == NULL || model == NULL)
        return VL_EINVAL;
    uint64_t d = model->width, layers = model->layers;
    uint64_t dense = model->experts > 0 ? model->dense_layers : layers, sparse = layers - dense;
    uint64_t gains = 2 * d + model->query_rank + model->latent_rank;
    uint64_t matrices = attention_of(model);
    count->attention = matrices + gains;
    count->dense_ff = model->ff_matrices * d * model->ff;
    count->expert = model->ff_matrices * d * model->expert_ff;
    count->router = d * model->experts;
    count->table = d * model->vocabulary;
    count->active = layers * matrices + dense * count->dense_ff +
                    sparse * (count->router + (model->chosen + model->shared) * count->expert) +
                    count->table;
    count->all = layers * count->attention + dense * count->dense_ff +
                 sparse * (count->router + (model->experts + model->shared) * count->expert) +
                 2 * count->table + d; /* the last norm */
    return VL_OK;
}

enum vl_status vl_planned_chip(struct vl_chip *chip, const struct vl_blueprint *model,
                               const struct vl_division *division)
{
    struct vl_parameters count;
    if (chip == NULL || division == NULL || vl_planned_parameters(&count, model) != VL_OK)
        return VL_EINVAL;
    size_t layers = vl_division_layers(model, division);
    size_t sparse = model->experts > 0 ? model->layers - model->dense_layers : 0;
    chip->expert_layers = layers < sparse ? layers : sparse;
    chip->dense_layers = layers - chip->expert_layers;

    double tensor = (double)division->tensor, attention = (double)count.attention;
    double tables = division->pipeline == 1 ? 2 : 1;
    double beside = (double)count.router + (double)model->shared * (double)count.expert;
    double experts = (double)model->experts * (double)count.expert / (double)division->expert;
    chip->common =
        ((double)layers * attention + (double)chip->dense_layers * (double)count.dense_ff +
         (double)chip->expert_layers * beside + tables * (double)count.table) /
        tensor;
    chip->experts = (double)chip->expert_layers * experts / tensor;

    double largest = (double)count.table;
    if (chip->dense_layers > 0)
        largest = fmax(largest, attention + (double)count.dense_ff);
    if (chip->expert_layers > 0)
        largest = fmax(largest, attention + beside + experts);
    chip->unit = largest / tensor;
    return VL_OK;
}

/* ---- where experts are ---- */

/* The probability that none of k different choices falls on 'few' of n experts. */
static double none_of(size_t n, size_t few, size_t k)
{
    double none = 1;
    for (size_t i = 0; i < k; i++)
        none *= few + i < n ? (double)(n - few - i) / (double)(n - i) : 0;
    return none;
}

static double ways(size_t n, size_t k) /* to choose k of n */
{
    double ways = k <= n;
    for (size_t i = 0; i < k && k <= n; i++)
        ways *= (double)(n - i) / (double)(i + 1);
    return ways;
}

/* A domain with the experts of 'few' groups is met if one of the chosen groups is among these and
 * one of the choices is there. */
static double domain_of_groups(const struct vl_blueprint *m, size_t few)
{
    size_t groups = m->expert_groups, met = m->groups_met, each = m->experts / groups;
    double chance = 0;
    for (size_t i = 1; i <= few && i <= met; i++)
        chance += ways(few, i) * ways(groups - few, met - i) / ways(groups, met) *
                  (1 - none_of(met * each, i * each, m->chosen));
    return chance;
}

enum vl_status vl_domains_met(double *domains, const struct vl_blueprint *model, size_t across)
{
    if (domains == NULL || model == NULL || across == 0 || model->experts % across != 0)
        return VL_EINVAL;
    size_t groups = model->expert_groups, each = model->experts / across;
    double chance;
    if (groups % across == 0)
        chance = domain_of_groups(model, groups / across);
    else if (across % groups == 0) /* a part of one group */
        chance = (double)model->groups_met / (double)groups *
                 (1 - none_of(model->groups_met * (model->experts / groups), each, model->chosen));
    else
        chance = 1 - none_of(model->experts, each, model->chosen);
    *domains = chance * (double)across;
    return VL_OK;
}

/* ---- groups of chips ---- */

enum vl_status vl_group_of(struct vl_group *group, size_t members, size_t stride,
                           const struct vl_cluster *cluster)
{
    if (group == NULL || cluster == NULL || members == 0 || stride == 0 || cluster->domain == 0)
        return VL_EINVAL;
    size_t inside = cluster->domain / stride;
    if (inside > members)
        inside = members;
    while (inside > 1 && members % inside != 0)
        inside--;
    group->inside = inside > 0 ? inside : 1;
    group->across = members / group->inside;
    return VL_OK;
}

/* How much longer bytes take on the inner road than over a switch as broad as one axis. */
static double detour(const struct vl_cluster *cluster, size_t inside)
{
    double axes = 1;
    if (cluster->torus == 0)
        return 1;
    while (axes < (double)cluster->torus && pow(2, axes + 1) <= (double)inside)
        axes++;
    double side = pow((double)inside, 1 / axes);
    return fmax(side / 4, 1 / axes); /* a chip has no more than all its links */
}

enum vl_status vl_group_exchange_seconds(double *seconds, const struct vl_group *group,
                                         const struct vl_cluster *cluster, double inside_bytes,
                                         double across_bytes)
{
    if (seconds == NULL || group == NULL || cluster == NULL || group->inside == 0 ||
        group->across == 0)
        return VL_EINVAL;
    double inside = 0, across = 0;
    if (group->inside > 1)
        inside = (double)(group->inside - 1) * cluster->inner.latency +
                 inside_bytes / cluster->inner.bandwidth * detour(cluster, group->inside);
    if (group->across > 1)
        across = (double)(group->across - 1) * cluster->outer.latency +
                 across_bytes / cluster->outer.bandwidth;
    *seconds = fmax(inside, across);
    return VL_OK;
}
