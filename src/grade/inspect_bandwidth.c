/*
 * Lab 10 in words: a bandwidth that is near the crossover and is not it, and a guess beside what
 * the planner finds.
 */
#include "base/number.h"
#include "base/text.h"
#include "grade/bandwidth.h"
#include "grade/compare.h"
#include "grade/inspect.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NEAR 1.1 /* so near that the right place was found */

static enum vl_status say(struct vl_sign *sign, const char *code, char *message)
{
    sign->code = code;
    sign->message = message;
    return message != NULL ? VL_OK : VL_ENOMEM;
}

static int holds(const struct vl_bag *inputs, double bandwidth)
{
    struct vl_plan_rivals rivals = vl_plan_rivals_read(inputs);
    return vl_plan_without(&rivals, bandwidth) <=
           (1 + vl_bag_real(inputs, "slack")) * vl_plan_of_all(&rivals, bandwidth);
}

static enum vl_status say_calls(struct vl_sign *sign, int64_t calls)
{
    char *message = NULL;
    if (asprintf(&message,
                 _("The rivals were asked %1$lld times; a call costs a whole search, and %2$d are "
                   "allowed. Halve what is left with each."),
                 (long long)calls, VL_BANDWIDTH_CALLS) < 0)
        message = NULL;
    return say(sign, "too_many_calls", message);
}

static enum vl_status look_at_crossover(struct vl_sign *sign, const struct vl_bag *inputs,
                                        const struct vl_bag *expected, const struct vl_bag *outputs)
{
    int64_t calls = vl_bag_int(outputs, "calls");
    double found = vl_entry_value(vl_bag_find(outputs, "bandwidth"), 0);
    double right = vl_bag_real(expected, "bandwidth");
    if (calls > VL_BANDWIDTH_CALLS)
        return say_calls(sign, calls);
    if (vl_bag_int(expected, "endless") || !(found >= right / NEAR && found <= right * NEAR))
        return VL_OK;
    if (!holds(inputs, found))
        return say(sign, "end_that_does_not_hold",
                   strdup(_("At the bandwidth given it does not hold yet: of the two ends that are "
                            "left, the other one is asked for.")));
    if (found > vl_bag_real(inputs, "low") && holds(inputs, found / 1.001))
        return say(sign, "too_coarse",
                   strdup(_("It holds at a thousandth less as well: the two ends are not close "
                            "enough to each other yet.")));
    return VL_OK;
}

static enum vl_status tell_guess(struct vl_sign *sign, const struct vl_bag *inputs,
                                 const struct vl_bag *expected, const struct vl_bag *outputs)
{
    char sealed[VL_NUMBER_TEXT], found[VL_NUMBER_TEXT], *message = NULL;
    (void)inputs;
    if (vl_bag_find(expected, "crossover_bandwidth") == NULL)
        return VL_OK;
    double guess = vl_entry_value(vl_bag_find(outputs, "crossover_bandwidth"), 0);
    vl_number_short(sealed, guess / 1e9, 3);
    vl_number_short(found, VL_BANDWIDTH_FOUND / 1e9, 3);
    if (asprintf(
            &message,
            _("Sealed: %1$s GB/s. The planner finds %2$s GB/s, more than %3$d times as much or "
              "as little. The number is in bytes/s: is the unit right?"),
            sealed, found, VL_BANDWIDTH_FACTOR) < 0)
        message = NULL;
    return say(sign, "guess_far_off", message);
}

const struct vl_inspector vl_inspectors_bandwidth[] = {{"vl_crossover", look_at_crossover, NULL},
                                                       {"vl_predict_plan", NULL, tell_guess},
                                                       {NULL, NULL, NULL}};
