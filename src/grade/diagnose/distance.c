#include "grade/diagnose/distance.h"

#include "grade/judge/judgement.h"

#include <math.h>
#include <string.h>

static const struct vl_tensor_entry *find(const struct vl_bag *bag,
                                          const struct vl_tensor_entry *expected)
{
    const struct vl_tensor_entry *entry = vl_bag_find(bag, expected->name);
    return entry != NULL && entry->count == expected->count ? entry : NULL;
}

/* Statuses of the ranks: 0 for those that are not there, as in the truth. */
static int same_status(const struct vl_bag *answer, const struct vl_bag *other,
                       const struct vl_case *c)
{
    char name[VL_RANKED_NAME];
    if (!c->per_rank)
        return vl_bag_int(answer, "status") == vl_bag_int(other, "status");
    for (int rank = 0; rank < c->ranks; rank++) {
        vl_ranked(name, "status", rank);
        int told = vl_bag_find(answer, name) != NULL && vl_bag_find(other, name) != NULL;
        if (told && vl_bag_int(answer, name) != vl_bag_int(other, name))
            return 0;
    }
    return 1;
}

double vl_answer_distance(const struct vl_bag *answer, const struct vl_bag *other,
                          const struct vl_bag *expected, const struct vl_case *c)
{
    double largest = 0;
    if (answer == NULL || other == NULL || !same_status(answer, other, c))
        return INFINITY;
    for (size_t a = 0; a < vl_bag_count(expected); a++) {
        const struct vl_tensor_entry *truth = vl_bag_entry(expected, a);
        if (vl_judgement_is_status(truth))
            continue;
        const struct vl_tensor_entry *one = find(answer, truth), *two = find(other, truth);
        if (one == NULL || two == NULL)
            return INFINITY;
        largest = fmax(largest, vl_compare(one, two, truth, c->floor).error);
    }
    return largest;
}
