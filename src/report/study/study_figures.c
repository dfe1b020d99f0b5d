/* Figures of a study's page. */
#include "report/study/study_parts.h"

#include "base/number.h"
#include "base/text.h"
#include "report/draw/chart.h"
#include "report/draw/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Points of a line: each is the mean of some steps, since the noise of single batches would hide
 * the trend. */
#define POINTS 80

/* What a figure shows. */
struct plan {
    const struct vl_study *study;
    enum vl_study_curve curve;
    size_t begin, steps; /* the first step, and how many steps */
    int points;
};

static const char *title_of(const struct plan *plan)
{
    return plan->curve == VL_STUDY_LOSS
               ? (plan->begin > 0 ? _("Loss in the last quarter of the steps")
                                  : _("Loss over the steps"))
           : plan->curve == VL_STUDY_VIOLATION ? _("MaxVio over the steps")
           : plan->curve == VL_STUDY_SIZE      ? _("Size of the interference over the steps")
                                               : _("Cosine of the interference over the steps");
}

static const char *unit_of(enum vl_study_curve curve)
{
    return curve == VL_STUDY_LOSS        ? _("nats per byte")
           : curve == VL_STUDY_VIOLATION ? "MaxVio"
           : curve == VL_STUDY_SIZE      ? _("size")
                                         : _("cosine");
}

/* A line: mean, least and most over the seeds at each point, in this order in 'values'. */
static void find_line(double *values, const struct plan *plan, const struct vl_study_way *way)
{
    double *mean = values, *low = mean + plan->points, *high = low + plan->points;
    for (int i = 0; i < plan->points; i++) {
        mean[i] = 0;
        low[i] = INFINITY;
        high[i] = -INFINITY;
        for (size_t s = 0; s < plan->study->seeds; s++) {
            double one = vl_plot_column(way->runs[s].curves[plan->curve] + plan->begin, plan->steps,
                                        i, plan->points);
            mean[i] += one / (double)plan->study->seeds; /* NAN stays: a gap */
            low[i] = fmin(low[i], one);
            high[i] = fmax(high[i], one);
        }
    }
}

/* Only the auxiliary losses have size and cosine. Returns how many lines there are; *first is the
 * way of the first one. */
static size_t find_series(struct vl_series *series, char (*names)[VL_STUDY_NAME], size_t *first,
                          double *values, const struct plan *plan)
{
    int alphas_only = plan->curve >= VL_STUDY_SIZE, several = plan->study->seeds > 1;
    size_t count = plan->study->way_count - (alphas_only ? 2 : 0);
    *first = alphas_only ? 1 : 0;
    for (size_t i = 0; i < count; i++) {
        const struct vl_study_way *way = &plan->study->ways[*first + i];
        double *line = values + i * 3 * (size_t)plan->points;
        find_line(line, plan, way);
        vl_study_way_name(names[i], way);
        series[i] = (struct vl_series){.name = names[i],
                                       .values = line,
                                       .low = several ? line + plan->points : NULL,
                                       .high = several ? line + 2 * plan->points : NULL};
    }
    return count;
}

static char *caption_of(const struct plan *plan, double steps)
{
    char *text = NULL, number[VL_NUMBER_TEXT];
    vl_number_text(number, steps, 1);
    int made = plan->study->seeds > 1
                   /* TRANSLATORS: below a chart: its title, then how it was made */
                   ? asprintf(&text,
                              _("%1$s. Lines: the mean over %2$zu seeds. Bands: from the lowest to "
                                "the highest. Steps in each point: %3$s."),
                              title_of(plan), plan->study->seeds, number)
                   : asprintf(&text, _("%1$s. One seed. Steps in each point: %2$s."),
                              title_of(plan), number);
    return made >= 0 ? text : NULL;
}

static void draw(struct vl_page *page, const struct plan *plan, double *values)
{
    struct vl_series series[VL_STUDY_WAYS];
    char names[VL_STUDY_WAYS][VL_STUDY_NAME];
    double each = (double)plan->steps / plan->points, before = (double)plan->begin;
    struct vl_chart chart = {.title = title_of(plan),
                             .description = _("The table of this section has the numbers."),
                             .x_label = _("step"),
                             .y_label = unit_of(plan->curve),
                             .first = before + (1 + each) / 2,
                             .last = before + (double)plan->steps - (each - 1) / 2,
                             .count = (size_t)plan->points,
                             .series = series,
                             .from_zero = plan->curve == VL_STUDY_VIOLATION,
                             .logarithmic = plan->curve == VL_STUDY_SIZE};
    char *caption = caption_of(plan, each);
    chart.series_count = find_series(series, names, &chart.first_look, values, plan);
    vl_page_figure(page, caption);
    vl_chart_lines(page->stream, &chart);
    vl_page_end_figure(page);
    free(caption);
}

void vl_study_put_curve(struct vl_page *page, const struct vl_study *study,
                        enum vl_study_curve curve, size_t begin)
{
    struct plan plan = {
        .study = study, .curve = curve, .begin = begin, .steps = study->steps - begin};
    int most = begin > 0 ? POINTS / 3 : POINTS; /* finer points would show noise */
    plan.points = plan.steps < (size_t)most ? (int)plan.steps : most;
    double *values = malloc(VL_STUDY_WAYS * 3 * (size_t)plan.points * sizeof *values);
    if (values != NULL)
        draw(page, &plan, values);
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

/* Rows: the experts of the first layer, then those of the second, and so on. */
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
