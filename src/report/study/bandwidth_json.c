/* A study of bandwidth for machines: all numbers with all digits. */
#include "report/study/bandwidth.h"
#include "report/study/bandwidth_parts.h"

#include "report/verdict/formats.h"
#include "version.h"

#include <math.h>

#define SCHEMA "vialata.study.bandwidth/1"

static json_t *list(const double *values, size_t n)
{
    json_t *all = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(all, vl_json_real(values[i]));
    return all;
}

/* What a source does not have is left out. */
static void add_source(json_t *cell, const char *key, double seconds)
{
    if (isfinite(seconds))
        json_object_set_new(cell, key, json_real(seconds));
}

static json_t *one_cell(const struct vl_bandwidth *study, size_t road, enum vl_bandwidth_way way)
{
    const struct vl_bandwidth_cell *cell = &study->roads[road].cells[way];
    struct vl_bandwidth_spread measured = vl_bandwidth_measured(study, road, way);
    json_t *told =
        json_pack("{s:s, s:{s:o, s:o, s:o}, s:o, s:o}", "layout", vl_bandwidth_key(way), "measured",
                  "median", vl_json_real(measured.median), "low", vl_json_real(measured.low),
                  "high", vl_json_real(measured.high), "seconds",
                  list(cell->seconds, vl_bandwidth_steps(study, road)), "losses",
                  list(cell->losses, study->roads[road].runs * (study->turns + 1)));
    add_source(told, "planned", cell->planned);
    add_source(told, "simulated", cell->simulated);
    return told;
}

static json_t *one_road(const struct vl_bandwidth *study, size_t r)
{
    const struct vl_bandwidth_road *road = &study->roads[r];
    json_t *cells = json_array();
    for (size_t w = 0; w < VL_BANDWIDTH_WAYS; w++)
        json_array_append_new(cells, one_cell(study, r, (enum vl_bandwidth_way)w));
    return json_pack("{s:o, s:I, s:o, s:o, s:o, s:o}", "rate", vl_json_real(road->rate), "runs",
                     (json_int_t)road->runs, "alpha", vl_json_real(road->alpha), "beta",
                     vl_json_real(road->beta), "load", vl_json_real(road->load), "layouts", cells);
}

json_t *vl_bandwidth_crossover_json(struct vl_bandwidth_crossover c)
{
    static const char *const verdicts[] = {[VL_BANDWIDTH_UNKNOWN] = "unknown",
                                           [VL_BANDWIDTH_CROSSES] = "crosses",
                                           [VL_BANDWIDTH_EVERYWHERE] = "everywhere",
                                           [VL_BANDWIDTH_NOWHERE] = "nowhere"};
    return json_pack("{s:s, s:o, s:I}", "verdict", verdicts[c.verdict], "rate",
                     c.verdict == VL_BANDWIDTH_CROSSES ? vl_json_real(c.rate) : json_null(),
                     "crossings", (json_int_t)c.times);
}

static json_t *gap(const struct vl_bandwidth_findings *f, enum vl_bandwidth_source source)
{
    return json_pack("{s:I, s:I, s:I, s:f}", "cells", (json_int_t)f->gap[source].cells, "within_15",
                     (json_int_t)f->gap[source].within_15, "within_30",
                     (json_int_t)f->gap[source].within_30, "worst", f->gap[source].worst);
}

static json_t *findings(const struct vl_bandwidth *study)
{
    struct vl_bandwidth_findings f;
    vl_bandwidth_find(&f, study);
    json_t *told = json_pack(
        "{s:{s:o, s:o, s:o, s:o, s:o, s:o}, s:o, s:f}", "crossover", "measured",
        vl_bandwidth_crossover_json(f.crossover[VL_BANDWIDTH_MEASURED]), "earliest",
        vl_bandwidth_crossover_json(f.earliest), "latest", vl_bandwidth_crossover_json(f.latest),
        "planned", vl_bandwidth_crossover_json(f.crossover[VL_BANDWIDTH_PLANNED]), "overlapped",
        vl_bandwidth_crossover_json(f.overlapped[VL_BANDWIDTH_MEASURED]), "overlapped_planned",
        vl_bandwidth_crossover_json(f.overlapped[VL_BANDWIDTH_PLANNED]), "planned_gap",
        gap(&f, VL_BANDWIDTH_PLANNED), "widest_spread", f.widest);
    if (vl_bandwidth_has(study, VL_BANDWIDTH_SIMULATED)) {
        json_object_set_new(json_object_get(told, "crossover"), "simulated",
                            vl_bandwidth_crossover_json(f.crossover[VL_BANDWIDTH_SIMULATED]));
        json_object_set_new(json_object_get(told, "crossover"), "overlapped_simulated",
                            vl_bandwidth_crossover_json(f.overlapped[VL_BANDWIDTH_SIMULATED]));
        json_object_set_new(told, "simulated_gap", gap(&f, VL_BANDWIDTH_SIMULATED));
    }
    return told;
}

json_t *vl_bandwidth_json(const struct vl_bandwidth *study)
{
    json_t *roads = json_array();
    for (size_t r = 0; r < study->count; r++)
        json_array_append_new(roads, one_road(study, r));
    return json_pack("{s:s, s:s, s:s, s:s, s:s*, s:I, s:O?, s:o, s:o}", "schema", SCHEMA, "version",
                     VL_VERSION, "commit", VL_COMMIT, "date", study->date, "command",
                     study->command, "steps", (json_int_t)study->turns, "model", study->model,
                     "roads", roads, "findings", findings(study));
}
