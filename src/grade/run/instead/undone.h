/*
 * Functions that do nothing. One mistake is paid once, so what uses a function that is wrong is judged with a
 * right one in its place (rejudge.h). That is for what somebody has written. A function whose body only
 * returns VL_OK is as unwritten as one that returns VL_TODO, and must earn no more than that does.
 *
 *   the submission    vl_f is as it was handed in    ─┐
 *                                                     ├─ the same answers in all its cases: undone
 *   once more         vl_f returns VL_OK             ─┘
 *
 * The second program stops at the first number of ranks at which an answer differs.
 */
#ifndef VIALATA_GRADE_RUN_INSTEAD_UNDONE_H
#define VIALATA_GRADE_RUN_INSTEAD_UNDONE_H

#include "grade/run/instead/rejudge_cases.h"

/* Into the grading: is this function undone? VL_EIO, VL_ELACK and VL_ENOMEM are about this machine. */
enum vl_status vl_undone_find(struct vl_rejudging *rejudging,
                              const struct vl_lab_function *function);

/* Are these the same answer: the same result, and the same bytes where both have outputs? */
bool vl_undone_is_same(const struct vl_case_result *one, const struct vl_bag *one_outputs,
                       const struct vl_case_result *other, const struct vl_bag *other_outputs);

#endif
