#include "cli/watch/screen.h"

#include "base/number.h"
#include "base/path.h"
#include "base/text.h"
#include "report/verdict/summary.h"
#include "report/verdict/table.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NAME_COLUMNS 36

void vl_screen_open(struct vl_screen *screen, const struct vl_lab *lab, const char *folder)
{
    *screen = (struct vl_screen){.lab = lab, .folder = folder};
    vl_terminal_open(&screen->terminal, stdout);
}

static void put_file(const struct vl_terminal *terminal, const char *file)
{
    char at[32] = "";
    struct tm parts;
    time_t now = time(NULL);
    strftime(at, sizeof at, "%H:%M:%S", localtime_r(&now, &parts));
    vl_terminal_sentence(terminal, VL_STYLE_PLAIN, _("%1$s was saved at %2$s."), file, at);
}

void vl_screen_begin(struct vl_screen *screen, const char *file)
{
    const struct vl_terminal *terminal = &screen->terminal;
    char *shown = vl_path_shown(screen->folder);
    fputs(terminal->live ? "\033[H\033[2J" : "\n", terminal->stream);
    vl_terminal_sentence(terminal, VL_STYLE_BOLD, _("Lab %02d: %s"), screen->lab->number,
                         _(screen->lab->title));
    vl_terminal_sentence(terminal, VL_STYLE_DIM,
                         screen->keys
                             ? _("Whatever you save in %s is graded. Keys: q ends, a grades the "
                                 "whole lab, Enter grades again.")
                             : _("Whatever you save in %s is graded. Ctrl-C ends."),
                         shown != NULL ? shown : screen->folder);
    fputc('\n', terminal->stream);
    if (file != NULL)
        put_file(terminal, file);
    fflush(terminal->stream);
    free(shown);
}

void vl_screen_wait(struct vl_screen *screen, const struct vl_lab_function *function)
{
    if (!screen->terminal.live)
        return;
    vl_terminal_restart_line(&screen->terminal);
    char *text = function != NULL ? vl_text_format(_("Grading %s ..."), function->name)
                                  : vl_text_format("%s", _("Grading the whole lab ..."));
    vl_terminal_put(&screen->terminal, VL_STYLE_DIM, 0, text != NULL ? text : "");
    fflush(screen->terminal.stream);
    free(text);
}

static void put_right(const struct vl_terminal *terminal, const struct vl_verdict *verdict,
                      const char *function, double seconds)
{
    char points[2 * VL_NUMBER_TEXT + 2], time[VL_NUMBER_TEXT];
    vl_points_text(points, verdict->score, verdict->max_score);
    fputs("  ", terminal->stream);
    vl_terminal_put(terminal, VL_STYLE_GOOD, 2, terminal->unicode ? "\xe2\x9c\x93" : "+");
    vl_terminal_put(terminal, VL_STYLE_PLAIN, NAME_COLUMNS, function);
    vl_terminal_put(terminal, VL_STYLE_PLAIN, -8, points);
    fputs("   ", terminal->stream);
    /* TRANSLATORS: how long it took, in seconds */
    char *took = vl_text_format(_("%s s"), vl_number_text(time, seconds, 1));
    vl_terminal_put(terminal, VL_STYLE_DIM, 0, took != NULL ? took : "");
    fputc('\n', terminal->stream);
    free(took);
}

void vl_screen_verdict(struct vl_screen *screen, const struct vl_verdict *verdict,
                       const struct vl_lab_function *function, double seconds)
{
    vl_terminal_restart_line(&screen->terminal);
    if (function != NULL && verdict->status == VL_VERDICT_PASSED) {
        put_right(&screen->terminal, verdict, function->name, seconds);
    } else {
        struct vl_table table;
        vl_table_open(&table, screen->terminal.stream);
        table.brief = function == NULL;
        table.headed = 1; /* by us */
        vl_table_put_compiler(&screen->terminal, verdict);
        vl_table_close(&table, verdict);
    }
    fflush(screen->terminal.stream);
}

void vl_screen_refusal(struct vl_screen *screen, const char *words)
{
    vl_terminal_restart_line(&screen->terminal);
    if (words != NULL && words[0] != '\0')
        vl_terminal_paragraph(&screen->terminal, VL_STYLE_BAD, 0, words);
    else
        vl_terminal_sentence(
            &screen->terminal, VL_STYLE_BAD,
            _("The grader ended without a verdict: `vialata grade %02d` says why."),
            screen->lab->number);
    fflush(screen->terminal.stream);
}

void vl_screen_rest(struct vl_screen *screen, const struct vl_standing *standing,
                    const struct vl_step *step)
{
    const struct vl_standing_points points = vl_standing_points(standing);
    char now[VL_NUMBER_TEXT], most[VL_NUMBER_TEXT];
    fputc('\n', screen->terminal.stream);
    vl_terminal_sentence(&screen->terminal, VL_STYLE_PLAIN,
                         _("Lab %1$02d: %2$s out of %3$s points."), screen->lab->number,
                         vl_points_number(now, points.now), vl_points_number(most, points.most));
    vl_journey_tell(screen->terminal.stream, step, screen->lab);
    fflush(screen->terminal.stream);
}

void vl_screen_close(struct vl_screen *screen)
{
    vl_terminal_restart_line(&screen->terminal);
    fflush(screen->terminal.stream);
}
