/*
 * The judge: one case, its inputs and what came out of the runner.
 */
#ifndef VIALATA_GRADE_JUDGE_JUDGE_H
#define VIALATA_GRADE_JUDGE_JUDGE_H

#include "grade/catalogue/case.h"

/*
 * Judge outputs (as read from the runner; hostile, may be NULL or nonsense) of one case. Fills
 * status, points (share * points of the function), code, message, measured and bound of *result;
 * the strings are freshly allocated.
 */
enum vl_status vl_judge(struct vl_case_result *result, const struct vl_case *c, double max_points,
                        const struct vl_bag *inputs, const struct vl_bag *outputs);

#endif
