/* A ranking for machines: all numbers. */
#include "report/plan/ranking.h"

#include "plan/blueprint_file.h"
#include "report/verdict/formats.h"

#include <math.h>

#define SCHEMA "vialata.plan/1"

static json_t *layout_json(const struct vl_forecast *f, size_t place)
{
    const struct vl_division *d = &f->division;
    json_t *roads = json_pack(
        "{so so so so so so so so so so}", "arithmetic", vl_json_real(f->loads.arithmetic),
        "tensor", vl_json_real(f->loads.tensor), "flowing",
        vl_json_real(vl_flowing_seconds(&f->loads.flowing)), "experts",
        vl_json_real(f->loads.flowing.experts), "pipeline", vl_json_real(f->loads.flowing.pipeline),
        "data", vl_json_real(f->loads.flowing.data), "exposed", vl_json_real(f->step.exposed),
        "closing", vl_json_real(f->loads.closing), "left", vl_json_real(f->step.left), "bubble",
        vl_json_real(f->step.bubble));
    return json_pack(
        "{so sI sI sI sI sI sI sI ss so so so so so so so so so so sb}", "place",
        place > 0 ? json_integer((json_int_t)place) : json_null(), "dp", (json_int_t)d->data, "ep",
        (json_int_t)d->expert, "tp", (json_int_t)d->tensor, "pp", (json_int_t)d->pipeline, "v",
        (json_int_t)d->chunks, "m", (json_int_t)d->micro_batches, "zero", (json_int_t)d->zero,
        "keep", vl_keep_name(d->keep), "seconds", vl_json_real(f->step.seconds),
        "tokens_per_second", vl_json_real(f->step.tokens_per_second), "mfu",
        vl_json_real(f->step.mfu), "hfu", vl_json_real(f->step.hfu), "efficiency",
        vl_json_real(f->efficiency), "bytes", vl_json_real(f->state_bytes + f->kept_bytes),
        "state_bytes", vl_json_real(f->state_bytes), "kept_bytes", vl_json_real(f->kept_bytes),
        "bubble_of_total", vl_json_real(vl_ranking_bubble(f)), "seconds_of", roads, "fits",
        f->fits);
}

static json_t *crossover_json(const struct vl_ranking *ranking)
{
    json_t *points = json_array();
    for (size_t i = 0; i < VL_RANKING_POINTS; i++)
        json_array_append_new(
            points, json_pack("{so so so}", "bandwidth", vl_json_real(vl_ranking_bandwidth(i)),
                              "with_pipeline", vl_json_real(ranking->with[i]), "without_pipeline",
                              vl_json_real(ranking->without[i])));
    return json_pack("{so so sb so so}", "slack", vl_json_real(ranking->slack), "bandwidth",
                     vl_json_real(ranking->crossover), "or_less",
                     ranking->crossover <= VL_RANKING_LOW, "points", points, "why",
                     ranking->why != NULL ? vl_why_json(ranking->why) : json_null());
}

json_t *vl_ranking_json(const struct vl_ranking *ranking)
{
    json_t *layouts = json_array();
    for (size_t i = 0; i < ranking->count && i < ranking->top; i++)
        json_array_append_new(layouts, layout_json(&ranking->best[i], i + 1));
    json_t *own = ranking->has_own ? layout_json(&ranking->own, ranking->own_place) : json_null();
    return json_pack("{ss sI sI sI so so so sO sO}", "schema", SCHEMA, "chips",
                     (json_int_t)ranking->chips, "batch", (json_int_t)ranking->setting.recipe.batch,
                     "layouts_that_fit", (json_int_t)ranking->count, "layouts", layouts, "layout",
                     own, "crossover", crossover_json(ranking), "model", ranking->model_file,
                     "machine", ranking->machine_file);
}
