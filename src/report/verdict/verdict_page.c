#include "report/verdict/verdict_page.h"

#include "base/text.h"
#include "grade/catalogue/lab.h"
#include "report/draw/page.h"
#include "report/verdict/replay.h"
#include "report/verdict/summary.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define CELL (2 * VL_NUMBER_TEXT + 2)

static const char *status_words(const struct vl_case_result *result)
{
    static const char *const words[] = {[VL_CASE_PASSED] = N_("passed"),
                                        [VL_CASE_FAILED] = N_("failed"),
                                        [VL_CASE_NOT_STARTED] = N_("not started"),
                                        [VL_CASE_CRASHED] = N_("crashed"),
                                        [VL_CASE_HUNG] = N_("hung"),
                                        [VL_CASE_SKIPPED] = N_("not run"),
                                        [VL_CASE_ERROR] = N_("error")};
    return _(words[result->status]);
}

/* One sum, in a table of this many columns. */
static void put_hidden(struct vl_page *page, const struct vl_verdict_additions *more,
                       size_t columns)
{
    char text[CELL];
    vl_points_text(text, more->hidden_points, more->hidden_most);
    const char *const cells[] = {_("Not shown for now"), columns == 3 ? "" : text, text};
    if (more->hidden > 0)
        vl_page_row(page, cells, columns);
}

static void put_groups(struct vl_page *page, const struct vl_verdict *verdict,
                       const struct vl_verdict_additions *more)
{
    const char *const heads[] = {_("Part"), _("Points")};
    vl_page_table(page, _("Points by part"), heads, 2);
    for (int group = 0; group < VL_GROUP_BONUS; group++) {
        double points = 0, most = 0;
        char text[CELL];
        for (size_t i = 0; i < verdict->case_count; i++)
            if ((int)verdict->cases[i].group == group) {
                points += verdict->cases[i].points;
                most += verdict->cases[i].max_points;
            }
        vl_points_text(text, points, most);
        const char *const cells[] = {vl_group_title((enum vl_case_group)group), text};
        if (most > 0)
            vl_page_row(page, cells, 2);
    }
    put_hidden(page, more, 2);
    vl_page_end_table(page);
}

static bool is_worth_a_look(const struct vl_case_result *result)
{
    return result->status != VL_CASE_PASSED && result->status != VL_CASE_NOT_STARTED &&
           result->status != VL_CASE_SKIPPED && result->message != NULL;
}

/* Each sentence once, with the first case that it was said of, and the line that runs it again. */
static void put_advice(struct vl_page *page, const struct vl_verdict *verdict)
{
    bool headed = false;
    for (size_t i = 0; i < verdict->case_count; i++) {
        const struct vl_case_result *result = &verdict->cases[i];
        bool said = !is_worth_a_look(result);
        for (size_t k = 0; k < i && !said; k++)
            said = is_worth_a_look(&verdict->cases[k]) &&
                   strcmp(verdict->cases[k].message, result->message) == 0;
        if (said)
            continue;
        if (!headed)
            vl_page_heading(page, _("What to look at"));
        headed = true;
        vl_page_sentence(page, "`%s`", result->id);
        vl_page_paragraph(page, result->message);
        if (result->detail != NULL)
            vl_page_verbatim(page, result->detail);
    }
    if (verdict->compiler != NULL) {
        vl_page_heading(page, _("The compiler says:"));
        vl_page_verbatim(page, verdict->compiler);
    }
}

static void put_cases(struct vl_page *page, const struct vl_verdict *verdict,
                      const struct vl_verdict_additions *more)
{
    const char *const heads[] = {_("Case"), _("Result"), _("Points")};
    vl_page_heading(page, _("All cases"));
    vl_page_table_of_words(page, _("Every case, in the order of the lab"), heads, 3);
    for (size_t i = 0; i < verdict->case_count; i++) {
        const struct vl_case_result *result = &verdict->cases[i];
        char text[CELL];
        vl_points_text(text, result->points, result->max_points);
        const char *const cells[] = {result->id, status_words(result), text};
        vl_page_row(page, cells, 3);
    }
    put_hidden(page, more, 3);
    vl_page_end_table(page);
}

static void put_remarks(struct vl_page *page, char *const *remarks)
{
    if (remarks == NULL || remarks[0] == NULL)
        return;
    vl_page_heading(page, _("What your instructor added"));
    for (size_t i = 0; remarks[i] != NULL; i++)
        vl_page_paragraph(page, remarks[i]);
}

enum vl_status vl_verdict_page(const struct vl_verdict *verdict,
                               const struct vl_verdict_additions *more, const char *path)
{
    const struct vl_lab *lab = vl_lab_find(verdict->slug);
    struct vl_page page;
    char points[CELL];
    vl_points_text(points, verdict->score, verdict->max_score);
    char *title = vl_text_format(_("Lab %02d: %s"), verdict->lab, lab != NULL ? _(lab->title) : "");
    /* TRANSLATORS: whose page it is, and the points: "Ada: 71/100 points." */
    char *summary = vl_text_format(_("%1$s: %2$s points."), more->student, points);
    if (title == NULL || summary == NULL) {
        free(title);
        free(summary);
        return VL_ENOMEM;
    }
    vl_page_open(&page, title, summary);
    if (verdict->case_count > 0 || more->hidden > 0)
        put_groups(&page, verdict, more);
    put_remarks(&page, more->remarks);
    put_advice(&page, verdict);
    if (verdict->case_count > 0 || more->hidden > 0)
        put_cases(&page, verdict, more);
    if (verdict->submission_hash != NULL && verdict->graded_at != NULL)
        vl_page_sentence(&page,
                         _("What was graded has the hash (SHA-256) `%1$s`, as in the receipt of "
                           "`vialata handin`. It was graded at %2$s."),
                         verdict->submission_hash, verdict->graded_at);
    free(title);
    free(summary);
    return vl_page_write(&page, path);
}
