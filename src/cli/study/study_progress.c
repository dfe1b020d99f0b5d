#include "cli/study/study_progress.h"

#include "base/number.h"
#include "base/text.h"
#include "base/utf8.h"
#include "sandbox/process.h"

#include <stdio.h>
#include <string.h>

#define BAR_COLUMNS    20
#define REDRAW_SECONDS 0.1

void vl_study_progress_open(struct vl_study_progress *progress, FILE *stream, size_t runs,
                            double units)
{
    memset(progress, 0, sizeof *progress);
    vl_terminal_open(&progress->terminal, stream);
    progress->runs = runs;
    progress->units = units;
    progress->began = vl_clock();
}

double vl_study_progress_left(const struct vl_study_progress *progress)
{
    double rest = progress->units - progress->units_done;
    return progress->units_done > 0 && rest > 0
               ? (vl_clock() - progress->began) / progress->units_done * rest
               : 0;
}

void vl_study_progress_add(struct vl_study_progress *progress, double units)
{
    const struct vl_terminal *terminal = &progress->terminal;
    char text[256], left[VL_NUMBER_TEXT];
    progress->units_done += units;
    if (!terminal->live || vl_clock() - progress->drawn < REDRAW_SECONDS)
        return;
    progress->drawn = vl_clock();
    vl_terminal_restart_line(terminal);
    vl_terminal_bar(terminal, VL_STYLE_GOOD, progress->units_done / progress->units, BAR_COLUMNS);
    /* TRANSLATORS: one line of progress; keep it short. runs done, all of them, seconds left */
    snprintf(text, sizeof text, _(" runs done: %1$zu of %2$zu  about %3$s s left"),
             progress->runs_done, progress->runs,
             vl_number_text(left, vl_study_progress_left(progress), 0));
    /* A line longer than the terminal would wrap, and then be drawn below itself. */
    fprintf(terminal->stream, "%.*s", (int)vl_utf8_fit(text, terminal->columns - BAR_COLUMNS - 1),
            text);
    fflush(terminal->stream);
}

void vl_study_progress_run(struct vl_study_progress *progress, const struct vl_study *study,
                           const struct vl_study_way *way, size_t seed)
{
    char name[VL_STUDY_NAME], loss[VL_NUMBER_TEXT], violation[VL_NUMBER_TEXT], left[VL_NUMBER_TEXT];
    const struct vl_study_run *run = &way->runs[seed];
    progress->runs_done++;
    if (progress->terminal.live)
        return;
    vl_study_way_name(name, way);
    vl_number_text(loss, vl_study_late(study, run, VL_STUDY_LOSS), 4);
    vl_number_text(violation, vl_study_late(study, run, VL_STUDY_VIOLATION), 2);
    vl_number_text(left, vl_study_progress_left(progress), 0);
    fprintf(progress->terminal.stream,
            /* TRANSLATORS: run of runs, its way and seed, two means, seconds left */
            _("Run %1$zu of %2$zu is done: %3$s, seed %4$zu. In its last quarter: loss %5$s, "
              "MaxVio %6$s. About %7$s s left.\n"),
            progress->runs_done, progress->runs, name, seed + 1, loss, violation, left);
    fflush(progress->terminal.stream);
}

void vl_study_progress_close(struct vl_study_progress *progress)
{
    vl_terminal_restart_line(&progress->terminal);
    fflush(progress->terminal.stream);
}
