/*
 * Runs of lab 09 in words: how uneven the load still is, compared with a run that is not balanced.
 */
#include "base/number.h"
#include "base/text.h"
#include "grade/catalogue/maker.h"
#include "grade/judge/compare.h"
#include "grade/judge/inspect.h"
#include "grade/labs/09_expert_balancing/expert_balancing.h"

#include <math.h>

#define LITTLE 0.1 /* violations this close count as equal */

/* MaxVio late in the same run if nothing is ever corrected; negative without memory. */
static double idle_violation(const struct vl_bag *inputs)
{
    struct vl_bag *wide = vl_bag_widened(inputs);
    if (wide == NULL)
        return -1;
    struct vl_oracle_router router = vl_balance_router(wide);
    router.u = 0;
    double idle = vl_oracle_balance_by_bias(NULL, &router).violation;
    vl_bag_free(wide);
    return idle;
}

static enum vl_status say_uneven(struct vl_sign *sign, const struct vl_bag *inputs, double worst)
{
    char got[VL_NUMBER_TEXT], asked[VL_NUMBER_TEXT], undone[VL_NUMBER_TEXT];
    double idle = idle_violation(inputs);
    if (idle < 0)
        return VL_ENOMEM;
    vl_number_short(got, worst, 3);
    vl_number_short(asked, vl_bag_real(inputs, "most"), 3);
    vl_number_short(undone, idle, 3);
    if (worst > idle + LITTLE)
        return vl_sign_say(sign, "made_worse",
                           _("MaxVio late in the run is %1$s. If nothing is done it is %2$s, "
                             "so the balancing makes it worse: look at the sign. At most %3$s "
                             "is allowed."),
                           got, undone, asked);
    if (worst > idle - LITTLE)
        return vl_sign_say(sign, "never_corrected",
                           _("MaxVio late in the run is %1$s. If nothing is done it is %2$s, "
                             "so nothing is balanced yet. At most %3$s is allowed."),
                           got, undone, asked);
    return vl_sign_say(sign, "still_uneven",
                       _("MaxVio late in the run is still %1$s; it is %2$s if nothing is done, "
                         "and at most %3$s is allowed."),
                       got, undone, asked);
}

/* Says nothing where an even load is not asked for, or is not what is wrong. */
static enum vl_status tell_load(struct vl_sign *sign, const struct vl_bag *inputs,
                                const struct vl_bag *expected, const struct vl_bag *outputs)
{
    char name[VL_RANKED_NAME];
    double worst = 0;
    for (int rank = 0; rank < (int)vl_bag_int(inputs, "ranks"); rank++) {
        if (!vl_bag_find(expected, vl_ranked(name, "violation", rank)))
            return VL_OK;
        worst = fmax(worst, fabs(vl_entry_value(vl_bag_find(outputs, name), 0)));
        if (vl_bag_find(expected, vl_ranked(name, "same_bias", rank)) &&
            vl_bag_int(outputs, name) != 1)
            return vl_sign_say(sign, "biases_differ",
                               _("The ranks route with different biases: each corrected its "
                                 "own with counts that are not those of all ranks."));
    }
    return worst > vl_bag_real(inputs, "most") ? say_uneven(sign, inputs, worst) : VL_OK;
}

const struct vl_inspector vl_inspectors_expert_balancing[] = {
    {"balance_by_bias", NULL, tell_load}, {"balance_by_loss", NULL, tell_load}, {NULL, NULL, NULL}};
