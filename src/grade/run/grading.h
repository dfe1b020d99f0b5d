/*
 * One grading under way: what the parts of it share (grade.c, cases.c, timings.c).
 */
#ifndef VIALATA_GRADE_RUN_GRADING_H
#define VIALATA_GRADE_RUN_GRADING_H

#include "grade/build/build.h"
#include "grade/build/substitute.h"
#include "grade/catalogue/case.h"
#include "grade/diagnose/cause.h"
#include "grade/run/grade.h"
#include "sandbox/isolation.h"
#include "sandbox/sandbox.h"
#include "sandbox/turn.h"
#include "wire/board.h"

#include <stdbool.h>

struct vl_grading {
    const struct vl_grade_request *request;
    const struct vl_lab_cases *lab;
    struct vl_verdict *verdict;
    char *scratch;
    struct vl_sandbox sandbox;       /* where the submission is built and runs */
    struct vl_isolation_trial trial; /* until what was tried is settled */
    struct vl_sandbox ahead;         /* the same, for jobs that start while others run */
    struct vl_sandbox other;         /* where the reference is timed, and mistakes are run */
    struct vl_turn turn;             /* taken while a clock runs */
    struct vl_build build;
    struct vl_substitutes substitutes;
    bool foreign_shapes; /* its predict.c asks about others than it should (shapes.h) */
    double budget;       /* seconds that the submission has; sandbox.until is when they are over */
    char *folders[VL_BOARD_RANKS + 1]; /* with the inputs of the cases, by number of ranks */
    struct vl_seen_case *seen;         /* as they are in the verdict, one for one */
    size_t seen_count;
    size_t kept_bytes; /* of the outputs among them */
    bool *undone;      /* of the lab's functions (instead/undone.h); NULL: not looked for */
    bool tainted[VL_BOARD_RANKS + 1]; /* as in struct vl_batch, by number of ranks */
    bool all_seen;                    /* every case that will run has */
    size_t shown;                     /* results that the user has been shown */
};

/* Has the submission used up its time? If so, the result says that this comes too late. */
bool vl_grading_is_over(const struct vl_grading *grading, struct vl_case_result *result);

/* Is this case, timing or function among what was asked for? */
bool vl_grading_wants(const struct vl_grading *grading, const char *id, const char *function);

/* The catalogue's entry of a function; never NULL for a function of a case. */
const struct vl_lab_function *vl_grading_function(const struct vl_grading *grading,
                                                  const char *name);

/* Does any result say that this function is not right (or only with the reference's in place of the
 * submission's) or, with 'unwritten', not written? Timings do not count. */
int vl_grading_lacks(const struct vl_verdict *verdict, const char *function, int unwritten);

/* Is the result of this case or timing known before it runs? If so, it is in *result. The first:
 * because of the build. The second: because a function that it needs is not right or, with
 * 'unwritten', missing or not written. */
int vl_grading_is_decided(const struct vl_grading *grading, struct vl_case_result *result);
bool vl_grading_waits(const struct vl_grading *grading, struct vl_case_result *result,
                      const char *const *needs, int unwritten);

/* Put a finished result into the verdict and show it. Its strings are copied, then freed. */
enum vl_status vl_grading_tell(struct vl_grading *grading, struct vl_case_result *result);

/* The same for a case, with what is needed to find its cause. With outputs it is open: it and all
 * after it are shown once its cause has been sought. Takes the outputs. */
enum vl_status vl_grading_tell_case(struct vl_grading *grading, struct vl_case_result *result,
                                    const struct vl_seen_case *seen);

/* Run and judge all wanted cases. */
enum vl_status vl_grading_cases(struct vl_grading *grading);

/* When all have run: judge again what another function's mistake has cost (instead/rejudge.h), find the causes of
 * the open cases, take the points of idle ones whose function has nothing else right, and show them. */
enum vl_status vl_grading_causes(struct vl_grading *grading);

/* The first function that this case needs or uses and that fails in its own cases; NULL if there is none.
 * Of two that need each other, neither is told to wait for the other, unless it has been shown (instead/rejudge.h). */
const char *vl_grading_failing_need(const struct vl_grading *grading, const struct vl_case *c);

/* A case that uses a function whose own cases fail says so, and nothing else: whatever its numbers look like,
 * they come from there. Only a known mistake that is in both (its code, or NULL) is told in both.
 * VL_ENOMEM. */
enum vl_status vl_grading_point_to_need(const struct vl_grading *grading,
                                        struct vl_case_result *result, const struct vl_case *c,
                                        const char *known);

/* The first part of that: say why each open case is wrong. */
enum vl_status vl_grading_explain(struct vl_grading *grading);

/* The submission's program with this of the reference; NULL if it cannot be made. VL_EIO, VL_ELACK,
 * VL_ENOMEM. */
enum vl_status vl_grading_substitute(const char **program, struct vl_grading *grading,
                                     const struct vl_replacement *what);

/* Free what was kept of the cases. */
void vl_grading_forget(struct vl_grading *grading);

/* Are functions timed at all? A tool (gdb, AddressSanitizer) would slow them down. */
bool vl_grade_is_timed(const struct vl_grade_request *request);

/* Time all wanted functions whose numbers are right, if functions are timed at all. */
enum vl_status vl_grading_timings(struct vl_grading *grading);

#endif
