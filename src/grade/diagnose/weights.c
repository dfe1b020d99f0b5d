/* With what weight the inputs of an answer count, and which of them its error follows. */
#include "grade/diagnose/view.h"

#include "base/number.h"
#include "base/text.h"

#include <math.h>

#define FACTOR_LIKE 1e-3 /* ds is k dt if it is so near to it */
#define NOT_ONE     0.01
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

/* With a saved input that is not followed, the others may be followed in a way of its own. */
static bool ignores_some(const struct vl_view *v)
{
    for (size_t p = 0; p < v->influence->count; p++)
        if (vl_view_is_ignored(v, p))
            return true;
    return false;
}

static void say_weight(struct vl_sign *finding, const struct vl_view *v, const char *source,
                       double factor)
{
    char number[VL_NUMBER_TEXT], name[96];
    vl_number_short(number, factor, 4);
    if (fabs(factor + 1) <= NOT_ONE)
        vl_sign_say(finding, "wrong_weight",
                    /* TRANSLATORS: what an array depends on, and that array. */
                    _("%1$s counts with the wrong sign in %2$s; the rest has its right weight."),
                    source, v->name);
    else if (vl_sign_name_factor(name, sizeof name, factor, v->influence->inputs, FACTOR_LIKE))
        vl_sign_say(finding, "wrong_weight",
                    _("%1$s counts %2$s times as much in %3$s as it should; that is %4$s. The rest "
                      "has its right weight."),
                    source, number, v->name, name);
    else
        vl_sign_say(finding, "wrong_weight",
                    _("%1$s counts %2$s times as much in %3$s as it should. The rest has its right "
                      "weight."),
                    source, number, v->name);
}

/* One element of an input has a wrong weight, another one of the same input its right one. */
void vl_find_uneven(struct vl_sign *finding, const struct vl_view *v)
{
    char source[VL_SHOWN_NAME];
    for (size_t p = 0; p < v->influence->count; p++) {
        bool even = false;
        if (!v->usable[p] || vl_view_kind(v, p) != VL_PROBE_ONE || !vl_truth_moves(&v->of[p]) ||
            !has_other_weight(&v->of[p]) || vl_view_is_saved(v, p))
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

/* One input has a wrong weight, all others their right ones. */
void vl_find_weight(struct vl_sign *finding, const struct vl_view *v)
{
    size_t right = 0, wrong = 0, which = 0, all = 0;
    for (size_t p = 0; p < v->influence->count; p++) {
        if (!matters(v, p))
            continue;
        all++;
        right += has_weight_one(&v->of[p]);
        if (has_other_weight(&v->of[p]) && v->of[p].moved >= FEW) {
            wrong++;
            which = p;
        }
    }
    if (wrong == 1 && right > 0 && right + wrong == all && !ignores_some(v))
        say_weight(finding, v, vl_view_shown(v, which), v->of[which].factor);
}

/* The error follows one input, and no other. */
void vl_find_use(struct vl_sign *finding, const struct vl_view *v)
{
    size_t right = 0, all = 0, which = 0;
    for (size_t p = 0; p < v->influence->count; p++) {
        if (!matters(v, p))
            continue;
        all++;
        if (vl_movement_is_right(&v->of[p]))
            right++;
        else
            which = p;
    }
    if (all >= 2 && right == all - 1 && vl_movement_is_wrong(&v->of[which]) && !ignores_some(v))
        vl_sign_say(finding, "wrong_use_of",
                    _("%1$s is wrong by an amount that changes with %2$s and with no other input: "
                      "look at where %2$s is used."),
                    v->name, vl_view_shown(v, which));
}

/* The error follows no input. */
void vl_find_constant(struct vl_sign *finding, const struct vl_view *v)
{
    size_t all = 0;
    for (size_t p = 0; p < v->influence->count; p++) {
        if (!matters(v, p))
            continue;
        all++;
        if (!vl_movement_is_right(&v->of[p]))
            return;
    }
    if (all > 0)
        vl_sign_say(
            finding, "constant_added",
            _("%s follows every input as it should, but is wrong by an amount that does not "
              "depend on them: look for a constant, or for something left over from before."),
            v->name);
}
