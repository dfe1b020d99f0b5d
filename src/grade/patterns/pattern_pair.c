/* Patterns by two sizes among the inputs: wrong, or right, only where they are equal. */
#include "grade/patterns/pattern_parts.h"

#include "base/text.h"

#define LEAST 5 /* cases; fewer are so by chance */

/* Are the two sizes equal in every case that passed ('right'), or in every case that failed, and only there? That
 * both are 0 or 1 does not count: many numbers are. Nor does it count if they are equal at one size only, which may be
 * the reason. */
static bool is_where_equal(const struct vl_pattern_cases *cases, const char *a, const char *b,
                           bool right)
{
    int64_t least = INT64_MAX, most = 1;
    for (size_t i = 0; i < cases->count; i++) {
        int64_t of_a, of_b;
        if (!vl_facts_number(&cases->list[i], a, &of_a) ||
            !vl_facts_number(&cases->list[i], b, &of_b) ||
            (of_a == of_b) != (cases->list[i].passed == right))
            return false;
        if (of_a == of_b && of_a > 1) {
            least = of_a < least ? of_a : least;
            most = of_a > most ? of_a : most;
        }
    }
    return least < most;
}

static void say_of_pair(struct vl_pattern *pattern, const struct vl_pattern_cases *cases,
                        const char *a, const char *b)
{
    if (is_where_equal(cases, a, b, false))
        vl_pattern_say(pattern, "wrong_where_equal",
                       _("Wrong where `%1$s` and `%2$s` are equal, right elsewhere."), a, b);
    else if (is_where_equal(cases, a, b, true))
        vl_pattern_say(pattern, "right_where_equal",
                       _("Right where `%1$s` and `%2$s` are equal, wrong elsewhere."), a, b);
}

/* If several pairs fit, nothing tells which is the cause. */
void vl_pattern_of_pair(struct vl_pattern *pattern, const struct vl_pattern_cases *cases)
{
    const struct vl_facts *any = &cases->list[0];
    size_t fitting = 0;
    for (size_t a = 0; cases->count >= LEAST && a < any->number_count; a++)
        for (size_t b = a + 1; b < any->number_count; b++) {
            struct vl_pattern found = {0};
            if (!vl_pattern_is_kind(any->numbers[a].name) &&
                !vl_pattern_is_kind(any->numbers[b].name))
                say_of_pair(&found, cases, any->numbers[a].name, any->numbers[b].name);
            if (found.code == NULL)
                continue;
            fitting++;
            vl_pattern_forget(pattern);
            *pattern = found;
        }
    if (fitting > 1)
        vl_pattern_forget(pattern);
}
