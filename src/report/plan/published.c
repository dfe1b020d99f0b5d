/* Published runs as a table. */
#include "report/plan/published.h"

#include "base/number.h"
#include "base/text.h"
#include "base/utf8.h"
#include "report/verdict/formats.h"

#include <stdio.h>
#include <string.h>

enum vl_status vl_published_seconds(double *seconds, const struct vl_setting *setting,
                                    const struct vl_forecast *forecast, const char *figure,
                                    double value)
{
    const struct vl_division *d = &forecast->division;
    double chips = (double)(d->tensor * d->expert * d->data * d->pipeline);
    double tokens = (double)(setting->recipe.batch * setting->model.sequence);
    double share = tokens / (chips * setting->cluster.peak); /* over FLOPs of a token: seconds */
    if (!(value > 0))
        return VL_EFORMAT;
    if (strcmp(figure, "seconds") == 0)
        *seconds = value;
    else if (strcmp(figure, "mfu") == 0)
        *seconds = share * forecast->work.useful / value;
    else if (strcmp(figure, "flops") == 0)
        *seconds = tokens * (forecast->work.useful + forecast->work.again) / (chips * value);
    else
        return VL_EFORMAT;
    return VL_OK;
}

double vl_published_difference(const struct vl_published *run)
{
    return run->forecast.step.seconds / run->seconds - 1;
}

/* ---- the table ---- */

enum column { MODEL, CHIPS, LAYOUT, PUBLISHED, PLANNER, DIFFERENCE, COLUMNS };

static const int widths[COLUMNS] = {12, -6, 18, -10, -10, -12};
static const char *const heads[COLUMNS] = {N_("model"),     N_("chips"),   N_("layout"),
                                           N_("published"), N_("planner"), N_("difference")};

/* The sizes that are not 1: "dp4 tp8 pp12 v2". */
static void put_sizes(char *text, size_t size, const struct vl_division *d)
{
    static const char *const names[] = {"dp", "ep", "tp", "pp", "v"};
    const size_t sizes[] = {d->data, d->expert, d->tensor, d->pipeline, d->chunks};
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && used < size; i++)
        if (sizes[i] > 1)
            used += (size_t)snprintf(text + used, size - used, "%s%s%zu", used > 0 ? " " : "",
                                     names[i], sizes[i]);
}

/* Of a column of numbers, whatever its head is called in the language. */
static int width_of(int column)
{
    const int widest = vl_utf8_width(_(heads[column])) + 1;
    return widths[column] < 0 && widest > -widths[column] ? -widest : widths[column];
}

static void put_row(const struct vl_published *run, const struct vl_terminal *terminal)
{
    const struct vl_division *d = &run->forecast.division;
    char cells[COLUMNS][64], number[VL_NUMBER_TEXT];
    double off = vl_published_difference(run);
    snprintf(cells[MODEL], sizeof cells[MODEL], "%s", run->model);
    snprintf(cells[CHIPS], sizeof cells[CHIPS], "%zu",
             d->tensor * d->expert * d->data * d->pipeline);
    put_sizes(cells[LAYOUT], sizeof cells[LAYOUT], d);
    snprintf(cells[PUBLISHED], sizeof cells[PUBLISHED], "%s",
             vl_number_text(number, run->seconds, 1));
    snprintf(cells[PLANNER], sizeof cells[PLANNER], "%s",
             vl_number_text(number, run->forecast.step.seconds, 1));
    snprintf(cells[DIFFERENCE], sizeof cells[DIFFERENCE], "%s%s", off > 0 ? "+" : "",
             vl_number_percent(number, off, 1));
    for (int c = 0; c < COLUMNS; c++) {
        vl_terminal_put(terminal, VL_STYLE_PLAIN, width_of(c), cells[c]);
        fputs(c == CHIPS ? "  " : "", terminal->stream);
    }
    fprintf(terminal->stream, "%s\n", run->fitted ? "  *" : "");
}

static void put_heads(const struct vl_terminal *terminal)
{
    for (int c = 0; c < COLUMNS; c++) {
        vl_terminal_put(terminal, VL_STYLE_BOLD, width_of(c), _(heads[c]));
        fputs(c == CHIPS ? "  " : "", terminal->stream);
    }
    fputc('\n', terminal->stream);
}

void vl_published_write(const struct vl_published *runs, size_t count,
                        const struct vl_terminal *terminal)
{
    put_heads(terminal);
    for (size_t i = 0; i < count; i++)
        put_row(&runs[i], terminal);
    fputc('\n', terminal->stream);
    vl_terminal_sentence(
        terminal, VL_STYLE_PLAIN, "%s",
        _("Seconds per step. A star marks the runs that an assumption was fitted to; all others are "
          "checks. `labs/10_bandwidth/published.json` has the sources, and which assumption it was."));
}

json_t *vl_published_json(const struct vl_published *runs, size_t count)
{
    json_t *all = json_array();
    for (size_t i = 0; i < count; i++) {
        const struct vl_published *run = &runs[i];
        json_array_append_new(
            all, json_pack("{ss ss ss so so so so so sb sb ss}", "model", run->model, "machine",
                           run->machine, "layout", run->layout, "published_seconds",
                           vl_json_real(run->seconds), "seconds",
                           vl_json_real(run->forecast.step.seconds), "difference",
                           vl_json_real(vl_published_difference(run)), "mfu",
                           vl_json_real(run->forecast.step.mfu), "hfu",
                           vl_json_real(run->forecast.step.hfu), "fits", run->forecast.fits,
                           "fitted", run->fitted, "source", run->source));
    }
    return json_pack("{ss so}", "schema", "vialata.published/1", "runs", all);
}
