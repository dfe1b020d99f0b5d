/*
 * Which inputs an error follows: the difference between what is and what should be, or their ratio. In
 * y = f(x) + g(w) a mistake in f makes a difference that follows x alone, and in y = f(x) g(w) a ratio
 * that does:
 *
 *   s(changed) t(unchanged) = s(unchanged) t(changed)      if this input does not move the ratio
 *
 * What was there before the call is subtracted first.
 */
#include "grade/experiment/influence/view.h"

#include "base/text.h"
#include "grade/judge/compare.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LEAST_BOUND 1e-6
#define SAME_RATIO  0.01 /* of the error */
#define CLEARLY     100.0

/* ---- which inputs ---- */

#define MOST 3 /* more of them say nothing */

/* Inputs of which is known whether the error follows them. */
struct used {
    size_t right, wrong; /* how many it does not follow although the truth does, and follows */
    bool uncertain;      /* there are more, or one of which is not known */
    char names[(MOST + 1) * VL_SHOWN_NAME]; /* of the wrong ones: "beta, bytes" */
};

static void add(struct used *used, const struct vl_view *v, size_t p, bool right, bool wrong)
{
    const char *name = vl_view_shown(v, p);
    const size_t length = strlen(used->names);
    used->uncertain |= right == wrong;
    used->right += right && vl_truth_moves(&v->of[p]);
    if (!wrong || strcmp(name, used->names) == 0) /* a micro-batch is two arrays */
        return;
    used->uncertain |= ++used->wrong > MOST;
    if (!used->uncertain)
        snprintf(used->names + length, sizeof used->names - length, "%s%s", length > 0 ? ", " : "",
                 name);
}

static struct used differences(const struct vl_view *v)
{
    struct used used = {.uncertain = vl_view_ignores_some(v)};
    for (size_t p = 0; p < v->influence->count; p++)
        if (vl_view_is_whole(v, p))
            add(&used, v, p, vl_movement_is_right(&v->of[p]), vl_movement_is_wrong(&v->of[p]));
    return used;
}

/* ---- ratios ---- */

/* What was in the array before the call, if it was added to; else NULL. */
static const struct vl_tensor_entry *preset_of(const struct vl_view *v)
{
    const struct vl_tensor_entry *preset = vl_bag_find(v->influence->inputs, v->expected->name);
    if (preset == NULL || preset->count != v->expected->count)
        return NULL;
    for (size_t p = 0; p < v->influence->count; p++)
        if (vl_view_is_whole(v, p) && vl_view_input(v, p) == preset)
            return vl_truth_moves(&v->of[p]) ? preset : NULL;
    return NULL;
}

struct ratio {
    double moves; /* of s' t - s t' */
    double error; /* of (s - t) t' */
    double noise; /* what rounding can make of both */
};

static struct ratio ratio_of(const struct vl_view *v, size_t p,
                             const struct vl_tensor_entry *preset)
{
    const struct vl_moving *m = &v->moving[p];
    struct ratio ratio = {0};
    double size = 0, products = 0;
    for (size_t i = 0; i < m->t->count; i++) {
        if (!vl_moving_counts(m, i))
            continue;
        double before = preset != NULL ? vl_entry_value(preset, i) : 0;
        double t = vl_entry_value(m->t, i) - before, s = vl_entry_value(m->s, i) - before;
        double after_t = t + vl_moving_truth(m, i), after_s = s + vl_moving_answer(m, i);
        ratio.moves = hypot(ratio.moves, after_s * t - s * after_t);
        ratio.error = hypot(ratio.error, (s - t) * after_t);
        size = fmax(size, fmax(fabs(vl_entry_value(m->t, i)), fabs(vl_entry_value(m->s, i))));
        products = hypot(products, fabs(t) + fabs(s) + fabs(after_t) + fabs(after_s));
    }
    ratio.noise = fmax(v->influence->c->bound, LEAST_BOUND) * size * products;
    return ratio;
}

static struct used ratios(const struct vl_view *v)
{
    const struct vl_tensor_entry *preset = preset_of(v);
    struct used used = {.uncertain = vl_view_ignores_some(v)};
    for (size_t p = 0; p < v->influence->count; p++) {
        if (!vl_view_is_whole(v, p) || (preset != NULL && vl_view_input(v, p) == preset))
            continue;
        struct ratio ratio = ratio_of(v, p, preset);
        const double least = fmax(ratio.noise, SAME_RATIO * ratio.error);
        add(&used, v, p, ratio.moves <= least && ratio.error > CLEARLY * ratio.noise,
            ratio.moves > 10 * least);
    }
    return used;
}

/* ---- what they say ---- */

void vl_find_use(struct vl_sign *finding, const struct vl_view *v)
{
    const struct used difference = differences(v), ratio = ratios(v);
    if (!difference.uncertain && difference.wrong == 1 && difference.right > 0)
        vl_sign_say(finding, "wrong_use_of",
                    _("The error of %1$s changes with %2$s and with no other input: look at where "
                      "%2$s is used."),
                    v->name, difference.names);
    else if (!ratio.uncertain && ratio.wrong == 1 && ratio.right > 0)
        vl_sign_say(finding, "wrong_use_of",
                    _("The ratio of %1$s to what it should be changes with %2$s and with no other "
                      "input: look at where %2$s is used."),
                    v->name, ratio.names);
}

void vl_find_uses(struct vl_sign *finding, const struct vl_view *v)
{
    const struct used difference = differences(v), ratio = ratios(v);
    if (!difference.uncertain && difference.wrong > 1 && difference.right > 0)
        vl_sign_say(finding, "wrong_use_of",
                    /* TRANSLATORS: the second is a list of names: beta, bytes. */
                    _("The error of %1$s changes with these inputs and with no other: %2$s. Look "
                      "at where they are used together."),
                    v->name, difference.names);
    else if (!ratio.uncertain && ratio.wrong > 1 && ratio.right > 0)
        vl_sign_say(finding, "wrong_use_of",
                    _("The ratio of %1$s to what it should be changes with these inputs and with "
                      "no other: %2$s. Look at where they are used together."),
                    v->name, ratio.names);
}

void vl_find_constant(struct vl_sign *finding, const struct vl_view *v)
{
    const struct used difference = differences(v), ratio = ratios(v);
    if (!difference.uncertain && difference.wrong == 0 && difference.right > 0)
        vl_sign_say(finding, "constant_added",
                    _("The error of %s is the same whatever the inputs are: look for a constant, "
                      "or for something left over from before."),
                    v->name);
    else if (!ratio.uncertain && ratio.wrong == 0 && ratio.right > 1)
        vl_sign_say(finding, "constant_factor",
                    _("%s is wrong by factors that stay the same whatever the inputs are: look for "
                      "a factor that is missing or wrong."),
                    v->name);
}
