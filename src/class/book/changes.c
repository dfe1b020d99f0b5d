#include "class/book/changes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define SAME 1e-6 /* points: what a verdict is rounded to */

static int by_lab_and_student(const void *left, const void *right)
{
    const struct vl_student_points *a = left, *b = right;
    if (a->lab != b->lab)
        return a->lab->number < b->lab->number ? -1 : 1;
    return strcasecmp(a->student, b->student);
}

static void sort(struct vl_points *points)
{
    if (points->count > 0)
        qsort(points->list, points->count, sizeof *points->list, by_lab_and_student);
}

/* ---- cases ---- */

static const struct vl_case_points *case_of(const struct vl_student_points *student, const char *id)
{
    for (size_t i = 0; student != NULL && i < student->case_count; i++)
        if (strcmp(student->cases[i].id, id) == 0)
            return &student->cases[i];
    return NULL;
}

static bool codes_differ(const char *one, const char *other)
{
    return (one == NULL) != (other == NULL) || (one != NULL && strcmp(one, other) != 0);
}

static bool case_differs(const struct vl_case_points *before, const struct vl_case_points *after)
{
    return before == NULL || after == NULL || fabs(before->points - after->points) > SAME ||
           fabs(before->most - after->most) > SAME || codes_differ(before->code, after->code);
}

/* The cases of the later grading, then those that only the earlier one has. */
bool vl_change_case(struct vl_case_change *found, const struct vl_change *change, size_t *at)
{
    size_t later = change->after != NULL ? change->after->case_count : 0;
    size_t earlier = change->before != NULL ? change->before->case_count : 0;
    while (*at < later + earlier) {
        size_t k = (*at)++;
        if (k < later) {
            found->after = &change->after->cases[k];
            found->before = case_of(change->before, found->after->id);
        } else {
            found->before = &change->before->cases[k - later];
            found->after = case_of(change->after, found->before->id);
        }
        bool seen = k >= later && found->after != NULL;
        if (!seen && case_differs(found->before, found->after))
            return true;
    }
    return false;
}

/* ---- students ---- */

static bool differs(const struct vl_change *change)
{
    struct vl_case_change found;
    size_t at = 0;
    return change->before == NULL || change->after == NULL ||
           fabs(change->before->score - change->after->score) > SAME ||
           vl_change_case(&found, change, &at);
}

enum vl_status vl_changes_find(struct vl_changes *changes, struct vl_points *before,
                               struct vl_points *after)
{
    size_t i = 0, k = 0;
    *changes = (struct vl_changes){
        .list = calloc(before->count + after->count + 1, sizeof *changes->list)};
    if (changes->list == NULL)
        return VL_ENOMEM;
    sort(before);
    sort(after);
    while (i < before->count || k < after->count) {
        int order = i == before->count  ? 1
                    : k == after->count ? -1
                                        : by_lab_and_student(&before->list[i], &after->list[k]);
        struct vl_change change = {order <= 0 ? &before->list[i++] : NULL,
                                   order >= 0 ? &after->list[k++] : NULL};
        if (differs(&change))
            changes->list[changes->count++] = change;
        else
            changes->same++;
    }
    return VL_OK;
}
