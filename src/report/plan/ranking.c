/* How a ranking is found. */
#include "report/plan/ranking.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define CAPACITY      ((size_t)1 << 18) /* layouts; a search slows down once the list is full */
#define MOST_CAPACITY ((size_t)1 << 24)
#define ROWS          8 /* most sequences in a micro-batch, as in vl_forecast_search */

double vl_ranking_bandwidth(size_t point)
{
    return VL_RANKING_LOW *
           pow(VL_RANKING_HIGH / VL_RANKING_LOW, (double)point / (VL_RANKING_POINTS - 1));
}

/* ---- all layouts that fit ---- */

static enum vl_status search_all(struct vl_forecast **list, size_t *count,
                                 const struct vl_setting *setting, const struct vl_search *search)
{
    for (size_t capacity = CAPACITY; capacity <= MOST_CAPACITY; capacity *= 4) {
        *list = malloc(capacity * sizeof **list);
        if (*list == NULL)
            return VL_ENOMEM;
        enum vl_status status = vl_forecast_search(*list, count, capacity, setting, search);
        if (status != VL_OK || *count < capacity)
            return status;
        free(*list);
        *list = NULL;
    }
    return VL_ENOMEM;
}

/* Of equally fast layouts the search puts the one with the least memory first; and where nothing
 * takes any time, all layouts are equally fast. */
enum vl_status vl_ranking_least_bytes(double *bytes, const struct vl_setting *setting,
                                      const struct vl_search *search)
{
    struct vl_setting timeless = *setting;
    struct vl_forecast leanest;
    size_t count;
    timeless.cluster.memory_bytes = timeless.cluster.efficiency = INFINITY;
    timeless.cluster.memory_bandwidth = INFINITY;
    timeless.cluster.inner = timeless.cluster.outer = (struct vl_link){.bandwidth = INFINITY};
    enum vl_status status = vl_forecast_search(&leanest, &count, 1, &timeless, search);
    *bytes = status == VL_OK && count > 0
                 ? leanest.state_bytes + leanest.kept_bytes + setting->cluster.reserve_bytes
                 : INFINITY;
    return status;
}

/* ---- one layout ---- */

/* The fastest of those that fit; if none fits, the one that takes the least memory. */
static int is_preferred(const struct vl_forecast *a, const struct vl_forecast *b)
{
    if (a->fits != b->fits)
        return a->fits;
    return a->fits ? a->step.seconds < b->step.seconds
                   : a->state_bytes + a->kept_bytes < b->state_bytes + b->kept_bytes;
}

static enum vl_status consider(struct vl_forecast *best, int *found,
                               const struct vl_setting *setting, const struct vl_division *division)
{
    struct vl_forecast forecast;
    enum vl_status status = vl_forecast_make(&forecast, setting, division);
    if (status == VL_OK && (!*found || is_preferred(&forecast, best))) {
        *best = forecast;
        *found = 1;
    }
    return status == VL_ESHAPE ? VL_OK : status;
}

static enum vl_status consider_rest(struct vl_forecast *best, int *found,
                                    const struct vl_setting *setting,
                                    const struct vl_division *asked, size_t micro_batches)
{
    enum vl_status status = VL_OK;
    int any_zero = asked->zero >= VL_RANKING_ANY_ZERO,
        any_keep = asked->keep >= VL_RANKING_ANY_KEEP;
    struct vl_division d = *asked;
    d.micro_batches = micro_batches;
    for (size_t zero = 0; zero <= 3; zero++)
        for (int keep = VL_KEEP_ALL; keep <= VL_KEEP_INPUT && status == VL_OK; keep++) {
            d.zero = any_zero ? zero : asked->zero;
            d.keep = any_keep ? (enum vl_keep)keep : asked->keep;
            status = consider(best, found, setting, &d);
        }
    return status;
}

enum vl_status vl_ranking_complete(struct vl_forecast *forecast, const struct vl_setting *setting,
                                   const struct vl_division *asked)
{
    size_t replicas = asked->data * asked->expert;
    size_t sequences = (setting->recipe.batch + replicas - 1) / replicas;
    enum vl_status status = VL_OK;
    int found = 0;
    if (asked->micro_batches > 0)
        status = consider_rest(forecast, &found, setting, asked, asked->micro_batches);
    for (size_t rows = 1; asked->micro_batches == 0 && rows <= ROWS && status == VL_OK; rows *= 2) {
        size_t m = sequences / rows;
        m = asked->chunks > 1 ? m / asked->pipeline * asked->pipeline : m;
        if (m > 0)
            status = consider_rest(forecast, &found, setting, asked, m);
    }
    return status == VL_OK && !found ? VL_ESHAPE : status;
}

/* ---- the crossover ---- */

/* All layouts that fit, on any road, since roads take no memory. A narrower road makes nothing
 * faster, so the time of a layout on a broader road is a lower bound for now: most layouts need not
 * be computed again. */
