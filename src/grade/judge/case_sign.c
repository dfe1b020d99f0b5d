/* The general sign that a case shows in all its wrong arrays. */
#include "base/text.h"
#include "grade/judge/judge.h"
#include "grade/judge/judgement.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

double vl_sign_nearness(const struct vl_case *c)
{
    return fmax(10 * c->bound, 1e-5);
}

/* Has the inspector of this function words of its own for these outputs? */
static bool is_inspected(struct vl_judgement *t)
{
    struct vl_sign sign = {0};
    if (t->inspector->tell != NULL)
        t->status = t->inspector->tell(&sign, t->inputs, t->expected, t->outputs);
    free(sign.message);
    return sign.code != NULL;
}

/* ---- a result in the place of another ---- */

#define LEAST 3 /* elements: fewer are equal by chance */

static bool is_zero(const struct vl_tensor_entry *entry)
{
    for (size_t i = 0; i < entry->count; i++)
        if (vl_entry_counts(entry, i) && vl_entry_value(entry, i) != 0)
            return false;
    return true;
}

/* The array that these would be the right numbers of; NULL if there is none. */
static const struct vl_tensor_entry *owner_of(const struct vl_judgement *t,
                                              const struct vl_tensor_entry *got,
                                              const struct vl_tensor_entry *expected)
{
    const double near = vl_sign_nearness(t->c), floor = t->c->floor;
    for (size_t a = 0; a < vl_bag_count(t->expected); a++) {
        const struct vl_tensor_entry *other = vl_bag_entry(t->expected, a);
        if (other != expected && vl_judgement_is_compared(other) && other->count == got->count &&
            other->count >= LEAST && !is_zero(other) &&
            vl_compare(got, other, other, floor).error <= near &&
            vl_compare(other, expected, expected, floor).error > 10 * near)
            return other;
    }
    return NULL;
}

static void find_owner(const struct vl_judgement *t, struct vl_sign *sign,
                       const struct vl_tensor_entry *got, const struct vl_tensor_entry *expected)
{
    const struct vl_tensor_entry *owner = owner_of(t, got, expected);
    char bare[VL_RANKED_NAME], other[VL_RANKED_NAME], shown[VL_SHOWN_NAME], its[VL_SHOWN_NAME];
    if (owner == NULL)
        return;
    int rank = vl_split_name(bare, expected->name), from = vl_split_name(other, owner->name);
    if (strcmp(bare, other) == 0)
        vl_sign_say(sign, "of_another_rank",
                    _("Rank %1$d has the result that rank %2$d should have."), rank, from);
    else
        vl_sign_say(sign, "of_another_array",
                    _("The numbers in %1$s are the ones that %2$s should have."),
                    vl_shown_name(shown, expected->name), vl_shown_name(its, owner->name));
}

/* ---- all wrong arrays of a case ---- */

/* One more wrong array. False if it shows nothing, or something else than those before it. */
static bool add_array(struct vl_judgement *t, struct vl_sign *sign,
                      const struct vl_tensor_entry *got, const struct vl_tensor_entry *expected)
{
    struct vl_sign one = {0};
    double near = vl_sign_nearness(t->c);
    if (got->dtype == VL_F32)
        find_owner(t, &one, got, expected);
    if (got->dtype == VL_F32 && one.code == NULL)
        t->status = vl_signs_find(&one, got, expected, t->inputs, near);
    if (one.code != NULL && one.message == NULL)
        t->status = VL_ENOMEM;
    if (sign->code == NULL) {
        *sign = one;
        return one.code != NULL;
    }
    free(one.message);
    return vl_signs_agree(sign, &one, near);
}

static bool all_arrays_show(struct vl_judgement *t, struct vl_sign *sign)
{
    for (size_t a = 0; a < vl_bag_count(t->expected); a++) {
        const struct vl_tensor_entry *expected = vl_bag_entry(t->expected, a);
        const struct vl_tensor_entry *got = vl_bag_find(t->outputs, expected->name);
        if (!vl_judgement_is_compared(expected))
            continue;
        double error = vl_compare(got, expected, expected, t->c->floor).error;
        if (!(error <= t->c->bound) && (!isfinite(error) || !add_array(t, sign, got, expected)))
            return false;
    }
    return true;
}

enum vl_status vl_sign_of_case(struct vl_sign *sign, const struct vl_case *c,
                               const struct vl_bag *inputs, const struct vl_bag *outputs)
{
    struct vl_judgement t = {.c = c, .inputs = inputs, .outputs = outputs};
    *sign = (struct vl_sign){0};
    if (c->sealed)
        return VL_OK;
    vl_judgement_open(&t);
    if (t.status == VL_OK && (is_inspected(&t) || !all_arrays_show(&t, sign))) {
        free(sign->message);
        *sign = (struct vl_sign){0};
    }
    vl_bag_free(t.expected);
    return t.status;
}
