/*
 * With which power of an input an answer goes. Of y = c + b x^a, whatever c and b are,
 *
 *   y(x/4) - y(x/2)  =  2^-a ( y(x/2) - y(x) )
 */
#include "grade/experiment/influence/view.h"

#include "base/number.h"
#include "base/text.h"
#include "grade/judge/compare.h"

#include <math.h>

#define CLEARLY     100.0
#define EXACTLY     1e-5 /* of the truth, which is float64: relative */
#define NEARLY      2e-3 /* of the answer */
#define CLEARLY_NOT 0.05
#define POWER_NEAR  0.02

struct power {
    double ratio, step, rest; /* rest: how far the second step is from ratio times the first */
};

static struct power power_of(const struct vl_moving *half, const struct vl_moving *quarter,
                             double (*moves)(const struct vl_moving *, size_t))
{
    struct power power = {0};
    double product = 0;
    for (size_t i = 0; i < half->t->count; i++) {
        if (!vl_moving_counts(half, i) || !vl_moving_counts(quarter, i))
            continue;
        double first = moves(half, i), second = moves(quarter, i) - first;
        power.step = hypot(power.step, first);
        product += first * second;
    }
    power.ratio = power.step > 0 ? product / (power.step * power.step) : 0;
    for (size_t i = 0; i < half->t->count; i++) {
        if (!vl_moving_counts(half, i) || !vl_moving_counts(quarter, i))
            continue;
        double first = moves(half, i), second = moves(quarter, i) - first;
        power.rest = hypot(power.rest, second - power.ratio * first);
    }
    return power;
}

/* Do the parts that do not go with the input agree? y = c + m, and m moves by m (2^-a - 1) = first. */
static bool same_constants(const struct vl_moving *half, double of_truth, double of_answer)
{
    double apart = 0, size = 0;
    for (size_t i = 0; i < half->t->count; i++) {
        if (!vl_moving_counts(half, i))
            continue;
        double t = vl_entry_value(half->t, i) - vl_moving_truth(half, i) / (exp2(-of_truth) - 1);
        double s = vl_entry_value(half->s, i) - vl_moving_answer(half, i) / (exp2(-of_answer) - 1);
        apart = hypot(apart, s - t);
        size =
            hypot(size, fmax(fabs(vl_entry_value(half->t, i)), fabs(vl_entry_value(half->s, i))));
    }
    return apart <= POWER_NEAR * size;
}

/* The power, in halves; NAN if this is none. */
static double named_power(const struct power *power, double near)
{
    double a = -log2(power->ratio), named = round(2 * a) / 2;
    return power->ratio > 0 && fabs(a - named) <= near && fabs(named) <= 3 && named != 0 ? named
                                                                                         : NAN;
}

static void say(struct vl_sign *finding, const struct vl_view *v, size_t p, double is,
                double should)
{
    char number[VL_NUMBER_TEXT], right[VL_NUMBER_TEXT];
    const char *input = vl_view_shown(v, p);
    vl_number_short(number, is, 2);
    vl_number_short(right, should, 2);
    if (!isnan(is))
        vl_sign_say(
            finding, "wrong_power",
            _("%1$s should change with %2$s to the power %4$s, but changes with it to the power "
              "%3$s: look at how often it is multiplied in."),
            v->name, input, number, right);
    else if (should == 1)
        vl_sign_say(
            finding, "wrong_power",
            _("Halving %2$s should halve its share in %1$s, but does not: look at where it is used, "
              "and how often."),
            v->name, input);
    else
        vl_sign_say(
            finding, "wrong_power",
            _("%1$s should change with %2$s to the power %3$s, but does not: look at where it is "
              "used, and how often."),
            v->name, input, right);
}

static void compare(struct vl_sign *finding, const struct vl_view *v, size_t p, size_t q)
{
    const double noise = v->of[p].noise;
    struct power t = power_of(&v->moving[p], &v->moving[q], vl_moving_truth);
    struct power s = power_of(&v->moving[p], &v->moving[q], vl_moving_answer);
    double should = t.rest <= EXACTLY * t.step ? named_power(&t, EXACTLY) : NAN;
    if (isnan(should) || t.step <= CLEARLY * noise || s.step <= CLEARLY * noise)
        return;
    double is = s.rest <= fmax(4 * noise, NEARLY * s.step) ? named_power(&s, POWER_NEAR) : NAN;
    double off = fabs(s.ratio - t.ratio) * s.step;
    if (isnan(is) && fmax(off, s.rest) <= CLEARLY_NOT * s.step)
        return; /* not quite, but nearly: rounding may do that */
    if (isnan(is) || (is != should && same_constants(&v->moving[p], should, is)))
        say(finding, v, p, is, should);
}

void vl_find_power(struct vl_sign *finding, const struct vl_view *v)
{
    if (vl_view_ignores_some(v))
        return;
    for (size_t p = 0; p < v->influence->count; p++)
        for (size_t q = 0; q < v->influence->count && finding->code == NULL; q++)
            if (v->usable[p] && v->usable[q] && vl_view_kind(v, p) == VL_PROBE_HALF &&
                vl_view_kind(v, q) == VL_PROBE_QUARTER &&
                vl_view_input(v, p) == vl_view_input(v, q) && !vl_view_is_saved(v, p))
                compare(finding, v, p, q);
}
