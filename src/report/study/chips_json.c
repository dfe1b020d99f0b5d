/* A study of machines that are not here, for machines: all numbers with all digits. */
#include "report/study/bandwidth_parts.h"
#include "report/study/chips.h"

#include "plan/blueprint_file.h"
#include "report/verdict/formats.h"
#include "version.h"

#include <math.h>

#define SCHEMA "vialata.study.chips/1"

static json_t *one_layout(const struct vl_chips_panel *panel, enum vl_bandwidth_way way)
{
    const struct vl_chips_layout *layout = &panel->layouts[way];
    const struct vl_division *d = &layout->division;
    return json_pack("{ss sI sI sI sI sI sI sI ss sI sb}", "layout", vl_bandwidth_key(way), "dp",
                     (json_int_t)d->data, "ep", (json_int_t)d->expert, "tp", (json_int_t)d->tensor,
                     "pp", (json_int_t)d->pipeline, "v", (json_int_t)d->chunks, "m",
                     (json_int_t)d->micro_batches, "zero", (json_int_t)d->zero, "keep",
                     vl_keep_name(d->keep), "neighbours", (json_int_t)layout->neighbours, "overlap",
                     layout->overlap);
}

static json_t *layouts(const struct vl_chips_panel *panel)
{
    json_t *all = json_array();
    for (size_t w = 0; w < VL_BANDWIDTH_WAYS; w++)
        if (panel->layouts[w].division.data > 0)
            json_array_append_new(all, one_layout(panel, (enum vl_bandwidth_way)w));
    return all;
}

/* What a source does not have is left out. */
static json_t *one_road(const struct vl_chips_panel *panel, size_t r)
{
    static const char *const keys[VL_BANDWIDTH_SOURCES] = {
        [VL_BANDWIDTH_PLANNED] = "planned", [VL_BANDWIDTH_SIMULATED] = "simulated"};
    const struct vl_bandwidth_road *road = &panel->roads.roads[r];
    json_t *cells = json_array();
    for (size_t w = 0; w < VL_BANDWIDTH_WAYS; w++) {
        if (panel->layouts[w].division.data == 0)
            continue;
        json_t *cell = json_pack("{ss}", "layout", vl_bandwidth_key((enum vl_bandwidth_way)w));
        for (int s = VL_BANDWIDTH_PLANNED; s < VL_BANDWIDTH_SOURCES; s++) {
            double seconds = vl_bandwidth_seconds(&panel->roads, r, (enum vl_bandwidth_way)w,
                                                  (enum vl_bandwidth_source)s);
            if (isfinite(seconds))
                json_object_set_new(cell, keys[s], json_real(seconds));
        }
        json_array_append_new(cells, cell);
    }
    return json_pack("{so so so}", "factor", vl_json_real(road->rate / panel->bandwidth),
                     "bandwidth", vl_json_real(road->rate), "layouts", cells);
}

static json_t *crossovers(const struct vl_bandwidth_crossover found[VL_BANDWIDTH_SOURCES])
{
    return json_pack("{so so}", "planned", vl_bandwidth_crossover_json(found[VL_BANDWIDTH_PLANNED]),
                     "simulated", vl_bandwidth_crossover_json(found[VL_BANDWIDTH_SIMULATED]));
}

static json_t *besides(const double *ratios)
{
    json_t *told = json_object();
    for (int s = VL_BANDWIDTH_PLANNED; s < VL_BANDWIDTH_SOURCES; s++)
        if (isfinite(ratios[s]))
            json_object_set_new(told, s == VL_BANDWIDTH_PLANNED ? "planned" : "simulated",
                                vl_json_real(ratios[s]));
    return told;
}

static json_t *findings(const struct vl_chips_panel *panel)
{
    struct vl_chips_findings f;
    vl_chips_find(&f, panel);
    json_t *told = json_pack("{so so so}", "crossover", crossovers(f.crossover), "overlapped",
                             crossovers(f.overlapped), "apart",
                             isfinite(f.apart) ? vl_json_real(f.apart) : json_null());
    json_object_set_new(told, "beside", besides(f.beside));
    if (f.cells > 0)
        json_object_set_new(told, "gap",
                            json_pack("{sI sI sI sf}", "cells", (json_int_t)f.cells, "within_15",
                                      (json_int_t)f.within_15, "within_30", (json_int_t)f.within_30,
                                      "worst", f.worst));
    return told;
}

static json_t *one_panel(const struct vl_chips_panel *panel)
{
    json_t *roads = json_array();
    for (size_t r = 0; r < panel->roads.count; r++)
        json_array_append_new(roads, one_road(panel, r));
    const char *link = panel->cluster.torus > 0 ? "torus" : panel->inside ? "inside" : "between";
    return json_pack("{ss ss sI sI ss so so so so}", "machine", panel->machine, "title",
                     panel->title, "chips", (json_int_t)panel->chips, "domain",
                     (json_int_t)panel->cluster.domain, "link", link, "bandwidth",
                     vl_json_real(panel->bandwidth), "layouts", layouts(panel), "roads", roads,
                     "findings", findings(panel));
}

static json_t *model(const struct vl_chips *study)
{
    const struct vl_blueprint *m = &study->model;
    return json_pack("{sf sI sI sI sI sI sI sI sI sI}", "parameters", study->parameters, "layers",
                     (json_int_t)m->layers, "width", (json_int_t)m->width, "heads",
                     (json_int_t)m->heads, "expert_ff", (json_int_t)m->expert_ff, "experts",
                     (json_int_t)m->experts, "chosen", (json_int_t)m->chosen, "vocabulary",
                     (json_int_t)m->vocabulary, "sequence", (json_int_t)m->sequence,
                     "batch_of_a_chip", (json_int_t)study->recipe.batch);
}

json_t *vl_chips_json(const struct vl_chips *study)
{
    json_t *panels = json_array();
    for (size_t p = 0; p < study->count; p++)
        json_array_append_new(panels, one_panel(&study->panels[p]));
    return json_pack("{ss ss ss ss ss* so sI so}", "schema", SCHEMA, "version", VL_VERSION,
                     "commit", VL_COMMIT, "date", study->date, "command", study->command, "model",
                     model(study), "scale", (json_int_t)study->scale, "panels", panels);
}
