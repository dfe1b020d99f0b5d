#include "report/verdict/summary.h"

#include "base/path.h"
#include "base/text.h"
#include "grade/catalogue/lab.h"
#include "report/verdict/replay.h"
#include "report/verdict/typed.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define NAME_COLUMNS 34
#define BAR_COLUMNS  10
#define GROUPS       (VL_GROUP_BONUS + 1)

char *vl_points_number(char text[VL_NUMBER_TEXT], double points)
{
    double tenths = points * 10;
    int whole = fabs(points - round(points)) < 0.005;
    int one = fabs(tenths - round(tenths)) < 0.05;
    return vl_number_text(text, points, whole ? 0 : one ? 1 : 2);
}

void vl_points_text(char text[2 * VL_NUMBER_TEXT + 2], double points, double max_points)
{
    char got[VL_NUMBER_TEXT], most[VL_NUMBER_TEXT];
    snprintf(text, 2 * VL_NUMBER_TEXT + 2, "%s/%s", vl_points_number(got, points),
             vl_points_number(most, max_points));
}

const char *vl_group_title(enum vl_case_group group)
{
    static const char *const titles[GROUPS] = {
        [VL_GROUP_NUMERICS] = N_("Numbers"),       [VL_GROUP_COMMUNICATION] = N_("Communication"),
        [VL_GROUP_MEMORY] = N_("Memory"),          [VL_GROUP_THROUGHPUT] = N_("Throughput"),
        [VL_GROUP_PREDICTION] = N_("Predictions"), [VL_GROUP_BONUS] = N_("Bonus"),
    };
    return _(titles[group]);
}

static enum vl_style style_of(double points, double max_points)
{
    return points >= max_points ? VL_STYLE_GOOD : points > 0 ? VL_STYLE_PLAIN : VL_STYLE_DIM;
}

static void put_row(const struct vl_terminal *terminal, const char *name, double points,
                    double max_points, const char *note)
{
    char text[2 * VL_NUMBER_TEXT + 2];
    vl_points_text(text, points, max_points);
    fputs("  ", terminal->stream);
    vl_terminal_put(terminal, VL_STYLE_PLAIN, NAME_COLUMNS, name);
    vl_terminal_bar(terminal, style_of(points, max_points),
                    max_points > 0 ? points / max_points : 1, BAR_COLUMNS);
    vl_terminal_put(terminal, VL_STYLE_PLAIN, -12, text);
    if (note[0] != '\0')
        fprintf(terminal->stream, "   %s", note);
    fputc('\n', terminal->stream);
}

static bool is_of(const struct vl_case_result *result, enum vl_case_group group,
                  const char *function)
{
    return result->group == group && strcmp(result->function, function) == 0;
}

/* Its first case in that group? (Others may follow anywhere, on other numbers of ranks.) */
static bool is_first(const struct vl_verdict *verdict, size_t i)
{
    const struct vl_case_result *result = &verdict->cases[i];
    for (size_t k = 0; k < i; k++)
        if (is_of(&verdict->cases[k], result->group, result->function))
            return false;
    return true;
}

/* Every function's points in one group. */
static void put_group(const struct vl_terminal *terminal, const struct vl_verdict *verdict,
                      enum vl_case_group group)
{
    int headed = 0;
    for (size_t i = 0; i < verdict->case_count; i++) {
        const struct vl_case_result *first = &verdict->cases[i];
        if (first->group != group || !is_first(verdict, i))
            continue;
        double points = 0, max_points = 0;
        for (size_t k = i; k < verdict->case_count; k++) {
            if (!is_of(&verdict->cases[k], group, first->function))
                continue;
            /* A bonus is worth nothing, so its cases are counted. */
            int counted = group == VL_GROUP_BONUS;
            points +=
                counted ? verdict->cases[k].status == VL_CASE_PASSED : verdict->cases[k].points;
            max_points += counted ? 1 : verdict->cases[k].max_points;
        }
        if (max_points <= 0) /* given; its cases are shown above */
            continue;
        if (!headed) {
            vl_terminal_put(terminal, VL_STYLE_BOLD, 0, vl_group_title(group));
            fputc('\n', terminal->stream);
        }
        headed = 1;
        char note[256] = "", ratio[VL_NUMBER_TEXT];
        if (group == VL_GROUP_THROUGHPUT && isfinite(first->measured))
            snprintf(note, sizeof note, _("%s of the reference's speed"),
                     vl_number_percent(ratio, first->measured, 0));
        if (group == VL_GROUP_BONUS)
            snprintf(note, sizeof note, "%s", _("cases, not points"));
        put_row(terminal, first->function, points, max_points, note);
    }
}

