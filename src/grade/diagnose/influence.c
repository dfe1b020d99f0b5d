#include "grade/diagnose/influence.h"

#include "base/number.h"
#include "base/text.h"
#include "grade/diagnose/movement.h"
#include "grade/judge/judgement.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FACTOR_LIKE 1e-3 /* ds is k dt if it is so near to it */

/* One array of the answer, and how it moves. */
struct view {
    const struct vl_influence *influence;
    const struct vl_tensor_entry *expected;
    char name[VL_SHOWN_NAME];
    struct vl_movement of[VL_PROBES_MOST];
    bool usable[VL_PROBES_MOST];
};

static enum vl_probe_kind kind_of(const struct view *v, size_t p)
{
    return v->influence->probed[p].probe.kind;
}

static const char *input_of(const struct view *v, size_t p)
{
    return vl_bag_entry(v->influence->inputs, v->influence->probed[p].probe.input)->name;
}

/* The argument that an input is given as. */
static const char *shown(const char *input)
{
    static const char *const prefixes[] = {"saved_", "own_"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(input, prefixes[i], strlen(prefixes[i])) == 0)
            return input + strlen(prefixes[i]);
    return input;
}

/* What one part of the work leaves for another can be worked out again as well. */
static bool is_saved(const char *input)
{
    return strncmp(input, "saved_", strlen("saved_")) == 0;
}

/* A probe of a whole input that says something about this array. */
static bool is_whole(const struct view *v, size_t p)
{
    return v->usable[p] && kind_of(v, p) != VL_PROBE_SAME && kind_of(v, p) != VL_PROBE_ONE;
}

static bool is_ignored(const struct view *v, size_t p)
{
    return is_whole(v, p) && vl_truth_moves(&v->of[p]) && vl_answer_rests(&v->of[p]);
}

/* ---- what is found; each says nothing if it is not certain ---- */

static void find_unrepeatable(struct vl_sign *finding, const struct view *v)
{
    for (size_t p = 0; p < v->influence->count; p++)
        if (v->usable[p] && kind_of(v, p) == VL_PROBE_SAME && vl_answer_moves(&v->of[p])) {
            vl_sign_say(finding, "not_repeatable",
                        _("With the same inputs, %s is different each time: look for what is read "
                          "before it is written, or kept from one call to the next."),
                        v->name);
            return;
        }
}

static void find_ignored(struct vl_sign *finding, const struct view *v)
{
    bool moves = false;
    size_t first = v->influence->count;
    for (size_t p = 0; p < v->influence->count; p++) {
        moves |= is_whole(v, p) && vl_answer_moves(&v->of[p]);
        if (is_ignored(v, p) && !is_saved(input_of(v, p)) && first == v->influence->count)
            first = p;
    }
    if (moves && first < v->influence->count)
        vl_sign_say(finding, "independent_of_input",
                    /* TRANSLATORS: two names of arrays or numbers. */
                    _("%1$s does not depend on %2$s: it stays the same when %2$s changes."),
                    v->name, shown(input_of(v, first)));
}

enum vl_status vl_influence_find(struct vl_sign *finding, const struct vl_influence *influence)
{
    static void (*const finders[])(struct vl_sign *, const struct view *) = {find_unrepeatable,
                                                                             find_ignored};
    *finding = (struct vl_sign){0};
    for (size_t f = 0; f < sizeof finders / sizeof *finders; f++)
        for (size_t a = 0; a < vl_bag_count(influence->truth); a++) {
            struct view v = {.influence = influence, .expected = vl_bag_entry(influence->truth, a)};
            if (!vl_judgement_is_compared(v.expected) || v.expected->dtype == VL_I64)
                continue;
            vl_shown_name(v.name, v.expected->name);
            bool wrong = false;
            for (size_t p = 0; p < influence->count; p++) {
                struct vl_moving moving;
                v.usable[p] = vl_moving_find(&moving, influence, &influence->probed[p], v.expected);
                if (v.usable[p])
                    v.of[p] = vl_movement_of(&moving, influence->c);
                wrong |= v.usable[p] && v.of[p].error > v.of[p].noise;
            }
            if (wrong)
                finders[f](finding, &v);
            if (finding->code != NULL)
                return finding->message != NULL ? VL_OK : VL_ENOMEM;
        }
    return VL_OK;
}
