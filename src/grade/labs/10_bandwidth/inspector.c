/*
 * Lab 10 in words: the first question with a wrong answer, a bandwidth that is near the crossover
 * but not right, and a guess next to what the planner finds.
 */
#include "base/number.h"
#include "base/text.h"
#include "grade/judge/compare.h"
#include "grade/judge/inspect.h"
#include "grade/labs/10_bandwidth/bandwidth.h"
#include "plan/blueprint_file.h"

#include <math.h>
#include <stdbool.h>

#define NEAR 1.1 /* a factor: within it, the right place was found */

/* ---- a question ---- */

/* The first wrong result of the first question that has one: others may follow from it. */
struct wrong {
    const char *name; /* NULL: there is nothing to tell */
    const struct vl_question *question;
    double expected, got;
    char right[VL_NUMBER_TEXT], given[VL_NUMBER_TEXT];
};

/* 'largest' is that of the array: what should be 0 is seldom 0 to the last bit. */
static bool is_wrong(double expected, double got, double largest)
{
    return !(fabs(got - expected) <= fmax(1e-9 * fabs(expected), 1e-12 * largest));
}

static double largest_of(const struct vl_tensor_entry *entry)
{
    double largest = 0;
    for (size_t i = 0; i < entry->count; i++)
        largest = fmax(largest, fabs(vl_entry_value(entry, i)));
    return largest;
}

/* Are all answers wrong by the same factor? Then what the general signs say helps more. */
static bool is_scaled(const struct wrong *wrong, const struct vl_bag *expected,
                      const struct vl_bag *outputs)
{
    const struct vl_tensor_entry *entry = vl_bag_find(expected, wrong->name);
    double factor = wrong->got / wrong->expected, largest = fabs(factor) * largest_of(entry);
    for (size_t i = 0; i < entry->count; i++) {
        double got = vl_entry_value(vl_bag_find(outputs, wrong->name), i);
        if (is_wrong(factor * vl_entry_value(entry, i), got, largest))
            return false;
    }
    return true;
}

static struct wrong first_wrong(const struct vl_bag *inputs, const struct vl_bag *expected,
                                const struct vl_bag *outputs)
{
    size_t arrays = vl_bag_count(expected);
    for (size_t i = 0; i < vl_question_count(inputs) * arrays; i++) {
        const struct vl_tensor_entry *entry = vl_bag_entry(expected, i % arrays);
        struct wrong w = {entry->name,
                          &vl_questions(inputs)[i / arrays],
                          vl_entry_value(entry, i / arrays),
                          vl_entry_value(vl_bag_find(outputs, entry->name), i / arrays),
                          "",
                          ""};
        if (!is_wrong(w.expected, w.got, largest_of(entry)))
            continue;
        if (is_scaled(&w, expected, outputs))
            break;
        vl_number_short(w.right, w.expected, 6);
        vl_number_short(w.given, w.got, 6);
        return w;
    }
    return (struct wrong){0};
}

static enum vl_status tell_division(struct vl_sign *sign, const struct vl_bag *inputs,
                                    const struct vl_bag *expected, const struct vl_bag *outputs)
{
    const struct wrong wrong = first_wrong(inputs, expected, outputs);
    if (wrong.name == NULL)
        return VL_OK;
    const struct vl_division *d = &wrong.question->plan.division;
    return vl_sign_say(
        sign, "wrong_values",
        _("With tensor %1$zu, expert %2$zu, data %3$zu, pipeline %4$zu, chunks %5$zu, "
          "micro-batches %6$zu, ZeRO-%7$zu and keep %8$s, %9$s: expected %10$s, got "
          "%11$s."),
        d->tensor, d->expert, d->data, d->pipeline, d->chunks, d->micro_batches, d->zero,
        vl_keep_name(d->keep), wrong.name, wrong.right, wrong.given);
}

static enum vl_status tell_group(struct vl_sign *sign, const struct vl_bag *inputs,
                                 const struct vl_bag *expected, const struct vl_bag *outputs)
{
    const struct wrong wrong = first_wrong(inputs, expected, outputs);
    if (wrong.name == NULL)
        return VL_OK;
    const struct vl_question *q = wrong.question;
    return vl_sign_say(
        sign, "wrong_values",
        _("With %1$zu members inside, %2$zu domains and %3$zu axes of a torus, seconds: "
          "expected %4$s, got %5$s."),
        q->group.inside, q->group.across, q->plan.setting.cluster.torus, wrong.right, wrong.given);
}

/* ---- the crossover ---- */

/* How often the rivals were asked in search i; 0 if that is not known. */
static int64_t calls_of(const struct vl_bag *outputs, size_t i)
{
    const struct vl_tensor_entry *calls = vl_bag_find(outputs, "calls");
    return calls != NULL && calls->dtype == VL_I64 && i < calls->count
               ? ((const int64_t *)calls->data)[i]
               : 0;
}

static enum vl_status tell_calls(struct vl_sign *sign, int64_t calls)
{
    return vl_sign_say(
        sign, "too_many_calls",
        _("The rivals were called %1$lld times. Each call costs a whole search, and %2$d calls "
          "are allowed: halve what is left with each one, and stop as soon as high is at most "
          "1.001 low."),
        (long long)calls, VL_BANDWIDTH_CALLS);
}

/* A bandwidth that is near the right one. */
static enum vl_status tell_end(struct vl_sign *sign, const struct vl_plan_crossover *c,
                               double found)
{
    if (!vl_plan_holds(c, found))
        return vl_sign_say(
            sign, "end_that_does_not_hold",
            _("The condition is not true yet at the bandwidth that was returned: return the "
              "other of the two ends that are left."));
    if (found > c->low && vl_plan_holds(c, found / 1.001))
        return vl_sign_say(sign, "too_coarse",
                           _("The condition is true at a thousandth less as well: the two ends "
                             "are not close enough to each other yet."));
    return VL_OK;
}

static enum vl_status look_at_crossover(struct vl_sign *sign, const struct vl_bag *inputs,
                                        const struct vl_bag *expected, const struct vl_bag *outputs)
{
    enum vl_status status = VL_OK;
    for (size_t i = 0; status == VL_OK && sign->code == NULL && i < vl_plan_crossover_count(inputs);
         i++) {
        int64_t calls = calls_of(outputs, i);
        double found = vl_entry_value(vl_bag_find(outputs, "bandwidth"), i);
        double right = vl_entry_value(vl_bag_find(expected, "bandwidth"), i);
        if (calls > VL_BANDWIDTH_CALLS)
            status = tell_calls(sign, calls);
        else if (right > 0 && found >= right / NEAR && found <= right * NEAR) /* 0: endless */
            status = tell_end(sign, &vl_plan_crossover_of(inputs)[i], found);
    }
    return status;
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
    return vl_sign_say(
        sign, "guess_far_off",
        _("Sealed: %1$s GB/s. The planner finds %2$s GB/s, which is more than a factor of %3$d "
          "away. The number is in bytes/s: is the unit right?"),
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
    {"vl_divisions_order", NULL, vl_tell_divisions_order},
    {"vl_divisions_crossover", NULL, vl_tell_divisions_crossover},
    {"vl_predict_plan", NULL, tell_guess},
    {NULL, NULL, NULL}};
