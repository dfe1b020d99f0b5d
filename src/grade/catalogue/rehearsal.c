#include "grade/catalogue/rehearsal.h"

#include "grade/catalogue/maker.h"

#include <string.h>

/* Composed cases, such as "ten_steps", have names of their own. They call everything many times. */
static bool is_one_function(const struct vl_case *c)
{
    return strncmp(c->function, "vl_", 3) == 0;
}

static bool are_alike(const struct vl_case *one, const struct vl_case *other)
{
    return (one->ranks > 1) == (other->ranks > 1) && strcmp(one->function, other->function) == 0;
}

bool vl_case_is_rehearsed(const struct vl_case *c)
{
    const struct vl_lab_cases *all = vl_lab_cases(vl_case_lab(c));
    size_t first = 0;
    if (all == NULL || c->sealed || !is_one_function(c))
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
