#include "oracle/planner.h"

#include <math.h>
#include <stdbool.h>

/* ---- tiles ---- */

static double how_many(double length, double tile)
{
    double whole = floor(length / tile);
    return whole * tile < length ? whole + 1 : whole;
}

/* Tiles' time of one matrix: all processors are taken until the last tile is done. */
static double tile_time(double rows, double columns, double copies, const struct vl_cluster *c)
{
    double tiles = copies * how_many(rows, (double)c->tile_rows);
    tiles *= how_many(columns, (double)c->tile_columns);
    return how_many(tiles, (double)c->processors) * (double)c->processors;
}

/* FLOPs that could have been computed in the time of one product, forward and backward, and FLOPs
 * that were. */
struct time {
    double could, did;
};

static void product(struct time *time, double rows, double in, double out, double copies,
                    const struct vl_cluster *c)
{
    double tile = (double)c->tile_rows * (double)c->tile_columns;
    double each = 2 * rows * in * out * copies;
    time->did += 3 * each;
    if (c->processors == 0) {
        time->could += 3 * each;
        return;
    }
    time->could += 2 * tile * in * tile_time(rows, out, copies, c); /* forward */
    time->could += 2 * tile * out * tile_time(rows, in, copies, c); /* to the input */
    time->could += 2 * tile * rows * tile_time(in, out, copies, c); /* to the weights */
}

/* ---- one layer ---- */

static void layer_products(struct time *time, const struct vl_setting *s,
                           const struct vl_division *division, bool experts)
{
    const struct vl_blueprint *m = &s->model;
    const struct vl_cluster *c = &s->cluster;
    double t = (double)division->tensor, d = (double)m->width, h = (double)m->heads;
    double k = (double)m->key_width, v = (double)m->value_width, f = (double)m->ff;
    double rows = (double)vl_oracle_plan_rows(&s->recipe, division) * (double)m->sequence;
    double gates = m->ff_matrices == 3 ? 2 : 1;
    if (m->latent_rank > 0) {
        double q = (double)m->query_rank, l = (double)m->latent_rank, r = (double)m->rope_width;
        product(time, rows, d, (q + l + r) / t, 1, c);
        product(time, rows, q, h / t * k, 1, c);
        product(time, rows, l, h / t * (k - r) + h / t * v, 1, c);
    } else {
        product(time, rows, d, (h * k + (double)m->kv_heads * (k + v)) / t, 1, c);
    }
    product(time, rows, h / t * v, d, 1, c);
    if (!experts) {
        product(time, rows, d, gates * f / t, 1, c);
        product(time, rows, f / t, d, 1, c);
        return;
    }
    double wide = (double)m->expert_ff, all = (double)m->shared * wide;
    double here = (double)m->experts / (double)(division->tensor * division->expert);
    /* Of one expert, from all chips of the expert group. One division, so that no rounding makes
     * another tile. */
    double arriving = rows * (double)division->expert * (double)m->chosen / (double)m->experts;
    if (m->shared > 0) {
        product(time, rows, d, gates * all / t, 1, c);
        product(time, rows, all / t, d, 1, c);
    }
    product(time, arriving, d, gates * wide, here, c);
    product(time, arriving, wide, d, here, c);
}

/* Elements of one token that forward reads or writes, those of all chips of a tensor group apart. */
static double layer_elements(const struct vl_setting *s, const struct vl_division *division,
                             bool experts)
{
    const struct vl_blueprint *m = &s->model;
    double t = (double)division->tensor, d = (double)m->width, h = (double)m->heads;
    double norm = 1 + 1, sum = 1 + 1 + 1, alone = 2 * (norm + sum) * d, shared = 0;
    const double moved[] = {h * (double)m->key_width, (double)m->kv_heads * (double)m->key_width,
                            (double)m->kv_heads * (double)m->value_width, (double)m->query_rank,
                            (double)m->latent_rank};
    for (size_t i = 0; i < sizeof moved / sizeof *moved; i++)
        shared += moved[i] + moved[i];
    shared += s->cluster.score_passes * (double)m->sequence * h;
    for (size_t i = 0; experts && i < m->chosen; i++)
        shared += 2 * (d + d); /* there, and back */
    size_t met = experts ? m->chosen + m->shared : 1;
    for (size_t i = 0; i < met; i++) {
        double f = (double)(experts ? m->expert_ff : m->ff);
        shared += (double)(m->ff_matrices - 1) * f + f;
    }
    return (s->cluster.sequence_parallel ? alone / t : alone) + shared / t;
}

double vl_oracle_plan_efficiency(double flops, const struct vl_setting *setting,
                                 const struct vl_division *division)
{
    const struct vl_blueprint *m = &setting->model;
    const struct vl_cluster *c = &setting->cluster;
    struct time time = {0};
    double bytes = 0;
    for (size_t layer = 0; layer < m->layers; layer++) {
        bool experts = m->experts > 0 && layer >= m->dense_layers;
        double once = layer_elements(setting, division, experts) * setting->recipe.element_bytes;
        bytes += once + 2 * once; /* forward, backward */
        bytes += division->keep != VL_KEEP_ALL ? once : 0;
        layer_products(&time, setting, division, experts);
    }
    double computed = flops / (double)division->tensor;
    double seconds = computed * time.could / time.did / (c->peak * c->efficiency);
    if (c->memory_bandwidth > 0)
        seconds += bytes / c->memory_bandwidth;
    return computed / seconds / c->peak;
}
