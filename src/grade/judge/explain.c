#include "grade/judge/explain.h"

#include "base/text.h"
#include "grade/judge/judgement.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An inspector's own words for the place. True if it had any. */
static int tell_place(struct vl_judgement *t, const struct vl_cause *cause, enum vl_status *done)
{
    struct vl_sign sign = {0};
    if (t->inspector == NULL || t->inspector->tell == NULL)
        return 0;
    *done = t->inspector->tell(&sign, t->inputs, t->expected, t->outputs);
    if (*done != VL_OK || sign.code == NULL)
        return *done != VL_OK;
    if (cause != NULL)
        *done = vl_judgement_close_at(t, cause->code, strdup(_(cause->sentence)), sign.message);
    else
        *done = vl_judgement_close(t, VL_CASE_FAILED, sign.code, sign.message);
    return 1;
}

/* What can be told from the numbers alone. */
static enum vl_status tell_sign(struct vl_judgement *t)
{
    struct vl_sign sign;
    if (!isfinite(vl_entry_value(t->worst_got, t->worst.worst)))
        return vl_judgement_close_at_worst(
            t, "not_a_number",
            strdup(_("The result holds infinity or something that is not a number.")));
    enum vl_status status =
        vl_signs_find(&sign, t->worst_got, t->worst_expected, t->inputs, t->near);
    if (status != VL_OK)
        return status;
    if (sign.code)
        return vl_judgement_close_at_worst(t, sign.code, sign.message);
    return vl_judgement_close_at_worst(t, "wrong_values", strdup(_("The numbers are wrong.")));
}

enum vl_status vl_explain(struct vl_case_result *result, const struct vl_case *c,
                          const struct vl_bag *inputs, const struct vl_bag *outputs,
                          const struct vl_cause *cause)
{
    struct vl_judgement t = {.result = result, .c = c, .inputs = inputs, .outputs = outputs};
    enum vl_status status = vl_judgement_open(&t);
    if (status == VL_OK)
        vl_judgement_measure(&t);
    if (status == VL_OK && !tell_place(&t, cause, &status))
        status = cause != NULL
                     ? vl_judgement_close_at_worst(&t, cause->code, strdup(_(cause->sentence)))
                     : tell_sign(&t);
    vl_bag_free(t.expected);
    return status;
}
