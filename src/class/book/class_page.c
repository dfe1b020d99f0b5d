#include "class/book/class_page.h"

#include "base/number.h"
#include "base/text.h"
#include "class/book/board.h"
#include "class/book/mistakes_met.h"
#include "class/book/suspicion.h"
#include "report/draw/page.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define BANDS       10 /* of scores */
#define PAIRS_SHOWN 100

/* One lab of the class. */
struct view {
    const struct vl_class_verdict **list;
    size_t count;
};

static double percent(const struct vl_verdict *verdict)
{
    return verdict->max_score > 0 ? 100 * verdict->score / verdict->max_score : 0;
}

/* ---- scores ---- */

static int by_score(const void *left, const void *right)
{
    const struct vl_class_verdict *const *a = left, *const *b = right;
    double one = percent(&(*a)->verdict), other = percent(&(*b)->verdict);
    return (one > other) - (one < other);
}

/* Of the scores in order: the one in the middle, or the mean of the two that are. */
static double median_of(const struct view *view)
{
    size_t upper = view->count / 2, lower = (view->count - 1) / 2;
    return (percent(&view->list[lower]->verdict) + percent(&view->list[upper]->verdict)) / 2;
}

static void put_scores(struct vl_page *page, const struct view *view)
{
    const char *const heads[] = {_("Score"), _("Students")};
    char median[VL_NUMBER_TEXT];
    vl_number_text(median, median_of(view), 1);
    vl_page_sentence(page,
                     VL_NGETTEXT("%1$zu submission was graded; the median score is %2$s.",
                                 "%1$zu submissions were graded; the median score is %2$s.",
                                 (unsigned long)view->count),
                     view->count, median);
    vl_page_table(page, _("How many students have each score"), heads, 2);
    for (int band = BANDS; band >= 0; band--) {
        size_t n = 0;
        for (size_t i = 0; i < view->count; i++)
            n += (int)(percent(&view->list[i]->verdict) / (100 / BANDS)) == band;
        char range[32], students[VL_NUMBER_TEXT];
        if (band == BANDS)
            snprintf(range, sizeof range, "100");
        else
            snprintf(range, sizeof range, "%d–%d", band * 10, band * 10 + 9);
        snprintf(students, sizeof students, "%zu", n);
        const char *const cells[] = {range, students};
        if (n > 0)
            vl_page_row(page, cells, 2);
    }
    vl_page_end_table(page);
}

/* ---- cases that nobody passed, and what to look at ---- */

static bool anybody_passed(const struct view *view, const char *id)
{
    for (size_t i = 0; i < view->count; i++)
        for (size_t k = 0; k < view->list[i]->verdict.case_count; k++) {
            const struct vl_case_result *result = &view->list[i]->verdict.cases[k];
            if (result->status == VL_CASE_PASSED && strcmp(result->id, id) == 0)
                return true;
        }
    return false;
}

/* The cases of one function that nobody passed. */
struct unpassed {
    size_t cases, count; /* of the function, and of them those */
    char *names;         /* theirs, without the function's; NULL if there are none */
    bool failed;         /* no memory */
};

static struct unpassed unpassed_of(const struct view *view, const struct vl_verdict *any,
                                   const char *function)
{
    struct unpassed found = {0};
    for (size_t k = 0; k < any->case_count; k++) {
        const char *id = any->cases[k].id, *dot = strchr(id, '.');
        if (strcmp(any->cases[k].function, function) != 0)
            continue;
        found.cases++;
        if (anybody_passed(view, id))
            continue;
        char *before = found.names;
        found.names = vl_text_format("%s%s%s", before != NULL ? before : "",
                                     before != NULL ? ", " : "", dot != NULL ? dot + 1 : id);
        found.failed |= found.names == NULL;
        free(before);
        found.count++;
    }
    return found;
}

static bool is_first_of_function(const struct vl_verdict *any, size_t k)
{
    for (size_t i = 0; i < k; i++)
        if (strcmp(any->cases[i].function, any->cases[k].function) == 0)
            return false;
    return true;
}

/* A row a function: a class that has just begun has passed few cases. */
static enum vl_status put_unpassed(struct vl_page *page, const struct view *view)
{
    const char *const heads[] = {_("Function"), _("Cases"), _("Which")};
    const struct vl_verdict *any = &view->list[0]->verdict;
    bool headed = false, failed = false;
    for (size_t k = 0; k < any->case_count && !failed; k++) {
        if (!is_first_of_function(any, k))
            continue;
        struct unpassed found = unpassed_of(view, any, any->cases[k].function);
        failed = found.failed;
        if (found.names != NULL) {
            char share[64];
            snprintf(share, sizeof share, "%zu/%zu", found.count, found.cases);
            const char *const cells[] = {any->cases[k].function, share, found.names};
            if (!headed)
                vl_page_table_of_words(page, _("Cases that nobody passed"), heads, 3);
            headed = true;
            vl_page_row(page, cells, 3);
        }
        free(found.names);
    }
    if (headed)
        vl_page_end_table(page);
    return failed ? VL_ENOMEM : VL_OK;
}