static void put_throughput(const struct vl_terminal *terminal,
                           const struct vl_throughput_summary *summary)
{
    char text[512], ratio[VL_NUMBER_TEXT], spread[VL_NUMBER_TEXT];
    if (!isfinite(summary->ratio_median) || summary->pairs == 0)
        return;
    vl_number_text(ratio, summary->ratio_median, 2);
    vl_number_percent(spread, summary->spread, 1);
    if (summary->stable)
        snprintf(text, sizeof text,
                 VL_NGETTEXT("Speed: %1$s times the reference's, the median of the functions; "
                             "%2$d pair of turns (spread %3$s).",
                             "Speed: %1$s times the reference's, the median of the functions; "
                             "%2$d pairs of turns (spread %3$s).",
                             (unsigned long)summary->pairs),
                 ratio, summary->pairs, spread);
    else
        snprintf(text, sizeof text,
                 VL_NGETTEXT("Speed: %1$s times the reference's, the median of the functions; "
                             "%2$d pair of turns did not settle (spread %3$s), so the shortest "
                             "turns count.",
                             "Speed: %1$s times the reference's, the median of the functions; "
                             "%2$d pairs of turns did not settle (spread %3$s), so the shortest "
                             "turns count.",
                             (unsigned long)summary->pairs),
                 ratio, summary->pairs, spread);
    vl_terminal_paragraph(terminal, VL_STYLE_PLAIN, 0, text);
}

static const char *file_of(const struct vl_verdict *verdict, const char *function)
{
    for (size_t i = 0; i < vl_lab_count; i++) {
        const struct vl_lab *lab = vl_labs[i];
        for (size_t k = 0; lab->number == verdict->lab && k < lab->function_count; k++)
            if (strcmp(lab->functions[k].name, function) == 0)
                return lab->functions[k].file;
    }
    return NULL;
}

/* Where the student finds the file: in the submission, unless that is one file itself. */
static char *place_of(const struct vl_verdict *verdict, const char *file)
{
    struct stat info;
    int is_file = stat(verdict->submission, &info) == 0 && S_ISREG(info.st_mode);
    char *folder = vl_path_shown(verdict->submission);
    char *place = is_file ? folder : vl_path_join(folder, file);
    if (place != folder)
        free(folder);
    return place;
}

static void put_next(const struct vl_terminal *terminal, const struct vl_verdict *verdict)
{
    const struct vl_case_result *next = vl_verdict_next(verdict);
    if (verdict->status == VL_VERDICT_ERROR || next == NULL || verdict->submission == NULL ||
        strcmp(verdict->submission, "reference") == 0)
        return;
    const char *file = file_of(verdict, next->function);
    char *place = file != NULL ? place_of(verdict, file) : NULL;
    if (place == NULL)
        return;
    if (next->group == VL_GROUP_THROUGHPUT)
        vl_terminal_sentence(terminal, VL_STYLE_PLAIN, _("Next: make %1$s faster, in %2$s."),
                             next->function, place);
    else
        vl_terminal_sentence(terminal, VL_STYLE_PLAIN,
                             _("Next: %1$s, in %2$s. A hint costs nothing:"), next->function,
                             place);
    if (next->group != VL_GROUP_THROUGHPUT)
        vl_typed(terminal->stream, "hint %02d 1 --function %s", verdict->lab, next->function);
    free(place);
}

static int one_function_only(const struct vl_verdict *verdict)
{
    for (size_t i = 1; i < verdict->case_count; i++)
        if (strcmp(verdict->cases[i].function, verdict->cases[0].function) != 0)
            return 0;
    return 1;
}

void vl_summary_put(const struct vl_terminal *terminal, const struct vl_verdict *verdict)
{
    char score[VL_NUMBER_TEXT], most[VL_NUMBER_TEXT], text[256];
    if (verdict->message != NULL)
        vl_terminal_paragraph(terminal, VL_STYLE_BAD, 0, verdict->message);
    if (!one_function_only(verdict)) {
        for (int group = 0; group < GROUPS; group++)
            put_group(terminal, verdict, (enum vl_case_group)group);
        fputc('\n', terminal->stream);
    }
    put_throughput(terminal, &verdict->throughput);
    if (verdict->status == VL_VERDICT_ERROR) { /* what was earned until then is not a score */
        vl_terminal_paragraph(terminal, VL_STYLE_BOLD, 0, _("No score: grading did not finish."));
        return;
    }
    snprintf(text, sizeof text, _("Score: %1$s out of %2$s"),
             vl_points_number(score, verdict->score), vl_points_number(most, verdict->max_score));
    vl_terminal_put(terminal, VL_STYLE_BOLD, 0, text);
    fputs("  ", terminal->stream);
    vl_terminal_bar(terminal, style_of(verdict->score, verdict->max_score),
                    verdict->max_score > 0 ? verdict->score / verdict->max_score : 0,
                    2 * BAR_COLUMNS);
    fputc('\n', terminal->stream);
    if (verdict->status == VL_VERDICT_NOT_STARTED)
        vl_terminal_paragraph(terminal, VL_STYLE_PLAIN, 0,
                              _("Nothing is written yet, and everything is ready for you."));
    put_next(terminal, verdict);
}
