#include "grade/experiment/influence/influence.h"

#include "base/text.h"
#include "grade/experiment/influence/view.h"
#include "grade/judge/judgement.h"

#include <stdlib.h>
#include <string.h>

static void find_unrepeatable(struct vl_sign *finding, const struct vl_view *v)
{
    for (size_t p = 0; p < v->influence->count; p++)
        if (v->usable[p] && vl_view_kind(v, p) == VL_PROBE_SAME && vl_answer_moves(&v->of[p])) {
            vl_sign_say(
                finding, "not_repeatable",
                v->influence->c->ranks > 1
                    ? _("With the same inputs, %s comes out different each time: look for what is "
                        "read before it is written, kept from one call to the next, or changed "
                        "while it is still being sent or received.")
                    : _("With the same inputs, %s comes out different each time: look for what is "
                        "read before it is written, or kept from one call to the next."),
                v->name);
            return;
        }
}

/* One input only; what follows none at all has another cause than leaving one out. */
static void find_ignored(struct vl_sign *finding, const struct vl_view *v)
{
    bool moves = false;
    size_t first = v->influence->count;
    if (v->influence->again)
        return; /* there, its numbers may just be too small or too large to show it */
    for (size_t p = 0; p < v->influence->count; p++) {
        moves |= vl_view_is_whole(v, p) && vl_answer_moves(&v->of[p]);
        if (vl_view_is_ignored(v, p) && !vl_view_is_saved(v, p) && first == v->influence->count)
            first = p;
    }
    if (moves && first < v->influence->count)
        vl_sign_say(
            finding, "independent_of_input",
            /* TRANSLATORS: two names of arrays or numbers, and a case's. */
            _("In %3$s, a change in %2$s should change %1$s, but does not change any of it: look at where "
              "%2$s is used."),
            v->name, vl_view_shown(v, first), v->influence->c->id);
}

static void find_foreign(struct vl_sign *finding, const struct vl_view *v)
{
    for (size_t p = 0; p < v->influence->count; p++)
        if (vl_view_is_whole(v, p) && vl_truth_rests(&v->of[p]) && vl_answer_moves(&v->of[p])) {
            vl_sign_say(
                finding, "depends_on_wrong_input",
                /* TRANSLATORS: the third is a case's name. */
                _("In %3$s, a change in %2$s changes %1$s, which must not depend on it there."),
                v->name, vl_view_shown(v, p), v->influence->c->id);
            return;
        }
}

/* Every probe of one array. False if the array is right, or cannot be looked at. */
static bool open_view(struct vl_view *v, const struct vl_influence *influence,
                      const struct vl_tensor_entry *expected)
{
    bool wrong = false;
    *v = (struct vl_view){.influence = influence, .expected = expected};
    if (!vl_judgement_is_compared(expected) || expected->dtype == VL_I64)
        return false;
    if (influence->c->ranks > 1)
        vl_shown_name(v->name, expected->name);
    else
        vl_split_name(v->name, expected->name);
    for (size_t p = 0; p < influence->count; p++) {
        v->usable[p] = vl_moving_find(&v->moving[p], influence, &influence->probed[p], expected);
        if (v->usable[p])
            v->of[p] = vl_movement_of(&v->moving[p], influence->c);
        wrong |= v->usable[p] && v->of[p].error > v->of[p].noise;
    }
    return wrong;
}

/* Are whole numbers wrong, such as which experts were chosen? Then the others follow from that. */
static bool chose_otherwise(const struct vl_influence *influence)
{
    for (size_t a = 0; a < vl_bag_count(influence->truth); a++) {
        const struct vl_tensor_entry *right = vl_bag_entry(influence->truth, a);
        const struct vl_tensor_entry *is = vl_bag_find(influence->answer, right->name);
        if (right->dtype != VL_I64 || !vl_judgement_is_compared(right) || is == NULL ||
            is->count != right->count)
            continue;
        for (size_t i = 0; right->count > 1 && i < right->count; i++)
            if (vl_entry_counts(right, i) && vl_entry_value(is, i) != vl_entry_value(right, i))
                return true;
    }
    return false;
}

enum vl_status vl_influence_find(struct vl_sign *finding, const struct vl_influence *influence,
                                 enum vl_influence_depth depth)
{
    /* What is more certain, and says more, comes first. */
    typedef void finder(struct vl_sign *, const struct vl_view *);
    static finder *const changes[] = {find_unrepeatable, find_ignored, find_foreign, vl_find_part,
                                      NULL};
    static finder *const all[] = {
        find_unrepeatable, find_ignored,   find_foreign,     vl_find_arrivals, vl_find_places,
        vl_find_power,     vl_find_uneven, vl_find_weight,   vl_find_index,    vl_find_part,
        vl_find_first,     vl_find_use,    vl_find_constant, vl_find_uses,     NULL};
    finder *const *finders =
        depth == VL_INFLUENCE_ALL && !chose_otherwise(influence) ? all : changes;
    const size_t arrays = vl_bag_count(influence->truth);
    struct vl_view *views = calloc(arrays + 1, sizeof *views);
    size_t count = 0;
    *finding = (struct vl_sign){0};
    if (views == NULL)
        return VL_ENOMEM;
    for (size_t a = 0; a < arrays; a++)
        count += open_view(&views[count], influence, vl_bag_entry(influence->truth, a));
    for (size_t f = 0; finders[f] != NULL && finding->code == NULL; f++)
        for (size_t a = 0; a < count && finding->code == NULL; a++)
            finders[f](finding, &views[a]);
    free(views);
    return finding->code != NULL && finding->message == NULL ? VL_ENOMEM : VL_OK;
}
