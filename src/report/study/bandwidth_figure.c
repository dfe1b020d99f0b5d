/* The figure of a study of bandwidth. */
#include "report/study/bandwidth.h"
#include "report/study/bandwidth_parts.h"

#include "base/text.h"
#include "report/draw/chart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define POINTS 61
#define LINES  (VL_BANDWIDTH_WAYS + 2 * (VL_BANDWIDTH_SOURCES - 1))
#define NAME   128

enum band { LOW, MIDDLE, HIGH, BANDS };

/* One line: how it is called, and its seconds at evenly spaced logarithms of the rate. */
struct line {
    char name[NAME];
    double values[BANDS][POINTS];
};

/* Roads may be spaced unevenly; a chart's values are not. */
static void spread_out(double values[POINTS], const struct vl_bandwidth *study,
                       const double *seconds)
{
    double rates[VL_BANDWIDTH_RATES], first = study->roads[0].rate,
                                      last = study->roads[study->count - 1].rate;
    for (size_t r = 0; r < study->count; r++)
        rates[r] = study->roads[r].rate;
    for (int i = 0; i < POINTS; i++) {
        double rate = first * pow(last / first, (double)i / (POINTS - 1));
        rate = fmin(fmax(rate, first), last); /* rounding must not leave the roads */
        values[i] = vl_bandwidth_between(rates, seconds, study->count, rate);
    }
}

static void find_line(struct line *line, const struct vl_bandwidth *study,
                      enum vl_bandwidth_way way, enum vl_bandwidth_source source)
{
    double seconds[BANDS][VL_BANDWIDTH_RATES];
    for (size_t r = 0; r < study->count; r++) {
        struct vl_bandwidth_spread measured = vl_bandwidth_measured(study, r, way);
        seconds[LOW][r] = measured.low;
        seconds[MIDDLE][r] = vl_bandwidth_seconds(study, r, way, source);
        seconds[HIGH][r] = measured.high;
    }
    for (int b = 0; b < BANDS; b++)
        spread_out(line->values[b], study, seconds[b]);
    /* TRANSLATORS: a line of a chart: how the model was trained, and "measured" or "planned" */
    snprintf(line->name, NAME, _("%1$s, %2$s"), vl_bandwidth_name(way),
             vl_bandwidth_source_name(source));
}

static size_t add_line(struct vl_series *series, struct line *lines, size_t count,
                       const struct vl_bandwidth *study, enum vl_bandwidth_way way,
                       enum vl_bandwidth_source source)
{
    struct line *line = &lines[count];
    int band = source == VL_BANDWIDTH_MEASURED && vl_bandwidth_steps(study, 0) > 1;
    find_line(line, study, way, source);
    series[count] = (struct vl_series){.name = line->name,
                                       .values = line->values[MIDDLE],
                                       .low = band ? line->values[LOW] : NULL,
                                       .high = band ? line->values[HIGH] : NULL};
    return count + 1;
}

static enum vl_bandwidth_source main_source(const struct vl_bandwidth *study)
{
    return vl_bandwidth_has(study, VL_BANDWIDTH_MEASURED)    ? VL_BANDWIDTH_MEASURED
           : vl_bandwidth_has(study, VL_BANDWIDTH_SIMULATED) ? VL_BANDWIDTH_SIMULATED
                                                             : VL_BANDWIDTH_PLANNED;
}

/* Everything by the main source, and by the others only the two that the crossover is about. */
static size_t find_lines(struct vl_series *series, struct line *lines,
                         const struct vl_bandwidth *study)
{
    size_t count = 0;
    enum vl_bandwidth_source most = main_source(study);
    for (size_t w = 0; w < VL_BANDWIDTH_WAYS; w++)
        if (w != VL_BANDWIDTH_ALONE && vl_bandwidth_has_way(study, (enum vl_bandwidth_way)w, most))
            count = add_line(series, lines, count, study, (enum vl_bandwidth_way)w, most);
    for (int s = VL_BANDWIDTH_PLANNED; s < VL_BANDWIDTH_SOURCES; s++) {
        enum vl_bandwidth_source source = (enum vl_bandwidth_source)s;
        if (source == most || !vl_bandwidth_has(study, source))
            continue;
        count = add_line(series, lines, count, study, VL_BANDWIDTH_DP, source);
        count = add_line(series, lines, count, study, VL_BANDWIDTH_PP, source);
    }
    return count;
}

void vl_bandwidth_put_figure(struct vl_page *page, const struct vl_bandwidth *study,
                             const char *caption)
{
    int gb = study->unit == VL_BANDWIDTH_GB;
    double unit = gb ? 1e-9 : 8e-6;
    struct vl_series series[LINES];
    struct line *lines = calloc(LINES, sizeof *lines);
    if (lines == NULL || study->count < 2) {
        free(lines);
        return;
    }
    const struct vl_chart chart = {
        .title = gb ? _("Seconds of a step over the bandwidth of a chip")
                    : _("Seconds of a step over the rate of the road"),
        .description = _("The table of this page has the numbers; both axes are logarithmic."),
        /* TRANSLATORS: the name of an axis */
        .x_label = gb ? _("bandwidth of a chip, GB/s") : _("rate of the road, Mbit/s"),
        .y_label = _("s/step"),
        .first = log10(unit * study->roads[0].rate),
        .last = log10(unit * study->roads[study->count - 1].rate),
        .count = POINTS,
        .series = series,
        .series_count = find_lines(series, lines, study),
        .logarithmic = 1,
        .x_decades = 1};
    vl_page_figure(page, caption);
    vl_chart_lines(page->stream, &chart);
    vl_page_end_figure(page);
    free(lines);
}
