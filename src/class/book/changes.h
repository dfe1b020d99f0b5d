/*
 * What differs between two gradings of a class: students whose points or cases changed.
 */
#ifndef VIALATA_CLASS_BOOK_CHANGES_H
#define VIALATA_CLASS_BOOK_CHANGES_H

#include "class/book/points.h"
#include "report/draw/terminal.h"
#include <jansson.h>
#include <stdbool.h>

/* One student in one lab; one of the two is NULL if that grading does not have it. */
struct vl_change {
    const struct vl_student_points *before, *after;
};

/* The two gradings stay the caller's, and are needed as long as this is. */
struct vl_changes {
    struct vl_change *list; /* by lab, then by student */
    size_t count;
    size_t same; /* students and labs that did not change */
};

/* Sorts both gradings. VL_ENOMEM. Free it with free(changes->list). */
enum vl_status vl_changes_find(struct vl_changes *changes, struct vl_points *before,
                               struct vl_points *after);

/* One case of a change; NULL where a grading does not have it. */
struct vl_case_change {
    const struct vl_case_points *before, *after;
};

/* The next case that differs; false after the last. *at is 0 at the beginning. */
bool vl_change_case(struct vl_case_change *found, const struct vl_change *change, size_t *at);

/* ---- changes_report.c ---- */

/* For people: each change with its cases, then the sums. */
void vl_changes_put(const struct vl_changes *changes, const struct vl_terminal *terminal);

/* Schema "vialata.changes/1"; the caller decrefs it. NULL without memory. */
json_t *vl_changes_json(const struct vl_changes *changes);

#endif