static void put_suspicious(struct vl_page *page, const struct view *view)
{
    const char *const heads[] = {_("Student"), _("Case"), _("Code"), _("What it did")};
    bool headed = false;
    for (size_t i = 0; i < view->count; i++) {
        const struct vl_verdict *verdict = &view->list[i]->verdict;
        const struct vl_case_result *result;
        for (size_t at = 0; (result = vl_suspicious_next(verdict, &at)) != NULL;) {
            const char *const cells[] = {view->list[i]->student, result->id, result->code,
                                         vl_suspicion(result->code)};
            if (!headed)
                vl_page_table_of_words(
                    page, _("Look at these sources before you decide on the points"), heads, 4);
            headed = true;
            vl_page_row(page, cells, 4);
        }
    }
    if (headed)
        vl_page_end_table(page);
}

/* ---- what is alike, and what was set by hand ---- */

static void put_similar(struct vl_page *page, const struct vl_similar *similar,
                        const struct vl_lab *lab)
{
    const char *const heads[] = {_("Student"), _("Student"), _("Alike")};
    size_t put = 0;
    for (size_t i = 0; i < similar->count && put < PAIRS_SHOWN; i++) {
        const struct vl_similar_pair *pair = &similar->list[i];
        char share[VL_NUMBER_TEXT];
        vl_number_percent(share, pair->percent / 100.0, 0);
        const char *const cells[] = {pair->one, pair->other, share};
        if (pair->lab != lab)
            continue;
        if (put++ == 0)
            vl_page_table_of_words(
                page, _("Submissions that are alike: read both sources before you judge"), heads,
                3);
        vl_page_row(page, cells, 3);
    }
    if (put > 0)
        vl_page_end_table(page);
}

static enum vl_status put_overrides(struct vl_page *page, const struct vl_class *class,
                                    const struct vl_lab *lab)
{
    const char *const heads[] = {_("Student"), _("What was decided")};
    bool headed = false;
    for (size_t i = 0; i < class->overrides->count; i++) {
        const struct vl_override *override = &class->overrides->list[i];
        if (override->lab != lab || !vl_override_counts(override))
            continue;
        char *text = vl_override_text(override);
        const char *const cells[] = {override->student, text};
        if (text == NULL)
            return VL_ENOMEM;
        if (!headed)
            vl_page_table_of_words(page, _("Points and comments from `overrides.csv`"), heads, 2);
        headed = true;
        vl_page_row(page, cells, 2);
        free(text);
    }
    if (headed)
        vl_page_end_table(page);
    return VL_OK;
}

/* What asks for the attention of whoever teaches before anything else. */
static void put_problems(struct vl_page *page, const struct vl_class *class)
{
    const struct vl_words *problems = &class->overrides->problems, *notices = class->notices;
    for (size_t i = 0; i < notices->count; i++)
        vl_page_paragraph(page, notices->list[i]);
    if (problems->count > 0)
        vl_page_paragraph(page, _("Rows of `overrides.csv` that changed nothing:"));
    for (size_t i = 0; i < problems->count; i++)
        vl_page_paragraph(page, problems->list[i]);
    for (size_t i = 0; i < class->similar->problems.count; i++)
        vl_page_paragraph(page, class->similar->problems.list[i]);
}

static enum vl_status put_lab(struct vl_page *page, const struct view *view,
                              const struct vl_class *class, const struct vl_lab *lab)
{
    char *heading = vl_text_format(_("Lab %02d: %s"), lab->number, _(lab->title));
    if (heading == NULL)
        return VL_ENOMEM;
    vl_page_heading(page, heading);
    free(heading);
    if (view->count == 0) {
        vl_page_paragraph(page, _("Nothing is graded yet."));
        put_similar(page, class->similar, lab);
        return put_overrides(page, class, lab);
    }
    qsort(view->list, view->count, sizeof *view->list, by_score);
    put_scores(page, view);
    put_suspicious(page, view);
    put_similar(page, class->similar, lab);
    enum vl_status status = vl_mistakes_put(page, view->list, view->count);
    vl_board_put(page, view->list, view->count);
    if (status == VL_OK)
        status = put_overrides(page, class, lab);
    return status == VL_OK ? put_unpassed(page, view) : status;
}

enum vl_status vl_class_page(const struct vl_class *class, const char *path)
{
    struct vl_page page;
    struct view view = {.list = calloc(class->count + 1, sizeof(struct vl_class_verdict *))};
    enum vl_status status = view.list != NULL ? VL_OK : VL_ENOMEM;
    if (status != VL_OK)
        return status;
    vl_page_open(&page, _("The class"),
                 _("Scores and mistakes of everything that `vialata batch` has graded."));
    put_problems(&page, class);
    for (size_t k = 0; k < class->lab_count && status == VL_OK; k++) {
        view.count = 0;
        for (size_t i = 0; i < class->count; i++)
            if (class->verdicts[i].lab == class->labs[k])
                view.list[view.count++] = &class->verdicts[i];
        status = put_lab(&page, &view, class, class->labs[k]);
    }
    free(view.list);
    if (status == VL_OK)
        return vl_page_write(&page, path);
    vl_page_drop(&page);
    return status;
}
