/* Which places of an answer follow one element of an input, and which should. */
#include "grade/experiment/influence/view.h"

#include "base/text.h"
#include "grade/judge/compare.h"

#include <math.h>

#define LEAST_BOUND 1e-6
#define CLEARLY     100.0
#define A_PART      0.05 /* of the largest movement */

struct vl_places vl_view_places(const struct vl_view *v, size_t p)
{
    const struct vl_moving *moving = &v->moving[p];
    struct vl_places places = {0};
    double size = 0, large_t = 0, largest = 0, most_missing = 0, most_extra = 0;
    for (size_t i = 0; i < moving->t->count; i++) {
        if (!vl_moving_counts(moving, i))
            continue;
        size = fmax(size,
                    fmax(fabs(vl_entry_value(moving->t, i)), fabs(vl_entry_value(moving->s, i))));
        large_t = fmax(large_t, fabs(vl_moving_truth(moving, i)));
        largest = fmax(largest, fabs(vl_moving_answer(moving, i)));
    }
    const double clear = CLEARLY * fmax(v->influence->c->bound, LEAST_BOUND) * size;
    for (size_t i = 0; i < moving->t->count; i++) {
        double dt = fabs(vl_moving_truth(moving, i)), ds = fabs(vl_moving_answer(moving, i));
        if (!vl_moving_counts(moving, i))
            continue;
        bool should = dt > fmax(clear, A_PART * large_t);
        bool does = ds > fmax(clear, A_PART * largest);
        places.should += should;
        places.does += does;
        if (should && ds == 0) {
            places.missing++;
            if (dt > most_missing) {
                most_missing = dt;
                places.most_missing = i;
            }
        } else if (does && dt == 0) {
            places.extra++;
            if (ds > most_extra) {
                most_extra = ds;
                places.most_extra = i;
            }
        }
    }
    return places;
}

/* Another element of the same input that place i follows but must not; the number of probes if none is known. A
 * movement that is small compared to the one that p should have caused may be rounding, and does not count. */
static size_t followed_instead(const struct vl_view *v, size_t p, size_t i)
{
    const size_t input = v->influence->probed[p].probe.input;
    for (size_t q = 0; q < v->influence->count; q++) {
        const struct vl_moving *moving = &v->moving[q];
        if (v->usable[q] && vl_view_kind(v, q) == VL_PROBE_ONE &&
            v->influence->probed[q].probe.input == input && vl_moving_counts(moving, i) &&
            vl_moving_truth(moving, i) == 0 &&
            fabs(vl_moving_answer(moving, i)) > A_PART * fabs(vl_moving_truth(&v->moving[p], i)))
            return q;
    }
    return v->influence->count;
}

static void say(struct vl_sign *finding, const struct vl_view *v, size_t p,
                const struct vl_places *places)
{
    char texts[4][VL_SHOWN_NAME];
    const char *of = v->influence->c->id;
    const char *source = vl_source_shown(texts[0], v, p);
    const char *missing = vl_place_shown(texts[1], v, places->most_missing);
    const char *extra = vl_place_shown(texts[2], v, places->most_extra);
    const size_t other = followed_instead(v, p, places->most_missing);
    if (places->missing > 0 && places->extra > 0)
        /* TRANSLATORS: three elements of arrays, such as x[2, 3], and a case's name. */
        vl_sign_say(finding, "wrong_element",
                    _("In %4$s, a change in %1$s changes %2$s. It should change %3$s instead."),
                    source, extra, missing, of);
    else if (places->extra > 0)
        vl_sign_say(finding, "wrong_element",
                    _("In %3$s, a change in %1$s changes %2$s, which must not depend on it."),
                    source, extra, of);
    else if (other < v->influence->count)
        vl_sign_say(finding, "wrong_element",
                    _("In %4$s, %2$s should follow %1$s, but follows %3$s."), source, missing,
                    vl_source_shown(texts[3], v, other), of);
    else
        vl_sign_say(finding, "wrong_element",
                    _("In %3$s, a change in %1$s should change %2$s, but does not."), source,
                    missing, of);
}

void vl_find_places(struct vl_sign *finding, const struct vl_view *v)
{
    for (size_t p = 0; p < v->influence->count; p++) {
        if (!v->usable[p] || vl_view_kind(v, p) != VL_PROBE_ONE || vl_view_is_saved(v, p))
            continue;
        struct vl_places places = vl_view_places(v, p);
        if (v->influence->again) /* there, a number may just be too large to show it */
            places.missing = 0;
        /* Where the truth does not follow this element at all, that may be its number's doing: one that is
         * negligible in a softmax, or a copy of what another rank has too. */
        if (places.should == 0)
            places.extra = 0;
        if (places.missing == 0 && places.extra == 0)
            continue;
        say(finding, v, p, &places);
        return;
    }
}
