/*
 * Lab 10, given: the search through all divisions, and the rule of thumb.
 */
#include "vialata/crossover.h"

#include <stdlib.h>
#include <string.h>

#define MOST_ROWS   8
#define MOST_CHUNKS 4

/* Where the search is, and the best so far. */
struct look {
    const struct vl_setting *setting;
    size_t most_rows, capacity, count;
    struct vl_forecast *best;
};

static int is_better(const struct vl_forecast *a, const struct vl_forecast *b)
{
    if (a->step.seconds < b->step.seconds || a->step.seconds > b->step.seconds)
        return a->step.seconds < b->step.seconds;
    return a->state_bytes + a->kept_bytes < b->state_bytes + b->kept_bytes;
}

static int compare_sizes(size_t a, size_t b)
{
    return (a > b) - (a < b);
}

/* For qsort: the better one first; of two equally good, the one that the search meets first. */
static int compare(const void *one, const void *other)
{
    const struct vl_forecast *f = one, *g = other;
    const struct vl_division *a = &f->division, *b = &g->division;
    const int apart[] = {
        is_better(g, f) - is_better(f, g),   compare_sizes(a->tensor, b->tensor),
        compare_sizes(a->expert, b->expert), compare_sizes(a->pipeline, b->pipeline),
        compare_sizes(a->chunks, b->chunks), compare_sizes(b->micro_batches, a->micro_batches),
        compare_sizes(a->zero, b->zero),     compare_sizes(a->keep, b->keep),
    };
    size_t i = 0;
    while (i + 1 < sizeof apart / sizeof *apart && apart[i] == 0)
        i++;
    return apart[i];
}

static void put_in_order(struct look *look)
{
    qsort(look->best, look->count, sizeof *look->best, compare);
}

/* The list is in order once it is full; from then on each newcomer pushes out the last one. */
static void insert(struct look *look, const struct vl_forecast *forecast)
{
    size_t at = look->capacity;
    if (look->count < look->capacity) {
        look->best[look->count++] = *forecast;
        if (look->count == look->capacity)
            put_in_order(look);
        return;
    }
    while (at > 0 && is_better(forecast, &look->best[at - 1]))
        at--;
    if (at == look->capacity)
        return;
    memmove(&look->best[at + 1], &look->best[at], (look->capacity - 1 - at) * sizeof *look->best);
    look->best[at] = *forecast;
}

static enum vl_status consider(struct look *look, const struct vl_division *division)
{
    struct vl_forecast forecast;
    enum vl_status status = vl_forecast_make(&forecast, look->setting, division);
    if (status == VL_ESHAPE)
        return VL_OK; /* there is no such division */
    if (status != VL_OK || !forecast.fits)
        return status;
    insert(look, &forecast);
    return VL_OK;
}

/* All ways to cut a replica's sequences, with every choice that leaves the grid as it is. */
static enum vl_status consider_cuts(struct look *look, struct vl_division division)
{
    size_t replicas = division.data * division.expert;
    size_t sequences = (look->setting->recipe.batch + replicas - 1) / replicas;
    enum vl_status status = VL_OK;
    for (size_t rows = 1; rows <= look->most_rows && rows <= sequences; rows *= 2) {
        size_t m = sequences / rows, p = division.pipeline;
        division.micro_batches = division.chunks > 1 ? m / p * p : m;
        for (division.zero = 0; division.zero <= 3; division.zero++)
            for (int keep = VL_KEEP_ALL; keep <= VL_KEEP_INPUT && status == VL_OK; keep++) {
                division.keep = (enum vl_keep)keep;
                status = consider(look, &division);
            }
    }
    return status;
}

static enum vl_status consider_grid(struct look *look, size_t tensor, size_t expert, size_t data,
                                    size_t pipeline)
{
    enum vl_status status = VL_OK;
    for (size_t chunks = 1; chunks <= MOST_CHUNKS && status == VL_OK; chunks++)
        status = consider_cuts(look, (struct vl_division){.tensor = tensor,
                                                          .expert = expert,
                                                          .data = data,
                                                          .pipeline = pipeline,
                                                          .chunks = chunks});
    return status;
}

enum vl_status vl_forecast_search(struct vl_forecast *best, size_t *count, size_t capacity,
                                  const struct vl_setting *setting, const struct vl_search *search)
{
    if (best == NULL || count == NULL || setting == NULL || search == NULL || capacity == 0)
        return VL_EINVAL;
    const struct vl_blueprint *model = &setting->model;
    size_t most_expert = model->experts > 0 ? model->experts : 1;
    size_t most_pipeline = search->most_pipeline > 0 ? search->most_pipeline : model->layers;
    size_t most_rows = search->most_rows > 0 ? search->most_rows : MOST_ROWS;
    struct look look = {
        .setting = setting, .most_rows = most_rows, .capacity = capacity, .best = best};
    enum vl_status status = VL_OK;
    for (size_t t = 1; t <= model->heads && status == VL_OK; t++)
        for (size_t e = 1; e <= most_expert && search->chips % t == 0; e++)
            for (size_t p = 1; p <= most_pipeline && search->chips % (t * e) == 0; p++)
                if (search->chips % (t * e * p) == 0 && status == VL_OK)
                    status = consider_grid(&look, t, e, search->chips / (t * e * p), p);
    if (look.count < capacity)
        put_in_order(&look);
    *count = look.count;
    return status;
}

enum vl_status vl_rule_tokens(double *tokens, const struct vl_setting *setting, double bandwidth,
                              const struct vl_division *division)
{
    if (tokens == NULL || setting == NULL || division == NULL || !(bandwidth > 0))
        return VL_EINVAL;
    const struct vl_blueprint *model = &setting->model;
    double spread = (double)(division->tensor * division->expert * division->pipeline);
    double sparsity = model->experts > 0 ? (double)model->experts / (double)model->chosen : 1;
    *tokens = setting->cluster.peak / bandwidth * sparsity / spread;
    return VL_OK;
}
