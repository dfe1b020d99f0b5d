/* How predicted and measured are shown. */
#include "report/schedule/comparison.h"

#include "base/number.h"
#include "base/text.h"
#include "base/utf8.h"
#include "report/verdict/formats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define COLUMN_LEAST 8
#define GAP          2

enum column { STAGE, RANK, MEASURED, PREDICTED, DIFFERENCE, COLUMNS };

static const char *heading_of(enum column column)
{
    static const char *const headings[COLUMNS] = {
        [MEASURED] = N_("idle measured"),
        [PREDICTED] = N_("predicted"),
        /* TRANSLATORS: the difference of two percentages, in percentage points. */
        [DIFFERENCE] = N_("points"),
    };
    return column == STAGE  ? VL_PGETTEXT("pipeline", "stage")
           : column == RANK ? VL_PGETTEXT("process", "rank")
                            : _(headings[column]);
}

static void put(const struct vl_terminal *terminal, enum vl_style style, enum column column,
                const char *text)
{
    int width = vl_utf8_width(heading_of(column));
    width = width < COLUMN_LEAST ? COLUMN_LEAST : width;
    vl_terminal_put(terminal, style, column == STAGE ? width : -width - GAP, text);
}

/* "+3.1": percentage points, between the two shares as they are shown. */
static char *points_text(char buffer[VL_NUMBER_TEXT], double measured, double predicted)
{
    char number[VL_NUMBER_TEXT];
    const double points = 0.1 * (round(1000 * measured) - round(1000 * predicted));
    vl_number_text(number, points, 1);
    snprintf(buffer, VL_NUMBER_TEXT, "%s%.60s", points > 0 ? "+" : "", number);
    return buffer;
}

static void put_row(const struct vl_terminal *terminal, const char *stage, const char *rank,
                    double measured, double predicted)
{
    char text[VL_NUMBER_TEXT];
    put(terminal, VL_STYLE_PLAIN, STAGE, stage);
    put(terminal, VL_STYLE_PLAIN, RANK, rank);
    put(terminal, VL_STYLE_PLAIN, MEASURED, vl_number_percent(text, measured, 1));
    put(terminal, VL_STYLE_PLAIN, PREDICTED, vl_number_percent(text, predicted, 1));
    put(terminal, VL_STYLE_PLAIN, DIFFERENCE, points_text(text, measured, predicted));
    fputc('\n', terminal->stream);
}

static void put_table(const struct vl_comparison *comparison, const struct vl_terminal *terminal)
{
    char stage[24], rank[24];
    for (enum column column = STAGE; column < COLUMNS; column++)
        put(terminal, VL_STYLE_BOLD, column, heading_of(column));
    fputc('\n', terminal->stream);
    for (size_t i = 0; i < comparison->schedule.stages; i++) {
        snprintf(stage, sizeof stage, "%zu", i);
        snprintf(rank, sizeof rank, "%d", comparison->stages[i].rank);
        put_row(terminal, stage, rank, comparison->stages[i].measured_idle,
                comparison->stages[i].predicted_idle);
    }
    put_row(terminal, _("all"), "", comparison->measured_idle, comparison->predicted_idle);
}

char *vl_comparison_title(const struct vl_comparison *comparison)
{
    char *title = NULL;
    if (asprintf(&title, _("%s: measured, and predicted from the median of each kind of task"),
                 comparison->name) < 0)
        return NULL;
    return title;
}

enum vl_status vl_comparison_draw(const struct vl_comparison *comparison,
                                  const struct vl_terminal *terminal)
{
    char measured[VL_NUMBER_TEXT], predicted[VL_NUMBER_TEXT], points[VL_NUMBER_TEXT];
    char *title = vl_comparison_title(comparison);
    if (title == NULL)
        return VL_ENOMEM;
    vl_terminal_paragraph(terminal, VL_STYLE_BOLD, 0, title);
    free(title);
    enum vl_status status = vl_timeline_draw(comparison->timeline, 0, terminal);
    if (status != VL_OK)
        return status;
    vl_timeline_draw_task_legend(terminal);
    fputc('\n', terminal->stream);
    put_table(comparison, terminal);
    fputc('\n', terminal->stream);
    vl_terminal_sentence(terminal, VL_STYLE_PLAIN,
                         _("From the first task to the last: %1$s ms measured, %2$s ms predicted."),
                         vl_number_text(measured, 1e3 * comparison->measured_seconds, 1),
                         vl_number_text(predicted, 1e3 * comparison->predicted_seconds, 1));
    vl_terminal_sentence(
        terminal, VL_STYLE_PLAIN,
        _("Idle, as a share of total time: %1$s measured, %2$s predicted, a difference of "
          "%3$s points."),
        vl_number_percent(measured, comparison->measured_idle, 1),
        vl_number_percent(predicted, comparison->predicted_idle, 1),
        points_text(points, comparison->measured_idle, comparison->predicted_idle));
    vl_terminal_sentence(terminal, VL_STYLE_PLAIN, _("Predicted bubble: %s of ideal time."),
                         vl_number_percent(predicted, comparison->predicted_bubble, 1));
    if (comparison->has_more_ranks)
        vl_terminal_sentence(terminal, VL_STYLE_PLAIN, "%s",
                             _("Of each stage, the first of its ranks is shown."));
    return VL_OK;
}

json_t *vl_comparison_json(const struct vl_comparison *comparison)
{
    const struct vl_schedule *schedule = &comparison->schedule;
    json_t *rows = json_array();
    for (size_t i = 0; i < schedule->stages; i++) {
        const struct vl_compared_stage *stage = &comparison->stages[i];
        json_array_append_new(
            rows, json_pack("{sI si so so so sI}", "stage", (json_int_t)i, "rank", stage->rank,
                            "measured_idle_of_total", vl_json_real(stage->measured_idle),
                            "predicted_idle_of_total", vl_json_real(stage->predicted_idle),
                            "difference_points",
                            vl_json_real(100 * (stage->measured_idle - stage->predicted_idle)),
                            "alive_at_most", (json_int_t)stage->live));
    }
    return json_pack(
        "{so sI sI sI so so so so so so so}", "schedule", vl_json_text(comparison->name), "stages",
        (json_int_t)schedule->stages, "chunks", (json_int_t)schedule->chunks, "micro_batches",
        (json_int_t)schedule->micro_batches, "measured_seconds",
        vl_json_real(comparison->measured_seconds), "predicted_seconds",
        vl_json_real(comparison->predicted_seconds), "measured_idle_of_total",
        vl_json_real(comparison->measured_idle), "predicted_idle_of_total",
        vl_json_real(comparison->predicted_idle), "difference_points",
        vl_json_real(100 * (comparison->measured_idle - comparison->predicted_idle)),
        "predicted_bubble_of_ideal", vl_json_real(comparison->predicted_bubble), "rows", rows);
}
