/* Figures of a study's page. */
#include "report/study_parts.h"

#include "base/number.h"
#include "base/text.h"
#include "report/chart.h"
#include "report/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POINTS                                                                                     \
    80 /* of a line: each the mean of some steps, or the batches' own chance would hide            \
        * what is to be seen */

static const char *title_of(enum vl_study_curve curve)
{
    return curve == VL_STUDY_LOSS        ? _("Loss over the steps")
           : curve == VL_STUDY_VIOLATION ? _("MaxVio over the steps")
           : curve == VL_STUDY_SIZE      ? _("Size of the interference over the steps")
                                         : _("Cosine of the interference over the steps");
}

static const char *unit_of(enum vl_study_curve curve)
{
    return curve == VL_STUDY_LOSS        ? _("nats a byte")
           : curve == VL_STUDY_VIOLATION ? "MaxVio"
           : curve == VL_STUDY_SIZE      ? _("size")
                                         : _("cosine");
}

/* A line: mean, least and most over the seeds at each point, one after the other in 'values'. */
static void find_line(double *values, int points, const struct vl_study *study,
                      const struct vl_study_way *way, enum vl_study_curve curve)
{
    double *mean = values, *low = mean + points, *high = low + points;
    for (int i = 0; i < points; i++) {
        mean[i] = 0;
        low[i] = INFINITY;
        high[i] = -INFINITY;
        for (size_t s = 0; s < study->seeds; s++) {
            double one = vl_plot_column(way->runs[s].curves[curve], study->steps, i, points);
            mean[i] += one / (double)study->seeds; /* NAN stays: a gap */
            low[i] = fmin(low[i], one);
            high[i] = fmax(high[i], one);
        }
    }
}

static char *caption_of(const struct vl_study *study, enum vl_study_curve curve, double steps)
{
    char *text = NULL, number[VL_NUMBER_TEXT];
    int made =
        study->seeds > 1
            /* TRANSLATORS: below a chart: its title, then how it was made */
            ? asprintf(&text,
                       _("%1$s. Lines: the mean over %2$zu seeds. Bands: from the least to the "
                         "most. Steps in each point: %3$s."),
                       title_of(curve), study->seeds, vl_number_text(number, steps, 1))
            : asprintf(&text, _("%1$s. One seed. Steps in each point: %2$s."), title_of(curve),
                       vl_number_text(number, steps, 1));
    return made >= 0 ? text : NULL;
}

static void draw(struct vl_page *page, const struct vl_study *study, enum vl_study_curve curve,
                 double *values, int points)
{
    struct vl_series series[VL_STUDY_WAYS];
    char names[VL_STUDY_WAYS][VL_STUDY_NAME];
    size_t count = 0;
    double each = (double)study->steps / points;
    for (size_t w = 0; w < study->way_count; w++) {
        const struct vl_study_way *way = &study->ways[w];
        double *line = values + count * 3 * (size_t)points;
        if (curve >= VL_STUDY_SIZE && strcmp(way->balance, "aux") != 0)
            continue;
        find_line(line, points, study, way, curve);
        vl_study_way_name(names[count], way);
        series[count] = (struct vl_series){.name = names[count], .values = line};
        if (study->seeds > 1) {
            series[count].low = line + points;
            series[count].high = line + 2 * points;
        }
        count++;
    }
    const struct vl_chart chart = {.title = title_of(curve),
                                   .description = _("The table of this section has the numbers."),
                                   .x_label = _("step"),
                                   .y_label = unit_of(curve),
                                   .first = (1 + each) / 2,
                                   .last = (double)study->steps - (each - 1) / 2,
                                   .count = (size_t)points,
                                   .series = series,
                                   .series_count = count,
                                   .from_zero = curve == VL_STUDY_VIOLATION,
                                   .logarithmic = curve == VL_STUDY_SIZE};
    char *caption = caption_of(study, curve, each);
    vl_page_figure(page, caption);
    vl_chart_lines(page->stream, &chart);
    vl_page_end_figure(page);
    free(caption);
}

void vl_study_put_curve(struct vl_page *page, const struct vl_study *study,
                        enum vl_study_curve curve)
{
    int points = study->steps < POINTS ? (int)study->steps : POINTS;
    double *values = malloc(VL_STUDY_WAYS * 3 * (size_t)points * sizeof *values);
    if (values != NULL)
        draw(page, study, curve, values, points);
    free(values);
}

/* ---- languages ---- */

static double most_load(const struct vl_study *study)
{
    size_t n = study->part_count * study->layers * study->experts;
    double most = 0;
    for (size_t w = 0; w < study->way_count; w++)
        for (size_t i = 0; i < n; i++)
            most = fmax(most, 100 * study->ways[w].loads[i]);
    return most;
}

/* Rows: the experts of the layers, one below the other. */
static void put_heat(struct vl_page *page, const struct vl_study *study, size_t way, double *values,
                     char **names)
{
    size_t rows = study->layers * study->experts, parts = study->part_count;
    char title[VL_STUDY_NAME];
    for (size_t p = 0; p < parts; p++)
        for (size_t r = 0; r < rows; r++)
            values[r * parts + p] = 100 * study->ways[way].loads[p * rows + r];
    vl_study_way_name(title, &study->ways[way]);
    const struct vl_heat heat = {.title = title,
                                 .description = _("Rows: experts. Columns: languages. Percent."),
                                 .rows = (const char *const *)names,
                                 .columns = study->parts,
                                 .row_count = rows,
                                 .column_count = parts,
                                 .values = values,
                                 .high = most_load(study),
                                 .decimals = 1};
    vl_page_figure(page, title);
    vl_chart_heat(page->stream, &heat);
    vl_page_end_figure(page);
}

void vl_study_put_languages(struct vl_page *page, const struct vl_study *study)
{
    size_t rows = study->layers * study->experts, made = 0;
    double *values = malloc((rows * study->part_count + 1) * sizeof *values);
    char **names = calloc(rows + 1, sizeof *names);
    char even[VL_NUMBER_TEXT];
    vl_page_heading(page, _("Experts and languages"));
    vl_page_sentence(
        page,
        _("Of the choices that a layer makes on the text of one language, the share that each "
          "expert gets, in percent: the shares of a layer add up to 100, and an even load is "
          "%s each. After training, with seed 1. An expert that one language prefers is not "
          "wrong: load is kept even over the whole batch, which has all languages."),
        vl_number_text(even, 100 / (double)study->experts, 1));
    for (; names != NULL && made < rows; made++)
        /* TRANSLATORS: the name of a row: a layer, and one of its experts */
        if (asprintf(&names[made], _("layer %1$zu, expert %2$zu"), made / study->experts + 1,
                     made % study->experts + 1) < 0)
            break;
    for (size_t w = 0; values != NULL && names != NULL && made == rows && w < study->way_count; w++)
        put_heat(page, study, w, values, names);
    for (size_t r = 0; r < made; r++)
        free(names[r]);
    free(names);
    free(values);
}
