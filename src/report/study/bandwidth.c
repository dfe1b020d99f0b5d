/* A study of bandwidth: what is taken in. */
#include "report/study/bandwidth.h"
#include "report/study/bandwidth_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const keys[VL_BANDWIDTH_WAYS] = {[VL_BANDWIDTH_ALONE] = "alone",
                                                    [VL_BANDWIDTH_DP] = "dp",
                                                    [VL_BANDWIDTH_DP_OVERLAP] = "dp overlap",
                                                    [VL_BANDWIDTH_ZERO3] = "zero 3",
                                                    [VL_BANDWIDTH_TP] = "tp",
                                                    [VL_BANDWIDTH_PP] = "pp 1f1b",
                                                    [VL_BANDWIDTH_EP] = "ep"};

const char *vl_bandwidth_key(enum vl_bandwidth_way way)
{
    return keys[way];
}

/* A positive, finite number; *good becomes 0 if it is not one. */
static double positive(const json_t *value, int *good)
{
    double number = json_number_value(value);
    *good = *good && json_is_number(value) && isfinite(number) && number > 0;
    return number;
}

static void take_list(double *values, size_t count, const json_t *list, int *good)
{
    *good = *good && json_array_size(list) == count;
    for (size_t i = 0; *good && i < count; i++)
        values[i] = positive(json_array_get(list, i), good);
}

static void take_cell(struct vl_bandwidth_cell *cell, const char *key, size_t run, size_t turns,
                      const json_t *told, int *good)
{
    const json_t *planned = json_object_get(told, "planned"), *way = json_object_get(told, "way");
    *good = *good && json_is_string(way) && strcmp(json_string_value(way), key) == 0;
    cell->simulated = NAN;
    cell->plans[run] = planned != NULL ? positive(planned, good) : NAN;
    cell->planned = isnan(cell->plans[run]) ? NAN : vl_bandwidth_median(cell->plans, run + 1);
    take_list(cell->seconds + run * turns, turns, json_object_get(told, "seconds"), good);
    take_list(cell->losses + run * (turns + 1), turns + 1, json_object_get(told, "losses"), good);
}

/* The road of this rate, which may be a new one at the end. NULL: no room, or no such place. */
static struct vl_bandwidth_road *road_of(struct vl_bandwidth *study, double rate)
{
    size_t r = 0;
    while (r < study->count && study->roads[r].rate < rate)
        r++;
    if (r == study->count && r < VL_BANDWIDTH_RATES && rate > 0)
        return &study->roads[r];
    return r < study->count && study->roads[r].rate == rate ? &study->roads[r] : NULL;
}

enum vl_status vl_bandwidth_take(struct vl_bandwidth *study, double rate, double load,
                                 const json_t *told)
{
    const json_t *ways = json_object_get(told, "ways"), *road = json_object_get(told, "road"),
                 *model = json_object_get(told, "model");
    struct vl_bandwidth_road *place = road_of(study, rate);
    if (place == NULL || place->runs == VL_BANDWIDTH_RUNS || study->turns == 0 ||
        study->turns > VL_BANDWIDTH_TURNS / (place->runs + 1))
        return VL_EFORMAT;
    struct vl_bandwidth_road *to = malloc(sizeof *to);
    if (to == NULL)
        return VL_ENOMEM;
    *to = *place;
    int good = json_is_object(model) && json_array_size(ways) == VL_BANDWIDTH_WAYS;
    to->rate = rate;
    to->load = to->runs > 0 ? fmax(to->load, load) : load;
    to->alphas[to->runs] = positive(json_object_get(road, "alpha"), &good);
    to->betas[to->runs] = positive(json_object_get(road, "beta"), &good);
    to->alpha = vl_bandwidth_median(to->alphas, to->runs + 1);
    to->beta = vl_bandwidth_median(to->betas, to->runs + 1);
    for (size_t w = 0; good && w < VL_BANDWIDTH_WAYS; w++)
        take_cell(&to->cells[w], keys[w], to->runs, study->turns, json_array_get(ways, w), &good);
    to->runs++;
    if (good)
        *place = *to;
    free(to);
    if (!good)
        return VL_EFORMAT;
    if (study->model == NULL)
        study->model = json_deep_copy(model);
    if (place == &study->roads[study->count])
        study->count++;
    return VL_OK;
}

enum vl_status vl_bandwidth_add(struct vl_bandwidth *study, double rate)
{
    struct vl_bandwidth_road *road = road_of(study, rate);
    if (road == NULL || road != &study->roads[study->count])
        return VL_EINVAL;
    *road = (struct vl_bandwidth_road){.rate = rate, .alpha = NAN, .beta = NAN, .load = NAN};
    for (size_t w = 0; w < VL_BANDWIDTH_WAYS; w++)
        road->cells[w].planned = road->cells[w].simulated = NAN;
    study->count++;
    return VL_OK;
}

void vl_bandwidth_free(struct vl_bandwidth *study)
{
    if (study == NULL)
        return;
    json_decref(study->model);
    free(study);
}

/* The order of sums differs between the ways, so losses are close, but not equal to
 * the last bit; and once two experts are nearly tied, one way may choose the other of them. */
#define LOSS_BOUND 1e-3

int vl_bandwidth_losses_differ(size_t *road, enum vl_bandwidth_way *way,
                               const struct vl_bandwidth *study)
{
    for (size_t r = 0; r < study->count; r++)
        for (size_t w = 0; w < VL_BANDWIDTH_WAYS; w++)
            for (size_t i = 0; i < study->roads[r].runs * (study->turns + 1); i++) {
                double wanted = study->roads[r].cells[VL_BANDWIDTH_ALONE].losses[i];
                if (!(fabs(study->roads[r].cells[w].losses[i] - wanted) <= LOSS_BOUND * wanted)) {
                    *road = r;
                    *way = (enum vl_bandwidth_way)w;
                    return 1;
                }
            }
    return 0;
}
