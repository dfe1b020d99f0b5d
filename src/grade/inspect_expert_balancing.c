/*
 * Runs of lab 09 in words: how uneven the load still is, and what is asked for.
 */
#include "base/number.h"
#include "base/text.h"
#include "grade/case.h"
#include "grade/compare.h"
#include "grade/inspect.h"

#include <math.h>
#include <stdio.h>

/* Nothing is said where evenness is not asked for, or is not what is missing. */
static enum vl_status tell_load(struct vl_sign *sign, const struct vl_bag *inputs,
                                const struct vl_bag *expected, const struct vl_bag *outputs)
{
    char name[VL_RANKED_NAME], got[VL_NUMBER_TEXT], asked[VL_NUMBER_TEXT];
    double most = vl_bag_real(inputs, "most"), worst = 0;
    for (int rank = 0; rank < (int)vl_bag_int(inputs, "ranks"); rank++) {
        if (!vl_bag_find(expected, vl_ranked(name, "violation", rank)))
            return VL_OK;
        double violation = vl_entry_value(vl_bag_find(outputs, name), 0);
        if (!isfinite(violation))
            return VL_OK;
        worst = fmax(worst, violation);
    }
    if (worst <= most)
        return VL_OK;
    sign->code = "still_uneven";
    if (asprintf(&sign->message,
                 _("After %1$d global batches MaxVio is still %2$s on average over the last "
                   "quarter; at most %3$s is asked for."),
                 (int)vl_bag_int(inputs, "batches"), vl_number_short(got, worst, 3),
                 vl_number_short(asked, most, 3)) < 0)
        sign->message = NULL;
    return sign->message != NULL ? VL_OK : VL_ENOMEM;
}

const struct vl_inspector vl_inspectors_expert_balancing[] = {
    {"balance_by_bias", NULL, tell_load}, {"balance_by_loss", NULL, tell_load}, {NULL, NULL, NULL}};
