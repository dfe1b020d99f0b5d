/* Sentences about a panel, chosen by its numbers. */
#include "report/study/bandwidth_parts.h"
#include "report/study/chips.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static char *say_road(const struct vl_chips_panel *panel, const struct vl_chips_findings *f)
{
    (void)f;
    char *text = NULL, rate[VL_NUMBER_TEXT];
    vl_bandwidth_rate(rate, &panel->roads, panel->bandwidth);
    const char *format =
        panel->cluster.torus > 0
            /* TRANSLATORS: 2: GB/s. An axis of the torus is both directions of it */
            ? _("All %1$zu chips are in one torus, and the bandwidth of its links is varied. The "
                "machine's file says %2$s GB/s along an axis.")
            : panel->inside
                  /* TRANSLATORS: 2: GB/s */
                  ? _("All %1$zu chips are in one domain, so the bandwidth inside it is varied. The "
                      "machine's file says %2$s GB/s for each chip.")
                  /* TRANSLATORS: 2: GB/s; 3: chips */
                  : _("The %1$zu chips are in domains of %3$zu, and the bandwidth between domains is "
                      "varied. The machine's file says %2$s GB/s for each chip.");
    return asprintf(&text, format, panel->chips, rate, panel->cluster.domain) >= 0 ? text : NULL;
}

/* Domains of equal size, for which some chips stay unused. */
static char *say_unused(const struct vl_chips_panel *panel, const struct vl_chips_findings *f)
{
    char *text = NULL;
    (void)f;
    if (panel->inside || panel->cluster.domain == panel->whole_domain)
        return NULL;
    return asprintf(&text,
                    _("A domain has %1$zu chips. %2$zu of them take part, so that all domains have "
                      "equally many."),
                    panel->whole_domain, panel->cluster.domain) >= 0
               ? text
               : NULL;
}

static char *say_crossover(const struct vl_chips_panel *panel, const struct vl_chips_findings *f)
{
    char *text = NULL, planned[VL_BANDWIDTH_PLACE], simulated[VL_BANDWIDTH_PLACE];
    vl_bandwidth_place(planned, &panel->roads, f->crossover[VL_BANDWIDTH_PLANNED]);
    vl_bandwidth_place(simulated, &panel->roads, f->crossover[VL_BANDWIDTH_SIMULATED]);
    int written =
        vl_bandwidth_has(&panel->roads, VL_BANDWIDTH_SIMULATED)
            ? asprintf(&text,
                       /* TRANSLATORS: bandwidths, each with its unit: "33 GB/s", or "below 2.5
                        * GB/s" */
                       _("Above the crossover, data parallelism is at least as fast as the "
                         "pipeline. Simulated: %1$s. Computed by the planner: %2$s."),
                       simulated, planned)
            : asprintf(&text,
                       /* TRANSLATORS: a bandwidth with its unit: "33 GB/s", or "below 2.5 GB/s" */
                       _("Above the crossover, data parallelism is at least as fast as the "
                         "pipeline. Computed by the planner: %s."),
                       planned);
    return written >= 0 ? text : NULL;
}

static char *say_apart(const struct vl_chips_panel *panel, const struct vl_chips_findings *f)
{
    char *text = NULL, factor[VL_NUMBER_TEXT];
    (void)panel;
    if (!isfinite(f->apart))
        return NULL;
    vl_number_text(factor, f->apart, 2);
    return asprintf(&text, _("The two are a factor of %s apart."), factor) >= 0 ? text : NULL;
}

/* Where both take nearly as long, a crossover moves far with little. */
static char *say_beside(const struct vl_chips_panel *panel, const struct vl_chips_findings *f)
{
    char *text = NULL, planned[VL_NUMBER_TEXT], simulated[VL_NUMBER_TEXT];
    if (!isfinite(f->beside[VL_BANDWIDTH_PLANNED]))
        return NULL;
    vl_number_text(planned, f->beside[VL_BANDWIDTH_PLANNED], 2);
    vl_number_text(simulated, f->beside[VL_BANDWIDTH_SIMULATED], 2);
    int written =
        vl_bandwidth_has(&panel->roads, VL_BANDWIDTH_SIMULATED)
            ? asprintf(
                  &text,
                  /* TRANSLATORS: "0.89 times", by the simulation and by the planner */
                  _("At the bandwidth in the file, a step of data parallelism takes %1$s times "
                    "as long as the pipeline's, simulated, and %2$s times, planned."),
                  simulated, planned)
            : asprintf(&text,
                       _("At the bandwidth in the file, a step of data parallelism takes %s times "
                         "as long as the pipeline's, planned."),
                       planned);
    return written >= 0 ? text : NULL;
}

