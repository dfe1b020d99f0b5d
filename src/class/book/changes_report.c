/* How the changes between two gradings are shown. */
#include "class/book/changes.h"

#include "base/number.h"
#include "base/text.h"
#include "report/verdict/formats.h"
#include <stdlib.h>

#define DIGITS 5 /* of points, for people */
#define SCHEMA "vialata.changes/1"

/* ---- for people ---- */

static const char *points_text(char text[VL_NUMBER_TEXT], const double *points)
{
    return points != NULL ? vl_number_short(text, *points, DIGITS) : _("not graded");
}

static const char *code_text(const struct vl_case_points *points)
{
    return points == NULL ? "-" : points->code != NULL ? points->code : _("passed");
}

static void put_case(const struct vl_terminal *terminal, const struct vl_case_change *found)
{
    char was[VL_NUMBER_TEXT], is[VL_NUMBER_TEXT];
    const struct vl_case_points *before = found->before, *after = found->after;
    char *text = vl_text_format(
        /* TRANSLATORS: a case, its points before and why ("unwritten"), its points now and why */
        _("`%1$s`: %2$s before (%3$s), %4$s now (%5$s)"), after != NULL ? after->id : before->id,
        points_text(was, before != NULL ? &before->points : NULL), code_text(before),
        points_text(is, after != NULL ? &after->points : NULL), code_text(after));
    if (text != NULL)
        vl_terminal_paragraph(terminal, VL_STYLE_PLAIN, 4, text);
    free(text);
}

static void put_change(const struct vl_terminal *terminal, const struct vl_change *change)
{
    char was[VL_NUMBER_TEXT], is[VL_NUMBER_TEXT];
    const struct vl_student_points *before = change->before, *after = change->after;
    const struct vl_student_points *any = after != NULL ? after : before;
    struct vl_case_change found;
    size_t at = 0;
    vl_terminal_sentence(terminal, VL_STYLE_BOLD,
                         /* TRANSLATORS: a student, the lab, the points before and now */
                         _("%1$s, lab %2$02d: %3$s before, %4$s now"), any->student,
                         any->lab->number, points_text(was, before != NULL ? &before->score : NULL),
                         points_text(is, after != NULL ? &after->score : NULL));
    if (before != NULL && after != NULL)
        while (vl_change_case(&found, change, &at))
            put_case(terminal, &found);
}

/* Of those that both gradings have. */
static void sums_of(const struct vl_changes *changes, double *before, double *after)
{
    *before = *after = 0;
    for (size_t i = 0; i < changes->count; i++)
        if (changes->list[i].before != NULL && changes->list[i].after != NULL) {
            *before += changes->list[i].before->score;
            *after += changes->list[i].after->score;
        }
}

void vl_changes_put(const struct vl_changes *changes, const struct vl_terminal *terminal)
{
    char was[VL_NUMBER_TEXT], is[VL_NUMBER_TEXT];
    double before, after;
    sums_of(changes, &before, &after);
    for (size_t i = 0; i < changes->count; i++)
        put_change(terminal, &changes->list[i]);
    vl_terminal_sentence(terminal, VL_STYLE_PLAIN, _("Changed: %1$zu. As before: %2$zu."),
                         changes->count, changes->same);
    if (changes->count > 0)
        vl_terminal_sentence(
            terminal, VL_STYLE_PLAIN,
            _("Those that changed have %1$s points in all; before, they had %2$s."),
            vl_number_short(is, after, DIGITS), vl_number_short(was, before, DIGITS));
}

/* ---- for programs ---- */

static json_t *score_json(const struct vl_student_points *student)
{
    return student != NULL ? vl_json_real(student->score) : json_null();
}

static json_t *case_json(const struct vl_case_change *found)
{
    const struct vl_case_points *before = found->before, *after = found->after;
    return json_pack("{so so so so so}", "id", vl_json_text(after != NULL ? after->id : before->id),
                     "before", before != NULL ? vl_json_real(before->points) : json_null(),
                     "code_before", vl_json_text(before != NULL ? before->code : NULL), "after",
                     after != NULL ? vl_json_real(after->points) : json_null(), "code_after",
                     vl_json_text(after != NULL ? after->code : NULL));
}

static json_t *change_json(const struct vl_change *change)
{
    const struct vl_student_points *any = change->after != NULL ? change->after : change->before;
    json_t *cases = json_array();
    struct vl_case_change found;
    size_t at = 0;
    while (vl_change_case(&found, change, &at))
        json_array_append_new(cases, case_json(&found));
    return json_pack("{so ss so so so}", "student", vl_json_text(any->student), "lab",
                     any->lab->folder, "before", score_json(change->before), "after",
                     score_json(change->after), "cases", cases);
}

json_t *vl_changes_json(const struct vl_changes *changes)
{
    double before, after;
    json_t *changed = json_array();
    sums_of(changes, &before, &after);
    for (size_t i = 0; i < changes->count; i++)
        json_array_append_new(changed, change_json(&changes->list[i]));
    return json_pack("{ss sI so so so}", "schema", SCHEMA, "same", (json_int_t)changes->same,
                     "before", vl_json_real(before), "after", vl_json_real(after), "changed",
                     changed);
}
