/*
 * Lab 10 in words: the first question that is answered wrongly, a bandwidth that is near the
 * crossover but not right, and a guess next to what the planner finds.
 */
#include "base/number.h"
#include "base/text.h"
#include "grade/judge/compare.h"
#include "grade/judge/inspect.h"
#include "grade/labs/10_bandwidth/bandwidth.h"
#include "plan/blueprint_file.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define NEAR 1.1 /* a factor: this near, the right place was found */

__attribute__((format(printf, 3, 4))) static enum vl_status
say(struct vl_sign *sign, const char *code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    sign->code = code;
    if (vasprintf(&sign->message, format, arguments) < 0)
        sign->message = NULL;
    va_end(arguments);
    return sign->message != NULL ? VL_OK : VL_ENOMEM;
}

/* ---- a division ---- */

/* The first question, and in it the first result, that is wrong: others may follow from it. */
struct wrong {
    const char *name;
    size_t row;
    double expected, got;
};

static int is_wrong(double expected, double got)
{
    return !(fabs(got - expected) <= 1e-9 * fabs(expected));
}

static struct wrong first_wrong(const struct vl_bag *expected, const struct vl_bag *outputs,
                                size_t rows)
{
    for (size_t row = 0; row < rows; row++)
        for (size_t a = 0; a < vl_bag_count(expected); a++) {
            const struct vl_tensor_entry *entry = vl_bag_entry(expected, a);
            double right = vl_entry_value(entry, row);
            double got = vl_entry_value(vl_bag_find(outputs, entry->name), row);
            if (is_wrong(right, got))
                return (struct wrong){entry->name, row, right, got};
        }
    return (struct wrong){0};
}

/* All questions are answered wrongly in the same way: what the general signs say helps more. */
static int is_scaled(const struct vl_bag *expected, const struct vl_bag *outputs,
                     const struct wrong *wrong)
{
    const struct vl_tensor_entry *entry = vl_bag_find(expected, wrong->name);
    double factor = wrong->got / wrong->expected;
    for (size_t i = 0; i < entry->count; i++) {
        double got = vl_entry_value(vl_bag_find(outputs, wrong->name), i);
        if (is_wrong(factor * vl_entry_value(entry, i), got))
            return 0;
    }
    return 1;
}

static enum vl_status tell(struct vl_sign *sign, const struct vl_bag *inputs,
                           const struct vl_bag *expected, const struct vl_bag *outputs,
                           int is_group)
{
    char right[VL_NUMBER_TEXT], got[VL_NUMBER_TEXT];
    struct wrong wrong = first_wrong(expected, outputs, vl_plan_rows(inputs));
    if (wrong.name == NULL || is_scaled(expected, outputs, &wrong))
        return VL_OK;
    const struct vl_plan plan = vl_plan_read(inputs, wrong.row);
    const struct vl_division *d = &plan.division;
    const double *group = vl_plan_row(inputs, "group", wrong.row, 2);
    vl_number_short(right, wrong.expected, 6);
    vl_number_short(got, wrong.got, 6);
    if (is_group)
        return say(sign, "wrong_values",
                   _("With %1$zu members inside, %2$zu domains and %3$zu axes of a torus, seconds: "
                     "expected %4$s, got %5$s."),
                   (size_t)group[0], (size_t)group[1], plan.setting.cluster.torus, right, got);
    return say(sign, "wrong_values",
               _("With tensor %1$zu, expert %2$zu, data %3$zu, pipeline %4$zu, chunks %5$zu, "
                 "micro-batches %6$zu, ZeRO-%7$zu and keep %8$s, %9$s: expected %10$s, got "
                 "%11$s."),
               d->tensor, d->expert, d->data, d->pipeline, d->chunks, d->micro_batches, d->zero,
               vl_keep_name(d->keep), wrong.name, right, got);
}

static enum vl_status tell_division(struct vl_sign *sign, const struct vl_bag *inputs,
                                    const struct vl_bag *expected, const struct vl_bag *outputs)
{
    return tell(sign, inputs, expected, outputs, 0);
}

static enum vl_status tell_group(struct vl_sign *sign, const struct vl_bag *inputs,
                                 const struct vl_bag *expected, const struct vl_bag *outputs)
{
    return tell(sign, inputs, expected, outputs, 1);
}

/* ---- the crossover ---- */

static int holds(const struct vl_bag *inputs, double bandwidth)
{
    struct vl_plan_rivals rivals = vl_plan_rivals_read(inputs);
    return vl_plan_without(&rivals, bandwidth) <=
           (1 + vl_bag_real(inputs, "slack")) * vl_plan_of_all(&rivals, bandwidth);
}

static enum vl_status look_at_crossover(struct vl_sign *sign, const struct vl_bag *inputs,
                                        const struct vl_bag *expected, const struct vl_bag *outputs)
{
    int64_t calls = vl_bag_int(outputs, "calls");
    double found = vl_entry_value(vl_bag_find(outputs, "bandwidth"), 0);
    double right = vl_bag_real(expected, "bandwidth");
    if (calls > VL_BANDWIDTH_CALLS)
        return say(
            sign, "too_many_calls",
            _("The rivals were asked %1$lld times; a call costs a whole search, and %2$d are "
              "allowed. Halve what is left with each."),
            (long long)calls, VL_BANDWIDTH_CALLS);
    if (vl_bag_int(expected, "endless") || !(found >= right / NEAR && found <= right * NEAR))
        return VL_OK;
    if (!holds(inputs, found))
        return say(sign, "end_that_does_not_hold",
                   _("At the bandwidth given it does not hold yet: of the two ends that are "
                     "left, the other one is asked for."));
    if (found > vl_bag_real(inputs, "low") && holds(inputs, found / 1.001))
        return say(sign, "too_coarse",
                   _("It holds at a thousandth less as well: the two ends are not close "
                     "enough to each other yet."));
    return VL_OK;
}

/* ---- the guess ---- */

static enum vl_status tell_guess(struct vl_sign *sign, const struct vl_bag *inputs,
                                 const struct vl_bag *expected, const struct vl_bag *outputs)
{
    char sealed[VL_NUMBER_TEXT], found[VL_NUMBER_TEXT];
    (void)inputs;
    if (vl_bag_find(expected, "crossover_bandwidth") == NULL)
        return VL_OK;
    double guess = vl_entry_value(vl_bag_find(outputs, "crossover_bandwidth"), 0);
    vl_number_short(sealed, guess / 1e9, 3);
    vl_number_short(found, VL_BANDWIDTH_FOUND / 1e9, 3);
    return say(sign, "guess_far_off",
               _("Sealed: %1$s GB/s. The planner finds %2$s GB/s, more than %3$d times as much or "
                 "as little. The number is in bytes/s: is the unit right?"),
               sealed, found, VL_BANDWIDTH_FACTOR);
}

const struct vl_inspector vl_inspectors_bandwidth[] = {
    {"vl_planned_flops", NULL, tell_division},
    {"vl_planned_arithmetic", NULL, tell_division},
    {"vl_planned_state_bytes", NULL, tell_division},
    {"vl_planned_kept_bytes", NULL, tell_division},
    {"vl_group_gather_seconds", NULL, tell_group},
    {"vl_planned_traffic", NULL, tell_division},
    {"vl_planned_step", NULL, tell_division},
    {"whole_plan", NULL, tell_division},
    {"vl_crossover", look_at_crossover, NULL},
    {"vl_predict_plan", NULL, tell_guess},
    {NULL, NULL, NULL}};