static char *say_overlapped(const struct vl_chips_panel *panel, const struct vl_chips_findings *f)
{
    char *text = NULL, place[VL_BANDWIDTH_PLACE];
    if (!vl_bandwidth_has_way(&panel->roads, VL_BANDWIDTH_DP_OVERLAP, VL_BANDWIDTH_SIMULATED))
        return NULL;
    vl_bandwidth_place(place, &panel->roads, f->overlapped[VL_BANDWIDTH_SIMULATED]);
    return asprintf(&text,
                    /* TRANSLATORS: a bandwidth with its unit: "33 GB/s", or "below 2.5 GB/s" */
                    _("Simulated with gradients that travel in one ring while backward still runs: "
                      "%s."),
                    place) >= 0
               ? text
               : NULL;
}

/* The loss, the counts of the experts and their loss are gathered from all replicas. */
#define SMALL_RINGS 3

/* Of a ring of small messages nothing is left but the latencies of its slowest link. */
static double small_rings(const struct vl_chips_panel *panel, enum vl_bandwidth_way way)
{
    const struct vl_division *d = &panel->layouts[way].division;
    double latency = panel->inside ? panel->cluster.inner.latency : panel->cluster.outer.latency;
    return d->data > 0 ? SMALL_RINGS * (double)(d->data * d->expert - 1) * latency : 0;
}

static char *say_small(const struct vl_chips_panel *panel, const struct vl_chips_findings *f)
{
    char *text = NULL, simple[VL_NUMBER_TEXT], staged[VL_NUMBER_TEXT];
    (void)f;
    if (!vl_bandwidth_has(&panel->roads, VL_BANDWIDTH_SIMULATED))
        return NULL;
    vl_number_text(simple, 1e3 * small_rings(panel, VL_BANDWIDTH_DP), 1);
    vl_number_text(staged, 1e3 * small_rings(panel, VL_BANDWIDTH_PP), 1);
    return asprintf(&text,
                    /* TRANSLATORS: milliseconds */
                    _("Each chip adds a latency to the small sums, such as that of the loss, which "
                      "the planner does not count: about %1$s ms of a step of data parallelism, "
                      "and %2$s ms of the pipeline's, at any bandwidth."),
                    simple, staged) >= 0
               ? text
               : NULL;
}

static char *say_gap(const struct vl_chips_panel *panel, const struct vl_chips_findings *f)
{
    char *text = NULL, worst[VL_NUMBER_TEXT], rate[VL_NUMBER_TEXT];
    if (f->cells == 0)
        return NULL;
    vl_number_percent(worst, f->worst, 0);
    vl_bandwidth_rate(rate, &panel->roads, panel->roads.roads[f->worst_road].rate);
    return asprintf(&text,
                    /* TRANSLATORS: numbers of cells of a table; the largest difference in percent;
                     * how the model was trained, and GB/s */
                    _("The planner's seconds are within 15%% of the simulated ones in %1$zu of "
                      "%2$zu cells, and within 30%% in %3$zu; the largest difference is %4$s (%5$s "
                      "at %6$s GB/s)."),
                    f->within_15, f->cells, f->within_30, worst, vl_bandwidth_name(f->worst_way),
                    rate) >= 0
               ? text
               : NULL;
}

char *vl_chips_sentence(const struct vl_chips_panel *panel,
                        const struct vl_chips_findings *findings, size_t i)
{
    static char *(*const sayers[])(const struct vl_chips_panel *,
                                   const struct vl_chips_findings *) = {
        say_road,   say_unused,     say_crossover, say_apart,
        say_beside, say_overlapped, say_small,     say_gap};
    for (size_t k = 0; k < sizeof sayers / sizeof *sayers; k++) {
        char *text = sayers[k](panel, findings);
        if (text != NULL && i-- == 0)
            return text;
        free(text);
    }
    return NULL;
}
