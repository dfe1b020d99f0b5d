/*
 * One mistake is paid once: a case that fails because it uses a function that is wrong is judged again,
 * with the reference's function in its place (build/substitute.h). If it passes, it has its points.
 *
 * A case is judged again with function N in mind if
 *
 *   it fails, crashes or hangs            nothing is asked of what is unwritten or refused by the build
 *   it needs N, and is not one of N's     N's own points stay lost
 *   N fails in its own cases, and of its  a need whose failures all vanish with a right N does not fail
 *   other needs none fails by itself      by itself: parts may need one another
 *   it is about more than N               the student writes its function, or another need of it, which
 *                                         passes
 *
 * A timing whose numerics were right but for N is measured with the same program, unless N turns out to be
 * right in it: then it is as fast as it is.
 */
#ifndef VIALATA_GRADE_RUN_REJUDGE_H
#define VIALATA_GRADE_RUN_REJUDGE_H

#include "grade/run/grading.h"

/* Does the student write this function? What is given earns no points. */
bool vl_rejudge_is_written(const struct vl_lab_function *function);

/* May this function be replaced: is it the student's, and wrong in a case of its own? */
bool vl_rejudge_is_wrong(const struct vl_grading *grading, const struct vl_lab_function *function);

/* Does it pass in a case of its own, and in the others come back with something? */
bool vl_rejudge_is_partly_right(const struct vl_grading *grading,
                                const struct vl_lab_function *function);

/* Of the cases in 'kept' (one for each that was seen), keep those that may be judged again, or that
 * count, with this function in mind. To choose, all are in it; to settle, those that passed then. Returns
 * how many are left. */
size_t vl_rejudge_keep(bool *kept, const struct vl_grading *grading, const char *function);

/* Is the failure of this case possibly another function's? Until that is settled it is not shown. */
bool vl_rejudge_may_change(const struct vl_case_result *result, const struct vl_case *c);

/* Judge again what deserves it, for a few seconds at most. VL_EIO, VL_ELACK and VL_ENOMEM are about this
 * machine. */
enum vl_status vl_grading_rejudge(struct vl_grading *grading);

/* The function of the reference with which a timing is measured, or NULL: its needs are right, or wrong
 * in more than one function, or it is about this function alone. */
const struct vl_lab_function *vl_rejudge_for_timing(const struct vl_grading *grading,
                                                    const struct vl_timing *timing);

/* Say in a result that passed, or was measured, with which function. VL_ENOMEM. */
enum vl_status vl_rejudge_say(struct vl_case_result *result, const char *function);

#endif
