#include "cli/companion/overview.h"

#include "base/number.h"
#include "base/text.h"
#include "cli/shared/labs.h"
#include "cli/workspace/standing.h"
#include "cli/workspace/workspace.h"
#include "report/draw/terminal.h"
#include "report/verdict/summary.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define SLUG_COLUMNS  20
#define TITLE_COLUMNS 36
#define HINTS_COLUMNS 110 /* with fewer, hints are left out */
#define WIDE_COLUMNS  80  /* with fewer, titles are left out */

/* The points that the lab has now, and once had if those were more; before the first, whether it is started. */
static char *status_text(enum vl_style *style, const struct vl_standing_points *points,
                         bool is_started)
{
    char now[VL_NUMBER_TEXT], most[VL_NUMBER_TEXT], best[VL_NUMBER_TEXT];
    *style = points->now >= points->most && points->graded ? VL_STYLE_GOOD
             : points->now > 0                             ? VL_STYLE_PLAIN
                                                           : VL_STYLE_DIM;
    vl_points_number(now, points->now);
    vl_points_number(most, points->most);
    vl_points_number(best, points->best);
    if (!is_started)
        return vl_text_format("%s", _("ready for you"));
    if (points->best <= 0)
        return vl_text_format("%s", _("started"));
    if (points->best > points->now + 0.005)
        return vl_text_format(_("%1$s out of %2$s (best: %3$s)"), now, most, best);
    return vl_text_format(_("%1$s out of %2$s"), now, most);
}

/* Of how many functions a hint was shown. */
static void put_hints(const struct vl_terminal *terminal, int hints)
{
    char text[128];
    snprintf(text, sizeof text,
             VL_NGETTEXT("hint for %d function", "hints for %d functions", (unsigned long)hints),
             hints);
    fputs("   ", terminal->stream);
    vl_terminal_put(terminal, VL_STYLE_DIM, 0, text);
}

static void put_lab(const struct vl_terminal *terminal, const struct vl_lab *lab, bool is_started)
{
    char number[16];
    enum vl_style style;
    struct vl_standing standing = {0};
    struct vl_standing_points points = {0};
    if (is_started && vl_standing_read(&standing, lab) == VL_OK)
        points = vl_standing_points(&standing);
    vl_standing_free(&standing);
    char *status = status_text(&style, &points, is_started);
    snprintf(number, sizeof number, "%02d", lab->number);
    vl_terminal_put(terminal, VL_STYLE_BOLD, 4, number);
    vl_terminal_put(terminal, VL_STYLE_PLAIN, SLUG_COLUMNS, lab->slug);
    if (terminal->columns >= WIDE_COLUMNS)
        vl_terminal_put(terminal, VL_STYLE_PLAIN, TITLE_COLUMNS, _(lab->title));
    vl_terminal_put(terminal, style, 0, status != NULL ? status : "");
    if (points.hints > 0 && terminal->columns >= HINTS_COLUMNS)
        put_hints(terminal, points.hints);
    fputc('\n', terminal->stream);
    free(status);
}

void vl_overview_put(FILE *stream)
{
    struct vl_terminal terminal;
    char *workspace = vl_workspace_folder();
    vl_terminal_open(&terminal, stream);
    for (size_t i = 0; i < vl_lab_count; i++)
        if (vl_lab_is_here(vl_labs[i]))
            put_lab(&terminal, vl_labs[i],
                    workspace != NULL && vl_workspace_has(workspace, vl_labs[i]));
    free(workspace);
    fputc('\n', stream);
}
