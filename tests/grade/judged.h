/* Judge a case and, if its numbers are wrong, explain it. */
#ifndef TESTS_GRADE_JUDGED_H
#define TESTS_GRADE_JUDGED_H

#include "grade/judge/judge.h"

static inline enum vl_status judge_and_explain(struct vl_case_result *result,
                                               const struct vl_case *c, double points,
                                               const struct vl_bag *inputs,
                                               const struct vl_bag *outputs,
                                               const struct vl_cause *cause)
{
    struct vl_judged judged;
    enum vl_status status = vl_judge(result, &judged, c, points, inputs, outputs);
    return status == VL_OK && judged.open ? vl_explain(result, c, inputs, outputs, cause) : status;
}

#endif
