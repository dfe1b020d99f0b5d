/* Judge a case that is alone and, if its numbers are wrong, explain it. */
#ifndef TESTS_GRADE_JUDGED_H
#define TESTS_GRADE_JUDGED_H

#include "grade/judge/judge.h"
#include <stdlib.h>

/* Without a cause (NULL), the sign of the case is its cause. */
static inline enum vl_status judge_and_explain(struct vl_case_result *result,
                                               const struct vl_case *c, double points,
                                               const struct vl_bag *inputs,
                                               const struct vl_bag *outputs,
                                               const struct vl_cause *cause)
{
    struct vl_judged judged;
    struct vl_sign sign = {0};
    enum vl_status status = vl_judge(result, &judged, c, points, inputs, outputs);
    if (status != VL_OK || !judged.open)
        return status;
    if (cause == NULL)
        status = vl_sign_of_case(&sign, c, inputs, outputs);
    const struct vl_cause shown = {.code = sign.code, .message = sign.message};
    if (status == VL_OK)
        status = vl_explain(result, c, inputs, outputs, sign.code != NULL ? &shown : cause);
    free(sign.message);
    return status;
}

#endif
