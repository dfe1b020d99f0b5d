/*
 * Lab 10, given: how much of its peak a chip reaches.
 */
#include "vialata/plan_products.h"

#include <math.h>

/* ---- tiles and waves ---- */

/* One product: rows of tokens, each of 'in' elements, become rows of 'out' elements. A chip does
 * 'count' of them at once, with different weights. */
struct product {
    double rows, in, out, count;
};

/* Elements of whole waves of tiles, over those of the matrices. */
static double padded(double rows, double columns, double count, const struct vl_cluster *cluster)
{
    double high = (double)cluster->tile_rows, wide = (double)cluster->tile_columns;
    double processors = (double)cluster->processors;
    double tiles = ceil(rows / high) * ceil(columns / wide) * count;
    return ceil(tiles / processors) * processors * high * wide / (rows * columns * count);
}

/* How many times as long the three products of training take as their FLOPs say: forward makes
 * rows x out, backward makes rows x in, and in x out. */
static double waste(const struct product *product, const struct vl_cluster *cluster)
{
    double rows = product->rows, in = product->in, out = product->out, n = product->count;
    if (cluster->processors == 0)
        return 1;
    return (padded(rows, out, n, cluster) + padded(rows, in, n, cluster) +
            padded(in, out, n, cluster)) /
           3;
}

/* ---- the products of a layer ---- */

enum { MOST_PRODUCTS = 8 };

struct products {
    struct product of[MOST_PRODUCTS];
    size_t count;
};

static void add(struct products *list, double rows, double in, double out, double count)
{
    if (rows > 0 && in > 0 && out > 0 && count > 0)
        list->of[list->count++] = (struct product){rows, in, out, count};
}

/* Products with the same input are one product: queries, keys and values; gate and up. */
static void attention(struct products *list, const struct vl_blueprint *m, double rows, double t)
{
    double d = (double)m->width, heads = (double)m->heads / t;
    double key = (double)m->key_width, value = (double)m->value_width;
    if (m->latent_rank == 0) {
        double shared = (double)m->kv_heads * (key + value);
        add(list, rows, d, ((double)m->heads * key + shared) / t, 1);
    } else {
        double query = (double)m->query_rank, latent = (double)m->latent_rank;
        double rope = (double)m->rope_width;
        add(list, rows, d, (query + latent + rope) / t, 1);
        add(list, rows, query, heads * key, 1);
        add(list, rows, latent, heads * (key - rope + value), 1);
    }
    add(list, rows, heads * value, d, 1);
}

static void feed_forward(struct products *list, const struct vl_blueprint *m, double rows, double f,
                         double count)
{
    double d = (double)m->width;
    add(list, rows, d, (double)(m->ff_matrices - 1) * f, count);
    add(list, rows, f, d, count);
}

/* Every expert gets its share of the rows that all chips of the group route. */
static void experts(struct products *list, const struct vl_setting *setting,
                    const struct vl_division *division, double rows)
{
    const struct vl_blueprint *m = &setting->model;
    double t = (double)division->tensor, group = (double)division->expert;
    double each = rows * group * (double)m->chosen / (double)m->experts;
    feed_forward(list, m, rows, (double)(m->shared * m->expert_ff) / t, 1);
    feed_forward(list, m, each, (double)m->expert_ff, (double)m->experts / (t * group));
}

static void products_of(struct products *list, const struct vl_setting *setting,
                        const struct vl_division *division, int has_experts)
{
    const struct vl_blueprint *m = &setting->model;
    double rows = (double)(vl_division_rows(&setting->recipe, division) * m->sequence);
    double t = (double)division->tensor;
    list->count = 0;
    attention(list, m, rows, t);
    if (has_experts)
        experts(list, setting, division, rows);
    else
        feed_forward(list, m, rows, (double)m->ff / t, 1);
}

/* The mean of all layers, in which each product counts as much as it computes. */
static double waste_of(const struct vl_setting *setting, const struct vl_division *division)
{
    const struct vl_blueprint *m = &setting->model;
    size_t sparse = m->experts > 0 ? m->layers - m->dense_layers : 0;
    const double layers[2] = {(double)(m->layers - sparse), (double)sparse};
    double taken = 0, computed = 0;
    for (int kind = 0; kind < 2; kind++) {
        struct products list = {.count = 0};
        if (layers[kind] > 0)
            products_of(&list, setting, division, kind);
        for (size_t i = 0; i < list.count; i++) {
            const struct product *p = &list.of[i];
            double work = layers[kind] * p->rows * p->in * p->out * p->count;
            taken += work * waste(p, &setting->cluster);
            computed += work;
        }
    }
    return taken / computed;
}

/* ---- memory ---- */

/* Elements per token and layer in forward: here norms and sums, then what a tensor group always
 * shares out. */
static double of_norms(const struct vl_blueprint *m)
{
    return 10 * (double)m->width;
}

static double of_others(const struct vl_setting *setting, int has_experts)
{
    const struct vl_blueprint *m = &setting->model;
    double heads = (double)m->heads, few = (double)m->kv_heads, key = (double)m->key_width;
    double qkv = heads * key + few * (key + (double)m->value_width);
    double latents = (double)(m->query_rank + m->latent_rank);
    double scores = setting->cluster.score_passes * (double)m->sequence * heads;
    double f = (double)m->ff, sent = 0;
    if (has_experts) {
        f = (double)((m->chosen + m->shared) * m->expert_ff);
        sent = 2 * 2 * (double)(m->chosen * m->width);
    }
    return 2 * (qkv + latents) + (double)m->ff_matrices * f + sent + scores;
}

/* Bytes that one token moves in all layers, in a whole step. */
static double moved_bytes(const struct vl_setting *setting, const struct vl_division *division)
{
    const struct vl_blueprint *m = &setting->model;
    size_t sparse = m->experts > 0 ? m->layers - m->dense_layers : 0;
    double tensor = (double)division->tensor;
    double norms = (double)m->layers * of_norms(m);
    double others = (double)(m->layers - sparse) * of_others(setting, 0) +
                    (double)sparse * of_others(setting, 1);
    double passes = division->keep == VL_KEEP_ALL ? 3 : 4; /* forward 1, backward 2, again 1 */
    if (setting->cluster.sequence_parallel)
        norms /= tensor;
    return passes * (norms + others / tensor) * setting->recipe.element_bytes;
}

enum vl_status vl_planned_efficiency(double *efficiency, const struct vl_work *work,
                                     const struct vl_setting *setting,
                                     const struct vl_division *division)
{
    if (efficiency == NULL || work == NULL || setting == NULL || division == NULL)
        return VL_EINVAL;
    const struct vl_cluster *cluster = &setting->cluster;
    double flops = (work->useful + work->again - work->head) / (double)division->tensor;
    double peaks =
        waste_of(setting, division) / cluster->efficiency; /* times as long as at the peak */
    if (cluster->memory_bandwidth > 0)
        peaks += moved_bytes(setting, division) / cluster->memory_bandwidth * cluster->peak / flops;
    *efficiency = 1 / peaks;
    return VL_OK;
}
