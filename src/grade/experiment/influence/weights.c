/* With what weight the inputs of an answer count. */
#include "grade/experiment/influence/view.h"

#include "base/number.h"
#include "base/text.h"
#include "grade/judge/compare.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FACTOR_LIKE 1e-3 /* ds is k dt if it is so near to it */
#define NOT_ONE     0.01
#define NOT_SCALED  0.05
#define LISTED      4 /* names of inputs at most */
#define MOST_TIMES  17
#define FEW         3 /* two numbers are always nearly in proportion */

static bool matters(const struct vl_view *v, size_t p)
{
    return vl_view_is_whole(v, p) && vl_truth_moves(&v->of[p]);
}

/* ds = k dt for some k? */
static bool is_in_proportion(const struct vl_movement *m)
{
    return m->rest <= fmax(2 * m->noise, FACTOR_LIKE * fabs(m->factor) * m->truth);
}

static bool has_weight_one(const struct vl_movement *m)
{
    return is_in_proportion(m) && fabs(m->factor - 1) <= FACTOR_LIKE + 2 * m->noise / m->truth;
}

static bool has_other_weight(const struct vl_movement *m)
{
    return is_in_proportion(m) && fabs(m->factor - 1) > NOT_ONE && fabs(m->factor) > NOT_ONE;
}

/* As many times as there are ranks, or divided by that? */
static bool is_of_ranks(const struct vl_view *v, double factor)
{
    const int ranks = v->influence->c->ranks;
    const double times = fabs(factor) < 1 ? 1 / fabs(factor) : fabs(factor);
    return ranks > 1 && fabs(times - ranks) <= FACTOR_LIKE * times;
}

static void say_weight(struct vl_sign *finding, const struct vl_view *v, const char *source,
                       double factor)
{
    char number[VL_NUMBER_TEXT], name[96];
    vl_number_short(number, factor, 4);
    if (fabs(factor + 1) <= NOT_ONE)
        vl_sign_say(finding, "wrong_weight",
                    /* TRANSLATORS: what an array depends on, and that array. */
                    _("The influence of %1$s on %2$s has the wrong sign."), source, v->name);
    else if (is_of_ranks(v, factor))
        vl_sign_say(
            finding, "wrong_weight",
            _("The influence of %1$s on %2$s is %3$s times what it should be, in a case with %4$d ranks."),
            source, v->name, number, v->influence->c->ranks);
    else if (!vl_sign_is_easy_factor(factor, FACTOR_LIKE) &&
             vl_sign_name_factor(name, sizeof name, factor, v->influence->inputs, FACTOR_LIKE))
        vl_sign_say(finding, "wrong_weight",
                    _("The influence of %1$s on %2$s is %3$s times what it should be; that is "
                      "%4$s."),
                    source, v->name, number, name);
    else
        vl_sign_say(finding, "wrong_weight",
                    _("The influence of %1$s on %2$s is %3$s times what it should be."), source,
                    v->name, number);
}

/* Twice, half, a third ... with either sign. Where only one number moves, any factor fits. */
static bool is_plain(double factor)
{
    double size = fabs(factor) < 1 ? 1 / fabs(factor) : fabs(factor);
    return fabs(size - round(size)) <= FACTOR_LIKE * size && size < MOST_TIMES;
}

/* One element of an input has a wrong weight, another one of the same input its right one. */
void vl_find_uneven(struct vl_sign *finding, const struct vl_view *v)
{
    char source[VL_SHOWN_NAME];
    for (size_t p = 0; p < v->influence->count; p++) {
        bool even = false;
        if (!v->usable[p] || vl_view_kind(v, p) != VL_PROBE_ONE || !vl_truth_moves(&v->of[p]) ||
            !has_other_weight(&v->of[p]) || !is_plain(v->of[p].factor) || vl_view_is_saved(v, p))
            continue;
        for (size_t q = 0; q < v->influence->count; q++)
            even |= v->usable[q] && vl_view_kind(v, q) == VL_PROBE_ONE &&
                    vl_view_input(v, q) == vl_view_input(v, p) && vl_truth_moves(&v->of[q]) &&
                    has_weight_one(&v->of[q]);
        if (even) {
            say_weight(finding, v, vl_source_shown(source, v, p), v->of[p].factor);
            return;
        }
    }
}

/* s = k t everywhere? Then the factor is not that of an input. */
static bool is_scaled(const struct vl_view *v, size_t p)
{
    const struct vl_moving *m = &v->moving[p];
    double rest = 0, size = 0;
    for (size_t i = 0; i < m->t->count; i++)
        if (vl_moving_counts(m, i)) {
            double s = vl_entry_value(m->s, i), t = vl_entry_value(m->t, i);
            rest = hypot(rest, s - v->of[p].factor * t);
            size = hypot(size, s);
        }
    return rest <= NOT_SCALED * size;
}

static bool is_wrong(const struct vl_view *v, size_t p)
{
    return matters(v, p) && has_other_weight(&v->of[p]) && v->of[p].moved >= FEW &&
           !vl_view_is_saved(v, p) && vl_view_kind(v, p) != VL_PROBE_EXCHANGE && !is_scaled(v, p);
}

/* Inputs have the same wrong weight, which is not that of all. */
void vl_find_weight(struct vl_sign *finding, const struct vl_view *v)
{
    char names[LISTED * VL_SHOWN_NAME] = "";
    size_t first = v->influence->count, listed = 0;
    for (size_t p = 0; p < v->influence->count && listed < LISTED; p++) {
        const char *name = vl_view_shown(v, p);
        if (!is_wrong(v, p) || strstr(names, name) != NULL) /* a micro-batch is two arrays */
            continue;
        if (first == v->influence->count)
            first = p;
        double apart = fabs(v->of[p].factor - v->of[first].factor);
        if (apart > NOT_ONE * fabs(v->of[first].factor))
            continue;
        size_t length = strlen(names);
        snprintf(names + length, sizeof names - length, "%s%s", listed++ > 0 ? ", " : "", name);
    }
    if (listed > 0 && !vl_view_ignores_some(v))
        say_weight(finding, v, names, v->of[first].factor);
}
