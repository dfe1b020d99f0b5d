/*
 * What whoever teaches decides after the grading: RESULTS/overrides.csv, a table (csv.h) that is
 * edited in a spreadsheet, read at every run and never written.
 *
 *   id        the student, by id or by name
 *   lab       01, or training_step
 *   case      the case whose points are set; empty: the lab as a whole
 *   points    the points of the case, or the score of the lab out of 100; empty: only a comment
 *   comment   why, for the student to read
 *   by        who says so
 *   bonus     yes: the points may be more than the case or the lab has
 *
 * id and lab are needed, and points or a comment. A row that cannot be used is told with its line,
 * and changes nothing.
 */
#ifndef VIALATA_CLASS_BOOK_OVERRIDES_H
#define VIALATA_CLASS_BOOK_OVERRIDES_H

#include "base/words.h"
#include "class/intake/intake.h"
#include "class/intake/roster.h"
#include "grade/catalogue/lab.h"
#include "grade/catalogue/verdict.h"
#include <stdbool.h>

#define VL_OVERRIDE_POINTS_MOST 1000.0

struct vl_override {
    size_t line;
    char *student; /* as written; the id once the student is known */
    const struct vl_lab *lab;
    char *id;      /* the case; "": the lab as a whole */
    double points; /* NAN: only a comment */
    bool bonus;
    char *comment, *by; /* "" if there is none */
    double before;      /* the points that were replaced; NAN if nothing was */
    bool used;          /* it is about a verdict, or a student, that is there */
    bool refused;       /* its points are more than can be had: the row changes nothing */
};

struct vl_overrides {
    struct vl_override *list;
    size_t count;
    struct vl_words problems; /* sentences */
};

/* A file that is not there holds no rows. *problem gets a sentence, freed by the caller, with
 * VL_EFORMAT: the file is not a table, or has no column id or lab. VL_EIO (errno), VL_ENOMEM. */
enum vl_status vl_overrides_read(struct vl_overrides *overrides, char **problem, const char *path);
void vl_overrides_free(struct vl_overrides *overrides);

/* Whom is each row about? A row about nobody in the roster (it may be empty), and nobody who handed
 * something in, gets a problem. VL_ENOMEM. */
enum vl_status vl_overrides_know(struct vl_overrides *overrides, const struct vl_roster *roster,
                                 const struct vl_intake *intake);

/* ---- overrides_apply.c ---- */

/* Set the points of cases in a student's verdict; its score is the new sum. */
void vl_overrides_apply_cases(struct vl_overrides *overrides, const char *student,
                              const struct vl_lab *lab, struct vl_verdict *verdict);

/* Set the score of the lab. 'verdict' is NULL for a student who has none: then the row is only
 * marked as used. After vl_overrides_apply_cases. */
void vl_overrides_apply_lab(struct vl_overrides *overrides, const char *student,
                            const struct vl_lab *lab, struct vl_verdict *verdict);

/* The score out of 100 that a student without a verdict gets; NAN if none is set. */
double vl_overrides_score(const struct vl_overrides *overrides, const char *student,
                          const struct vl_lab *lab);

/* Tell the rows about these labs that are about no case of any verdict. VL_ENOMEM. */
enum vl_status vl_overrides_tell_unused(struct vl_overrides *overrides,
                                        const struct vl_lab *const *labs, size_t lab_count);

/* Has the row set points, or does it have a comment on a verdict that is there? */
bool vl_override_counts(const struct vl_override *override);

/* The next row that counts for the student in the lab; NULL after the last. *at is 0 at
 * first. */
const struct vl_override *vl_overrides_next(const struct vl_overrides *overrides,
                                            const char *student, const struct vl_lab *lab,
                                            size_t *at);

/* "`x.odd`: 3 points instead of 0. The bound was too strict (Ada)", in the language in force. The
 * caller frees it; NULL without memory. */
char *vl_override_text(const struct vl_override *override);

#endif
