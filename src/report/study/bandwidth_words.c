/* Sentences about a study of bandwidth, chosen by its numbers. */
#include "report/study/bandwidth.h"
#include "report/study/bandwidth_parts.h"

#include "base/number.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>

const char *vl_bandwidth_name(enum vl_bandwidth_way way)
{
    static const char *const names[VL_BANDWIDTH_WAYS] = {
        [VL_BANDWIDTH_ALONE] = N_("each host alone"),
        [VL_BANDWIDTH_DP] = N_("data parallel"),
        [VL_BANDWIDTH_DP_OVERLAP] = N_("data parallel, overlapped"),
        [VL_BANDWIDTH_ZERO3] = "ZeRO-3",
        [VL_BANDWIDTH_TP] = N_("tensor parallel"),
        [VL_BANDWIDTH_PP] = N_("pipeline, 1F1B"),
        [VL_BANDWIDTH_EP] = N_("expert parallel"),
    };
    return way == VL_BANDWIDTH_ZERO3 ? names[way] : _(names[way]);
}

const char *vl_bandwidth_source_name(enum vl_bandwidth_source source)
{
    static const char *const names[VL_BANDWIDTH_SOURCES] = {
        [VL_BANDWIDTH_MEASURED] = N_("measured"),
        /* TRANSLATORS: seconds that the planner of lab 10 computed */
        [VL_BANDWIDTH_PLANNED] = N_("planned"),
        [VL_BANDWIDTH_SIMULATED] = N_("simulated"),
    };
    return _(names[source]);
}

char *vl_bandwidth_rate(char text[VL_NUMBER_TEXT], const struct vl_bandwidth *study, double rate)
{
    if (study->unit == VL_BANDWIDTH_MBIT)
        return vl_number_text(text, 8e-6 * rate, 0);
    double gb = 1e-9 * rate;
    return gb < 999.5 ? vl_number_short(text, gb, 3) : vl_number_text(text, gb, 0);
}

char *vl_bandwidth_place(char text[VL_BANDWIDTH_PLACE], const struct vl_bandwidth *study,
                         struct vl_bandwidth_crossover crossover)
{
    char rate[VL_NUMBER_TEXT];
    int gb = study->unit == VL_BANDWIDTH_GB;
    double first = study->roads[0].rate, last = study->roads[study->count - 1].rate;
    switch (crossover.verdict) {
    case VL_BANDWIDTH_CROSSES:
        snprintf(text, VL_BANDWIDTH_PLACE, gb ? _("%s GB/s") : _("%s Mbit/s"),
                 vl_bandwidth_rate(rate, study, crossover.rate));
        break;
    case VL_BANDWIDTH_EVERYWHERE:
        snprintf(text, VL_BANDWIDTH_PLACE, gb ? _("below %s GB/s") : _("below %s Mbit/s"),
                 vl_bandwidth_rate(rate, study, first));
        break;
    case VL_BANDWIDTH_NOWHERE:
        snprintf(text, VL_BANDWIDTH_PLACE, gb ? _("above %s GB/s") : _("above %s Mbit/s"),
                 vl_bandwidth_rate(rate, study, last));
        break;
    default:
        snprintf(text, VL_BANDWIDTH_PLACE, "%s", _("unknown"));
    }
    return text;
}

static char *say_measured(const struct vl_bandwidth *study, const struct vl_bandwidth_findings *f)
{
    char *text = NULL, place[VL_BANDWIDTH_PLACE], earliest[VL_BANDWIDTH_PLACE],
         latest[VL_BANDWIDTH_PLACE];
    return asprintf(&text,
                    /* TRANSLATORS: three rates, each with its unit: "850 Mbit/s", or "below 100
                     * Mbit/s". Quartiles of the times */
                    _("Above the crossover, data parallelism is faster than the pipeline; below "
                      "it, the pipeline is. Measured: %1$s (by the quartiles of the times: %2$s to "
                      "%3$s)."),
                    vl_bandwidth_place(place, study, f->crossover[VL_BANDWIDTH_MEASURED]),
                    vl_bandwidth_place(earliest, study, f->earliest),
                    vl_bandwidth_place(latest, study, f->latest)) >= 0
               ? text
               : NULL;
}

static char *say_planned(const struct vl_bandwidth *study, const struct vl_bandwidth_findings *f)
{
    char *text = NULL, place[VL_BANDWIDTH_PLACE];
    return asprintf(&text, _("Computed by the planner of lab 10 for the same roads: %s."),
                    vl_bandwidth_place(place, study, f->crossover[VL_BANDWIDTH_PLANNED])) >= 0
               ? text
               : NULL;
}

static char *say_simulated(const struct vl_bandwidth *study, const struct vl_bandwidth_findings *f)
{
    char *text = NULL, place[VL_BANDWIDTH_PLACE];
    if (!vl_bandwidth_has(study, VL_BANDWIDTH_SIMULATED))
        return NULL;
    return asprintf(&text, _("Simulated on the same roads: %s."),
                    vl_bandwidth_place(place, study, f->crossover[VL_BANDWIDTH_SIMULATED])) >= 0
               ? text
               : NULL;
}

