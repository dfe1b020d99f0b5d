/* vialata clinic N --rank R --line L --cause CAUSE: what does the student believe, and is it so? */
#include "base/text.h"
#include "cli/clinic/visit.h"
#include "cli/shared/arguments.h"
#include "cli/shared/say.h"
#include "clinic/credit.h"
#include "report/draw/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the words ---- */

static const char *cause_name(size_t i, const void *context)
{
    (void)context;
    return i + 1 < VL_CAUSES ? vl_cause_name((enum vl_cause)(i + 1)) : NULL;
}

static enum vl_exit refuse_cause(const char *word)
{
    const char *nearest = vl_arguments_nearest(word, cause_name, NULL);
    if (nearest != NULL)
        return vl_say(VL_EXIT_USAGE, _("`%1$s` is not a cause of the clinic: did you mean `%2$s`?"),
                      word, nearest);
    return vl_say(VL_EXIT_USAGE,
                  _("`%s` is not a cause of the clinic: `vialata clinic --causes` lists them."),
                  word);
}

/* "2", "1,3" or "all". */
static bool read_ranks(uint32_t *who, const char *text, int ranks)
{
    if (strcmp(text, "all") == 0) {
        *who = VL_CLINIC_ALL;
        return true;
    }
    *who = 0;
    for (const char *at = text;; at++) {
        char *end;
        long rank = *at >= '0' && *at <= '9' ? strtol(at, &end, 10) : -1;
        if (rank < 0 || rank >= ranks || (*end != ',' && *end != '\0'))
            return false;
        *who |= VL_CLINIC_RANK(rank);
        if (*end == '\0')
            return true;
        at = end;
    }
}

static enum vl_exit read_words(struct vl_diagnosis *diagnosis, const struct vl_clinic_visit *visit)
{
    const char *ranks = vl_argument(visit->arguments, "rank");
    const char *line = vl_argument(visit->arguments, "line");
    const char *cause = vl_argument(visit->arguments, "cause");
    uint64_t number = 0;
    if (ranks == NULL || line == NULL || cause == NULL)
        return vl_say(VL_EXIT_USAGE, "%s",
                      _("A diagnosis has three parts: `--rank R`, `--line L` and `--cause "
                        "CAUSE`."));
    if (!read_ranks(&diagnosis->who, ranks, visit->item->ranks))
        return vl_say(VL_EXIT_USAGE,
                      _("`--rank` takes ranks from 0 to %1$d, such as 2 or 1,3, or `all`, and not "
                        "`%2$s`."),
                      visit->item->ranks - 1, ranks);
    if (!vl_argument_number(&number, "--line", line, 1, 100000))
        return VL_EXIT_USAGE;
    diagnosis->line = (int)number;
    diagnosis->cause = vl_cause_named(cause);
    return diagnosis->cause != VL_CAUSE_NONE ? VL_EXIT_OK : refuse_cause(cause);
}

/* ---- the answer ---- */

/* The line may be counted in the program as it was given, or as the student has it. */
static struct vl_credit best_credit(const struct vl_clinic_visit *visit,
                                    const struct vl_diagnosis *diagnosis)
{
    struct vl_diagnosis as_given = *diagnosis;
    as_given.line = vl_line_as_given(visit->shelf.given, visit->shelf.own, diagnosis->line);
    struct vl_credit given = vl_credit_of(visit->item, visit->shelf.given, diagnosis);
    struct vl_credit own = vl_credit_of(visit->item, visit->shelf.given, &as_given);
    return own.line > given.line ? own : given;
}

static void put_part(const struct vl_terminal *terminal, const char *what, int got, int most)
{
    char text[200];
    enum vl_style style = got == most ? VL_STYLE_GOOD : got > 0 ? VL_STYLE_PLAIN : VL_STYLE_BAD;
    const char *verdict = got == most ? _("right") : got > 0 ? _("nearly") : _("not this");
    snprintf(text, sizeof text, _("%1$d of %2$d"), got, most);
    vl_terminal_put(terminal, VL_STYLE_PLAIN, 12, what);
    vl_terminal_put(terminal, style, 14, verdict);
    vl_terminal_put(terminal, VL_STYLE_DIM, 0, text);
    fputc('\n', terminal->stream);
}

static void tell(const struct vl_clinic_visit *visit, const struct vl_credit *credit, int points)
{
    struct vl_terminal terminal;
    vl_terminal_open(&terminal, stdout);
    put_part(&terminal, VL_PGETTEXT("diagnosis", "ranks"), credit->ranks, VL_CREDIT_RANKS);
    put_part(&terminal, _("line"), credit->line, VL_CREDIT_LINE);
    put_part(&terminal, _("cause"), credit->cause, VL_CREDIT_CAUSE);
    fputc('\n', stdout);
    if (visit->chart.given_up)
        vl_terminal_sentence(&terminal, VL_STYLE_PLAIN, "%s",
                             _("The answer was shown before, so this diagnosis earns no points."));
    else
        vl_terminal_sentence(&terminal, VL_STYLE_PLAIN,
                             _("This diagnosis is worth %1$d points of %2$d. Your best one has "
                               "%3$d."),
                             points, VL_CREDIT_WHOLE, visit->chart.points);
}

static void tell_next(const struct vl_clinic_visit *visit, const struct vl_credit *credit)
{
    struct vl_terminal terminal;
    vl_terminal_open(&terminal, stdout);
    if (vl_credit_is_whole(credit)) {
        vl_clinic_explain(visit);
        if (!visit->chart.repaired)
            vl_terminal_sentence(&terminal, VL_STYLE_PLAIN,
                                 _("Now repair %1$s, and let `vialata clinic %2$d --check` see "
                                   "it."),
                                 visit->shelf.shown, visit->item->number);
    } else
        vl_terminal_sentence(&terminal, VL_STYLE_PLAIN,
                             _("Look again: `vialata clinic %1$d --run --report` now says what can "
                               "be seen from outside, and `vialata clinic %1$d --hint` gives a "
                               "hint."),
                             visit->item->number);
}

enum vl_exit vl_clinic_diagnose(struct vl_clinic_visit *visit)
{
    struct vl_diagnosis diagnosis = {0};
    enum vl_exit result = read_words(&diagnosis, visit);
    if (result != VL_EXIT_OK)
        return result;
    struct vl_clinic_chart *chart = &visit->chart;
    struct vl_credit credit = best_credit(visit, &diagnosis);
    int points = vl_credit_points(&credit, chart->diagnoses, chart->report);
    if (!chart->given_up && points > chart->points)
        chart->points = points;
    chart->diagnoses++;
    chart->whole |= vl_credit_is_whole(&credit);
    result = vl_clinic_chart_keep(visit->item, chart);
    tell(visit, &credit, points);
    tell_next(visit, &credit);
    if (result != VL_EXIT_OK)
        return result;
    return vl_credit_is_whole(&credit) ? VL_EXIT_OK : VL_EXIT_BELOW;
}
