/*
 * Grading, as the command line sees it: build the submission, run it behind the wall, judge, score.
 *
 * The submission runs in vialata-runner, never in this process. Progress is reported case by case.
 */
#ifndef VIALATA_GRADE_RUN_GRADE_H
#define VIALATA_GRADE_RUN_GRADE_H

#include "grade/catalogue/lab.h"
#include "grade/catalogue/origin.h"
#include "grade/catalogue/verdict.h"
#include "vialata/status.h"
#include <stdbool.h>

#define VL_GRADE_SEED         20260101u
#define VL_GRADE_BUDGET       180.0 /* seconds; under AddressSanitizer four times that */
#define VL_GRADE_BUDGET_LEAST 10
#define VL_GRADE_BUDGET_MOST  86400

/*
 * Unpack an archive into a new folder. *path gets the lab's folder or file in it; with VL_EFORMAT,
 * *problem gets a sentence instead. Both are freed by the caller. VL_EIO (errno), VL_ENOMEM.
 */
typedef enum vl_status vl_unpack(char **path, char **problem, const char *folder,
                                 const struct vl_lab *lab, const char *archive);

struct vl_grade_request {
    const struct vl_lab *lab;
    const char *submission;  /* file or folder; NULL: the lab as the course gives it */
    vl_unpack *unpack;       /* it is an archive, which this unpacks; NULL: it is none */
    int is_workspace;        /* it is the folder that is graded by default */
    int reference;           /* grade the course's own solution instead */
    const char *mistake;     /* grade it with this mistake in it ("FUNCTION/CODE"); NULL: none */
    const char *shown_as;    /* what the verdict calls the student; NULL: by name */
    struct vl_origin origin; /* of the inputs; with a student, also of the reference's predict.c */
    const char *only;        /* one case id, or a function name; NULL: all */
    bool
        show; /* show the numbers of a failing case, and of the one that was asked for (judge/exhibit.h) */
    int without_throughput;
    const struct vl_verdict *numbers; /* graded before, without its timed part: only that is run;
                                         NULL: everything is */
    double budget;     /* seconds for a lab, more on a busy machine; 0: VL_GRADE_BUDGET */
    bool require_wall; /* refuse to grade where the isolation would be weak */
    bool trust;        /* run a submission under one's own name where the isolation is weak */
    bool unexplained;  /* look for no cause, so that a test sees the signs and patterns */
    int asan;          /* build and run the submission under AddressSanitizer */
    int gdb;           /* run the one case under gdb, interactively */
    /* Called after the build (result NULL) and after each case; may be NULL. */
    void (*progress)(void *context, const struct vl_verdict *so_far,
                     const struct vl_case_result *result);
    void *context;
};

/*
 * Fill *verdict (freed by the caller with vl_verdict_free). What is wrong with the submission is in
 * the verdict and the status is VL_OK. VL_EINVAL if it has no file of the lab; VL_ELACK, VL_ENOMEM
 * and VL_EINTERNAL are about this machine. Then verdict->message says what to do.
 */
enum vl_status vl_grade(struct vl_verdict *verdict, const struct vl_grade_request *request);

/* The points that can be had for what is asked, whether or not it comes to a verdict. */
double vl_grade_most_points(const struct vl_grade_request *request);

#endif
