/*
 * One grading under way: what the parts of it share (grade.c, grading.c).
 */
#ifndef VIALATA_GRADE_RUN_GRADING_H
#define VIALATA_GRADE_RUN_GRADING_H

#include "grade/build/build.h"
#include "grade/catalogue/case.h"
#include "grade/run/grade.h"
#include "grade/sandbox/sandbox.h"

struct vl_grading {
    const struct vl_grade_request *request;
    const struct vl_lab_cases *lab;
    struct vl_verdict *verdict;
    char *scratch;
    struct vl_sandbox sandbox; /* where the submission is built and runs */
    struct vl_sandbox other;   /* where the reference is timed */
    struct vl_build build;
};

/* Is this case, timing or function among what was asked for? */
int vl_grading_wants(const struct vl_grading *grading, const char *id, const char *function);

/* The catalogue's entry of a function; never NULL for a function of a case. */
const struct vl_lab_function *vl_grading_function(const struct vl_grading *grading,
                                                  const char *name);

/* Is the function in what was built? */
enum vl_function_state vl_grading_state(const struct vl_grading *grading, const char *name);

/* Has any result said of the function of that name that it is not right, or, with 'unwritten', not
 * written? Timings do not count. */
int vl_grading_lacks(const struct vl_verdict *verdict, const char *function, int unwritten);

/* Put a finished result into the verdict and tell it. Its strings are copied, then cleared. */
enum vl_status vl_grading_tell(struct vl_grading *grading, struct vl_case_result *result);

/* Run and judge all wanted cases. */
enum vl_status vl_grading_cases(struct vl_grading *grading);

/* Time all wanted functions whose numbers are right. */
enum vl_status vl_grading_timings(struct vl_grading *grading);

#endif