struct field {
    const struct vl_forecast *list;
    size_t count;
    double *least;     /* (count) lower bounds; 0: not computed yet */
    size_t winners[2]; /* the latest: without, and with a pipeline; they are tried first */
    struct vl_setting setting;
};

static enum vl_status ask(double *best, struct field *field, size_t i, int piped)
{
    struct vl_forecast forecast;
    if (field->least[i] >= *best || (field->list[i].division.pipeline > 1) != piped)
        return VL_OK;
    enum vl_status status = vl_forecast_make(&forecast, &field->setting, &field->list[i].division);
    if (status != VL_OK)
        return status;
    field->least[i] = forecast.step.seconds;
    if (forecast.step.seconds < *best) {
        *best = forecast.step.seconds;
        field->winners[piped] = i;
    }
    return VL_OK;
}

/* Seconds of the best with a pipeline ('piped'), or of the best without. */
static enum vl_status best_at(double *best, struct field *field, int piped, double bandwidth)
{
    field->setting.cluster.outer.bandwidth = bandwidth;
    *best = INFINITY;
    enum vl_status status =
        field->count > 0 ? ask(best, field, field->winners[piped], piped) : VL_OK;
    for (size_t i = 0; i < field->count && status == VL_OK; i++)
        status = ask(best, field, i, piped);
    return status;
}

/* For bandwidths in any order: the bounds found at one are forgotten at the next. */
struct quarrel {
    struct field *field;
    const double *least;
};

static enum vl_status rivals_at(void *context, double *without, double *of_all, double bandwidth)
{
    double with = INFINITY;
    struct quarrel *quarrel = context;
    struct field *field = quarrel->field;
    memcpy(field->least, quarrel->least, field->count * sizeof *field->least);
    enum vl_status status = best_at(without, field, 0, bandwidth);
    if (status == VL_OK)
        status = best_at(&with, field, 1, bandwidth);
    *of_all = fmin(*without, with);
    return status;
}

static bool holds_at(const struct vl_ranking *ranking, size_t point)
{
    double without = ranking->without[point], all = fmin(without, ranking->with[point]);
    return isfinite(without) && without <= (1 + ranking->slack) * all;
}

/* From the broadest road to the narrowest. The crossover is just above the first that fails. */
static enum vl_status sweep(struct vl_ranking *ranking, struct field *field, double *before)
{
    enum vl_status status = VL_OK;
    int found = 0;
    ranking->crossover = VL_RANKING_LOW;
    for (size_t i = VL_RANKING_POINTS; i-- > 0 && status == VL_OK;) {
        double here = vl_ranking_bandwidth(i);
        memcpy(before, field->least, field->count * sizeof *before);
        status = best_at(&ranking->without[i], field, 0, here);
        if (status == VL_OK)
            status = best_at(&ranking->with[i], field, 1, here);
        if (status != VL_OK || found || holds_at(ranking, i))
            continue;
        found = 1;
        ranking->crossover = INFINITY;
        struct quarrel quarrel = {field, before};
        const struct vl_rivals rivals = {&quarrel, rivals_at};
        if (i + 1 < VL_RANKING_POINTS)
            status = vl_crossover(&ranking->crossover, here, vl_ranking_bandwidth(i + 1),
                                  ranking->slack, &rivals);
    }
    return status;
}

static enum vl_status find_crossover(struct vl_ranking *ranking)
{
    struct field field = {
        .list = ranking->best, .count = ranking->count, .setting = ranking->setting};
    double *before = calloc(field.count, sizeof *before);
    field.least = calloc(field.count, sizeof *field.least);
    enum vl_status status =
        before != NULL && field.least != NULL ? sweep(ranking, &field, before) : VL_ENOMEM;
    free(before);
    free(field.least);
    return status;
}

/* ---- all of it ---- */

static void drop_pipelines(struct vl_ranking *ranking)
{
    size_t kept = 0;
    for (size_t i = 0; i < ranking->count; i++)
        if (ranking->best[i].division.pipeline <= ranking->most_pipeline)
            ranking->best[kept++] = ranking->best[i];
    ranking->count = kept;
}

enum vl_status vl_ranking_make(struct vl_ranking *ranking)
{
    const struct vl_search any = {.chips = ranking->chips};
    ranking->own_place = 0;
    enum vl_status status = search_all(&ranking->best, &ranking->count, &ranking->setting, &any);
    if (status == VL_OK && ranking->count > 0)
        status = find_crossover(ranking);
    if (status != VL_OK)
        return status;
    if (ranking->most_pipeline > 0)
        drop_pipelines(ranking);
    if (ranking->has_own && ranking->own.fits)
        for (ranking->own_place = 1;
             ranking->own_place <= ranking->count &&
             ranking->best[ranking->own_place - 1].step.seconds < ranking->own.step.seconds;)
            ranking->own_place++;
    return VL_OK;
}

void vl_ranking_free(struct vl_ranking *ranking)
{
    free(ranking->best);
    ranking->best = NULL;
    ranking->count = 0;
}
