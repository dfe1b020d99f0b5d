/*
 * A grading that is under way: what its parts share (grade.c, cases.c, timings.c).
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
    struct vl_isolation_trial trial; /* of how the sandbox can be isolated, while it runs */
    struct vl_sandbox ahead;         /* like 'sandbox', for jobs that start while others run */
    struct vl_sandbox other;         /* where the reference is timed, and mistakes are run */
    struct vl_turn turn;             /* taken while a clock runs */
    struct vl_build build;
    struct vl_substitutes substitutes;
    bool foreign_shapes; /* its predict.c has another student's shapes (catalogue/shapes.h) */
    double budget;       /* seconds that the submission has; they end at sandbox.until */
    char *folders[VL_BOARD_RANKS + 1]; /* with the inputs of the cases, by number of ranks */
    struct vl_seen_case *seen;         /* seen[i] is about verdict->cases[i] */
    size_t seen_count;
    size_t kept_bytes; /* of the outputs that 'seen' keeps */
    bool *undone;      /* for each function of the lab (instead/undone.h); NULL: not looked for */
    bool tainted[VL_BOARD_RANKS + 1]; /* as in struct vl_batch, by number of ranks */
    bool all_seen;                    /* no other case will run */
    size_t shown;                     /* how many results the user has been shown */
};

/* Has the submission used up its time? If so, *result says that this case was not run. */
bool vl_grading_is_over(const struct vl_grading *grading, struct vl_case_result *result);

/* Did the request ask for this case or timing, by its id or by its function? */
bool vl_grading_wants(const struct vl_grading *grading, const char *id, const char *function);

/* The catalogue's entry of a function; never NULL for a function of a case. */
const struct vl_lab_function *vl_grading_function(const struct vl_grading *grading,
                                                  const char *name);

/* Is this function wrong in any case? It counts as wrong, too, if a case passes only because a function of the
 * reference was used. With 'unwritten': is it not written yet? Timings do not count. */
int vl_grading_lacks(const struct vl_verdict *verdict, const char *function, int unwritten);

/* Is the result of this case or timing known before it runs? If so, it is in *result. vl_grading_is_decided looks
 * at the build. vl_grading_waits looks at the functions that it needs: is one of them wrong or, with 'unwritten',
 * missing or not written yet? */
int vl_grading_is_decided(const struct vl_grading *grading, struct vl_case_result *result);
bool vl_grading_waits(const struct vl_grading *grading, struct vl_case_result *result,
                      const char *const *needs, int unwritten);

/* Put a finished result into the verdict and show it. Its strings are copied, and then freed. VL_ENOMEM. */
enum vl_status vl_grading_tell(struct vl_grading *grading, struct vl_case_result *result);

/* The same for a case, with what is needed to find its cause. If *seen has outputs, the case is open: it and all
 * results after it are shown only when its cause has been sought. Takes the outputs. */
enum vl_status vl_grading_tell_case(struct vl_grading *grading, struct vl_case_result *result,
                                    const struct vl_seen_case *seen);

/* Run and judge all wanted cases. */
enum vl_status vl_grading_cases(struct vl_grading *grading);

/* When all cases have run: judge again those that another function's mistake has cost (instead/rejudge.h), and find
 * the causes of the open ones. An idle case loses its points if its function passes no case with work to do. Then
 * show the results. */
enum vl_status vl_grading_causes(struct vl_grading *grading);

/* The first function that this case needs or uses and that fails in its own cases; NULL if there is none. Of two
 * functions that need each other, neither is told to wait for the other, unless a second run has shown that the
 * case passes without the other's mistake (instead/rejudge.h). */
const char *vl_grading_failing_need(const struct vl_grading *grading, const struct vl_case *c);

/* If this case uses a function whose own cases fail, let its message say so and nothing else: whatever its numbers
 * look like, they come from there. 'known' is the code of a known mistake that was found in this case, or NULL. If
 * the other function has the same mistake, the message stays. VL_ENOMEM. */
enum vl_status vl_grading_point_to_need(const struct vl_grading *grading,
                                        struct vl_case_result *result, const struct vl_case *c,
                                        const char *known);

/* Say why each open case is wrong; a part of vl_grading_causes. */
enum vl_status vl_grading_explain(struct vl_grading *grading);

/* The submission's program in which 'what' is the reference's; *program is NULL if it cannot be made. VL_EIO,
 * VL_ELACK, VL_ENOMEM. */
enum vl_status vl_grading_substitute(const char **program, struct vl_grading *grading,
                                     const struct vl_replacement *what);

/* Free what was kept of the cases. */
void vl_grading_forget(struct vl_grading *grading);

/* Are functions timed at all? They are not under gdb or AddressSanitizer, which would slow them down. */
bool vl_grade_is_timed(const struct vl_grade_request *request);

/* Time all wanted functions whose numbers are right, if functions are timed at all. */
enum vl_status vl_grading_timings(struct vl_grading *grading);

#endif
