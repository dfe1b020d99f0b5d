/*
 * Cases that a function has right which does nothing, or always refuses. They prove something only
 * of a function that also works.
 */
#include "grade/judge/compare.h"
#include "grade/judge/judgement.h"

#include <stdbool.h>

static bool is_zero(const struct vl_tensor_entry *expected)
{
    for (size_t i = 0; i < expected->count; i++)
        if (vl_entry_counts(expected, i) && vl_entry_value(expected, i) != 0)
            return false;
    return true;
}

/* Is it right as it was before the call? An input of the same name has it: whole, or by ranks. */
static bool is_as_before(const struct vl_judgement *t, const struct vl_tensor_entry *expected,
                         const char *name, int rank)
{
    const struct vl_tensor_entry *input = vl_bag_find(t->inputs, name);
    const size_t n = expected->count;
    if (input == NULL || (input->count != n && input->count != n * (size_t)t->c->ranks))
        return false;
    struct vl_tensor_entry before = *input;
    if (input->count != n && rank > 0)
        before.data = (const char *)input->data + (size_t)rank * n * vl_dtype_bytes(input->dtype);
    return vl_compare(&before, expected, expected, t->c->floor).error <= t->c->bound;
}

bool vl_judgement_is_idle(const struct vl_judgement *t)
{
    bool asked = false; /* for anything but an error */
    if (t->c->idle != 0)
        return t->c->idle > 0;
    for (int rank = 0; rank < t->c->ranks; rank++)
        asked |= vl_judgement_status(t, t->c->per_rank ? rank : -1) == VL_OK;
    if (asked && t->inspector->look != NULL)
        return false;
    for (size_t a = 0; asked && a < vl_bag_count(t->expected); a++) {
        const struct vl_tensor_entry *expected = vl_bag_entry(t->expected, a);
        char name[VL_RANKED_NAME];
        int rank = vl_split_name(name, expected->name);
        if (vl_judgement_is_compared(expected) && vl_judgement_status(t, rank) == VL_OK &&
            !is_zero(expected) && !is_as_before(t, expected, name, rank))
            return false;
    }
    return true;
}