static char *say_overlapped(const struct vl_bandwidth *study, const struct vl_bandwidth_findings *f)
{
    char *text = NULL, measured[VL_BANDWIDTH_PLACE], planned[VL_BANDWIDTH_PLACE],
         simulated[VL_BANDWIDTH_PLACE];
    const char *format =
        vl_bandwidth_has(study, VL_BANDWIDTH_SIMULATED)
            /* TRANSLATORS: rates, each with its unit: "850 Mbit/s", or "below 100 Mbit/s" */
            ? _("Where gradients travel while backward still runs: measured %1$s, computed "
                "%2$s, simulated %3$s.")
            /* TRANSLATORS: rates, each with its unit: "850 Mbit/s", or "below 100 Mbit/s" */
            : _("Where gradients travel while backward still runs: measured %1$s, computed "
                "%2$s.");
    return asprintf(&text, format,
                    vl_bandwidth_place(measured, study, f->overlapped[VL_BANDWIDTH_MEASURED]),
                    vl_bandwidth_place(planned, study, f->overlapped[VL_BANDWIDTH_PLANNED]),
                    vl_bandwidth_place(simulated, study, f->overlapped[VL_BANDWIDTH_SIMULATED])) >=
                   0
               ? text
               : NULL;
}

static char *say_crossings(const struct vl_bandwidth *study, const struct vl_bandwidth_findings *f)
{
    char *text = NULL;
    size_t times = f->crossover[VL_BANDWIDTH_MEASURED].times;
    (void)study;
    if (times < 2)
        return NULL;
    return asprintf(&text,
                    _("The measured lines of the two cross %zu times, and the last time counts: on "
                      "a machine that is busy with other work this is chance. Measure again when "
                      "it is idle, or with more `--steps`."),
                    times) >= 0
               ? text
               : NULL;
}

static char *say_gap(const struct vl_bandwidth_findings *f, enum vl_bandwidth_source source)
{
    char *text = NULL, worst[VL_NUMBER_TEXT];
    if (f->gap[source].cells == 0)
        return NULL;
    vl_number_percent(worst, f->gap[source].worst, 0);
    const char *format =
        source == VL_BANDWIDTH_PLANNED
            /* TRANSLATORS: numbers of cells of a table, and the largest difference in percent */
            ? _("The planner's seconds are within 15%% of the measured ones in %1$zu of %2$zu "
                "cells, and within 30%% in %3$zu; the largest difference is %4$s.")
            /* TRANSLATORS: numbers of cells of a table, and the largest difference in percent */
            : _("The simulated seconds are within 15%% of the measured ones in %1$zu of %2$zu "
                "cells, and within 30%% in %3$zu; the largest difference is %4$s.");
    return asprintf(&text, format, f->gap[source].within_15, f->gap[source].cells,
                    f->gap[source].within_30, worst) >= 0
               ? text
               : NULL;
}

static char *say_planner_gap(const struct vl_bandwidth *study,
                             const struct vl_bandwidth_findings *f)
{
    (void)study;
    return say_gap(f, VL_BANDWIDTH_PLANNED);
}

static char *say_simulation_gap(const struct vl_bandwidth *study,
                                const struct vl_bandwidth_findings *f)
{
    (void)study;
    return say_gap(f, VL_BANDWIDTH_SIMULATED);
}

#define WIDE 0.2 /* a spread above which nobody should trust a difference of some percent */

static char *say_spread(const struct vl_bandwidth *study, const struct vl_bandwidth_findings *f)
{
    char *text = NULL, widest[VL_NUMBER_TEXT];
    vl_number_percent(widest, f->widest, 0);
    if (vl_bandwidth_steps(study, 0) == 1)
        return asprintf(&text, "%s",
                        _("Each step was timed once, so nothing is known about chance: give "
                          "`--steps` more.")) >= 0
                   ? text
                   : NULL;
    const char *format =
        f->widest > WIDE
            ? _("The steps of one cell differ by up to %s between their quartiles: other work kept "
                "the machine busy, so take small differences for chance.")
            : _("The steps of one cell differ by at most %s between their quartiles.");
    return asprintf(&text, format, widest) >= 0 ? text : NULL;
}

char *vl_bandwidth_sentence(const struct vl_bandwidth *study,
                            const struct vl_bandwidth_findings *findings, size_t i)
{
    static char *(*const sayers[])(const struct vl_bandwidth *,
                                   const struct vl_bandwidth_findings *) = {
        say_measured,  say_planned,     say_simulated,      say_overlapped,
        say_crossings, say_planner_gap, say_simulation_gap, say_spread};
    for (size_t k = 0; k < sizeof sayers / sizeof *sayers; k++) {
        char *text = sayers[k](study, findings);
        if (text != NULL && i-- == 0)
            return text;
        free(text);
    }
    return NULL;
}
