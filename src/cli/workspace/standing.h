/*
 * How far the student is in a lab: .vialata/standing/LAB.json in the workspace ("vialata.standing/1"):
 *
 *   last    the last whole grading: status, score, max_score, graded_at
 *   best    the whole grading with the most points, likewise
 *   cases   case -> its status, points and max_points when it was graded last, alone or not, and the
 *           fingerprint (grade/build/lab_files.h) of the files that it was graded with
 *   hints   function -> the highest level that was shown
 *   gave_up function -> true if its solution was shown before it was right
 *
 * It belongs to the workspace: two of them know nothing of each other. Grading again brings back what is
 * lost, so no command fails for it. The file may have been changed by hand: an unknown format is ignored,
 * cases that the lab does not have are not counted, and none counts for more than it is worth.
 */
#ifndef VIALATA_CLI_WORKSPACE_STANDING_H
#define VIALATA_CLI_WORKSPACE_STANDING_H

#include "grade/catalogue/lab.h"
#include "vialata/status.h"
#include <jansson.h>
#include <stdbool.h>

struct vl_standing {
    const struct vl_lab *lab;
    char *path;   /* NULL: there is no workspace */
    json_t *json; /* always an object */
};

/* What is known of the lab in the workspace in force. VL_ENOMEM. Freed by the caller. */
enum vl_status vl_standing_read(struct vl_standing *standing, const struct vl_lab *lab);
/* Whole or not at all. VL_EIO (errno; also without a workspace), VL_ENOMEM. */
enum vl_status vl_standing_write(const struct vl_standing *standing);
void vl_standing_free(struct vl_standing *standing);

/* Nothing is known any more. */
void vl_standing_forget(const struct vl_lab *lab);

/* Take in a verdict on files with that fingerprint; 'whole': nothing was left out. VL_ENOMEM. */
enum vl_status vl_standing_add(struct vl_standing *standing, const struct vl_verdict *verdict,
                               const char *fingerprint, bool whole);
/* A hint of that level was shown; a solution was, before its function was right. */
void vl_standing_add_hint(struct vl_standing *standing, const char *function, int level);
void vl_standing_give_up(struct vl_standing *standing, const char *function);

/* What is known of the lab's points: each case as it was graded last. */
struct vl_standing_points {
    double now, best, most; /* best: of whole gradings, never below now; most: what can be had */
    bool graded;            /* anything was */
    bool passed;            /* the last whole grading gave all points */
    int hints;              /* functions of which one was shown */
};
struct vl_standing_points vl_standing_points(const struct vl_standing *standing);

/* The first function, in the lab's order, with points still to earn: for numbers, bytes, memory and
 * predictions before speed. NULL if there is none. With 'speed' false, speed does not count. */
const struct vl_lab_function *vl_standing_next(const struct vl_standing *standing, bool speed);

/* Has this function all its points but those for speed, and, if it was given, is it still right? */
bool vl_standing_has(const struct vl_standing *standing, const struct vl_lab_function *function);

/* Was it written, and not right, when it was graded last? */
bool vl_standing_is_red(const struct vl_standing *standing, const struct vl_lab_function *function);

/* Are numbers, bytes and memory right in files with this fingerprint? Speed and predictions may be missing. */
bool vl_standing_is_right(const struct vl_standing *standing, const char *fingerprint);

/* Was any case of that kind graded with files that differ from these, or never? */
bool vl_standing_is_old(const struct vl_standing *standing, const char *fingerprint);

#endif
