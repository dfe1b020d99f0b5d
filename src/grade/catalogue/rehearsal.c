#include "grade/catalogue/rehearsal.h"

#include "grade/catalogue/maker.h"

#include <string.h>

static bool are_alike(const struct vl_case *one, const struct vl_case *other)
{
    return (one->ranks > 1) == (other->ranks > 1) && strcmp(one->function, other->function) == 0;
}

bool vl_case_is_rehearsed(const struct vl_case *c)
{
    const struct vl_lab_cases *all = vl_lab_cases(vl_case_lab(c));
    size_t first = 0;
    if (all == NULL || c->sealed || vl_case_is_composed(c))
        return false;
    while (first < all->case_count && !are_alike(&all->cases[first], c))
        first++;
    return first < all->case_count && &all->cases[first] == c;
}

struct vl_bag *vl_rehearsal_inputs(const struct vl_case *c, const struct vl_origin *origin)
{
    struct vl_case rehearsed = *c;
    rehearsed.rehearses = 1;
    return vl_case_inputs(&rehearsed, origin);
}
