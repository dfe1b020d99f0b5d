/* A study of machines that are not here: what follows from its numbers. */
#include "report/study/chips.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void vl_chips_free(struct vl_chips *study)
{
    for (size_t p = 0; study != NULL && p < study->count; p++) {
        free(study->panels[p].machine);
        free(study->panels[p].title);
    }
    free(study);
}

char *vl_chips_layout_text(char text[VL_CHIPS_LAYOUT], const struct vl_division *d)
{
    const struct {
        const char *name;
        size_t size;
    } parts[] = {
        {"dp", d->data},     {"ep", d->expert}, {"tp", d->tensor},
        {"pp", d->pipeline}, {"v", d->chunks},  {"m", d->micro_batches},
    };
    size_t length = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].size > 1 || i == 0)
            length += (size_t)snprintf(text + length, VL_CHIPS_LAYOUT - length, "%s=%zu,",
                                       parts[i].name, parts[i].size);
    snprintf(text + length, VL_CHIPS_LAYOUT - length, "zero=%zu", d->zero);
    return text;
}

static void find_gap(struct vl_chips_findings *f, const struct vl_bandwidth *roads, size_t road,
                     enum vl_bandwidth_way way)
{
    double planned = vl_bandwidth_seconds(roads, road, way, VL_BANDWIDTH_PLANNED);
    double simulated = vl_bandwidth_seconds(roads, road, way, VL_BANDWIDTH_SIMULATED);
    double gap = fabs(planned / simulated - 1);
    if (!isfinite(gap))
        return;
    f->cells++;
    f->within_15 += gap <= 0.15;
    f->within_30 += gap <= 0.30;
    if (gap > f->worst || f->cells == 1) {
        f->worst = gap;
        f->worst_way = way;
        f->worst_road = road;
    }
}

static double find_beside(const struct vl_chips_panel *panel, enum vl_bandwidth_source source)
{
    const struct vl_bandwidth *roads = &panel->roads;
    double rates[VL_BANDWIDTH_RATES], ratios[VL_BANDWIDTH_RATES];
    for (size_t r = 0; r < roads->count; r++) {
        rates[r] = roads->roads[r].rate;
        ratios[r] = vl_bandwidth_seconds(roads, r, VL_BANDWIDTH_DP, source) /
                    vl_bandwidth_seconds(roads, r, VL_BANDWIDTH_PP, source);
    }
    return vl_bandwidth_between(rates, ratios, roads->count, panel->bandwidth);
}

void vl_chips_find(struct vl_chips_findings *findings, const struct vl_chips_panel *panel)
{
    struct vl_chips_findings *f = findings;
    memset(f, 0, sizeof *f);
    for (int s = 0; s < VL_BANDWIDTH_SOURCES; s++) {
        enum vl_bandwidth_source source = (enum vl_bandwidth_source)s;
        f->crossover[s] = vl_bandwidth_cross_pipeline(&panel->roads, VL_BANDWIDTH_DP, source);
        f->overlapped[s] =
            vl_bandwidth_cross_pipeline(&panel->roads, VL_BANDWIDTH_DP_OVERLAP, source);
        f->beside[s] = find_beside(panel, source);
    }
    struct vl_bandwidth_crossover planned = f->crossover[VL_BANDWIDTH_PLANNED],
                                  simulated = f->crossover[VL_BANDWIDTH_SIMULATED];
    f->apart = planned.verdict == VL_BANDWIDTH_CROSSES && simulated.verdict == VL_BANDWIDTH_CROSSES
                   ? fmax(planned.rate, simulated.rate) / fmin(planned.rate, simulated.rate)
                   : NAN;
    for (size_t r = 0; r < panel->roads.count; r++)
        for (size_t w = 0; w < VL_BANDWIDTH_WAYS; w++)
            find_gap(f, &panel->roads, r, (enum vl_bandwidth_way)w);
}
