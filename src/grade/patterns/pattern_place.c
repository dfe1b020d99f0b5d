/* Patterns by the place in the results: one rank, or one of several arrays. */
#include "grade/patterns/pattern_parts.h"

#include "base/text.h"

#include <string.h>

static uint32_t wrong_ranks(const struct vl_facts *facts)
{
    uint32_t ranks = 0;
    for (size_t a = 0; a < facts->array_count; a++)
        ranks |= facts->arrays[a].wrong;
    return ranks;
}

static uint32_t all_ranks(const struct vl_facts *facts)
{
    uint32_t ranks = 0;
    for (size_t a = 0; a < facts->array_count; a++)
        ranks |= facts->arrays[a].wrong | facts->arrays[a].right;
    return ranks;
}

/* The set of ranks {0}, or that of the last one. */
static uint32_t end_of(uint32_t all, bool last)
{
    uint32_t rest = all;
    while (last && (rest & (rest - 1)) != 0)
        rest &= rest - 1;
    return last ? rest : all & 1;
}

/* Is just this end wrong or, with 'only_right', right, in all failed cases, and in one of them of three
 * ranks or more? */
static bool is_at_end(const struct vl_pattern_cases *cases, bool last, bool only_right)
{
    bool wide = false;
    for (size_t i = 0; i < cases->count; i++) {
        const struct vl_facts *facts = &cases->list[i];
        if (facts->passed)
            continue;
        uint32_t all = all_ranks(facts), end = end_of(all, last);
        if ((all & (all - 1)) == 0 || wrong_ranks(facts) != (only_right ? all & ~end : end))
            return false;
        uint32_t others = all & ~end;
        wide |= (others & (others - 1)) != 0;
    }
    return wide;
}

/* The only wrong array of a case with others that are right; NULL if there is none. */
static const char *only_wrong(const struct vl_facts *facts)
{
    const char *name = NULL;
    bool right = false;
    for (size_t a = 0; a < facts->array_count; a++) {
        const struct vl_fact_array *array = &facts->arrays[a];
        if (array->wrong != 0 && name != NULL)
            return NULL;
        if (array->wrong != 0)
            name = array->name;
        right |= array->wrong == 0;
    }
    return right && !facts->has_more ? name : NULL;
}

/* The same one in all cases that failed; NULL if there is none. */
static const char *always_wrong(const struct vl_pattern_cases *cases)
{
    const char *name = NULL;
    for (size_t i = 0; i < cases->count; i++) {
        const struct vl_facts *facts = &cases->list[i];
        const char *here = facts->passed ? NULL : only_wrong(facts);
        if (facts->passed)
            continue;
        if (here == NULL || (name != NULL && strcmp(here, name) != 0))
            return NULL;
        name = here;
    }
    return name;
}

/* ---- one of many elements ---- */

/* The array of a case in which one element alone is wrong, all others being right; NULL if there is none. */
static const struct vl_fact_array *one_wrong(const struct vl_facts *facts)
{
    const struct vl_fact_array *found = NULL;
    for (size_t a = 0; a < facts->array_count; a++) {
        const struct vl_fact_array *array = &facts->arrays[a];
        if (array->wrong == 0)
            continue;
        if (found != NULL || array->parts > 1 || array->elements < 2 || array->wrong_elements != 1)
            return NULL;
        found = array;
    }
    return facts->has_more ? NULL : found;
}

/* The same element in all cases that failed; NULL if there is none. */
static const struct vl_fact_array *always_one_wrong(const struct vl_pattern_cases *cases)
{
    const struct vl_fact_array *found = NULL;
    for (size_t i = 0; i < cases->count; i++) {
        const struct vl_facts *facts = &cases->list[i];
        const struct vl_fact_array *here = facts->passed ? NULL : one_wrong(facts);
        if (facts->passed)
            continue;
        if (here == NULL || (found != NULL && (strcmp(here->name, found->name) != 0 ||
                                               here->first_wrong != found->first_wrong ||
                                               here->columns != found->columns)))
            return NULL;
        found = here;
    }
    return found;
}

/* ---- some of many arrays ---- */

#define LEAST_RIGHT 2

/* Is an array of this name wrong in some failed case? */
static bool is_ever_wrong(const struct vl_pattern_cases *cases, const char *name)
{
    for (size_t i = 0; i < cases->count; i++)
        for (size_t a = 0; !cases->list[i].passed && a < cases->list[i].array_count; a++) {
            const struct vl_fact_array *array = &cases->list[i].arrays[a];
            if (array->wrong != 0 && strcmp(array->name, name) == 0)
                return true;
        }
    return false;
}

/* The arrays of a case that are wrong in some case, in their order; how many others there are. */
struct halves {
    const char *wrong[VL_FACT_ARRAYS];
    size_t wrong_count, right_count;
};

static struct halves halves_of(const struct vl_pattern_cases *cases, const struct vl_facts *facts)
{
    struct halves halves = {.wrong_count = 0};
    for (size_t a = 0; a < facts->array_count; a++)
        if (is_ever_wrong(cases, facts->arrays[a].name))
            halves.wrong[halves.wrong_count++] = facts->arrays[a].name;
        else
            halves.right_count++;
    return halves;
}

/* Do all failed cases have the same halves? Then *halves has them. */
static bool find_halves(struct halves *halves, const struct vl_pattern_cases *cases)
{
    bool found = false;
    for (size_t i = 0; i < cases->count; i++) {
        const struct vl_facts *facts = &cases->list[i];
        if (facts->passed)
            continue;
        struct halves here = halves_of(cases, facts);
        if (facts->has_more || here.wrong_count < 2 || here.right_count < LEAST_RIGHT ||
            (found && (here.wrong_count != halves->wrong_count ||
                       strcmp(here.wrong[0], halves->wrong[0]) != 0)))
            return false;
        *halves = here;
        found = true;
    }
    return found;
}

static void say_halves(struct vl_pattern *pattern, const struct halves *halves)
{
    if (halves->wrong_count == 2)
        vl_pattern_say(pattern, "only_some_arrays",
                       _("In every case that fails, everything is right except %1$s and %2$s."),
                       halves->wrong[0], halves->wrong[1]);
    else
        vl_pattern_say(pattern, "only_some_arrays",
                       _("In every case that fails, the first result that is wrong is %s. "
                         "Later ones may follow from that."),
                       halves->wrong[0]);
}

/* ---- the whole ---- */

void vl_pattern_of_place(struct vl_pattern *pattern, const struct vl_pattern_cases *cases)
{
    if (cases->failed < 2)
        return;
    const char *name = always_wrong(cases);
    const struct vl_fact_array *one = always_one_wrong(cases);
    struct halves halves;
    if (is_at_end(cases, false, false))
        vl_pattern_say(pattern, "only_first_rank_wrong", "%s",
                       _("Wherever it fails, only rank 0 has a wrong result."));
    else if (is_at_end(cases, true, false))
        vl_pattern_say(pattern, "only_last_rank_wrong", "%s",
                       _("Wherever it fails, only the last rank has a wrong result."));
    else if (is_at_end(cases, false, true))
        vl_pattern_say(pattern, "only_first_rank_right", "%s",
                       _("Wherever it fails, only rank 0 has the right result: look at "
                         "what should be different on the others, or reach them."));
    else if (is_at_end(cases, true, true))
        vl_pattern_say(pattern, "only_last_rank_right", "%s",
                       _("Wherever it fails, only the last rank has the right result: look at "
                         "what should be different on the others, or reach them."));
    else if (one != NULL)
        vl_pattern_say(pattern, "only_one_element",
                       _("In every case that fails, %1$s[%2$zu, %3$zu] alone is wrong."), one->name,
                       one->first_wrong / one->columns, one->first_wrong % one->columns);
    else if (name != NULL)
        vl_pattern_say(pattern, "only_one_array",
                       _("In every case that fails, everything is right except %s."), name);
    else if (find_halves(&halves, cases))
        say_halves(pattern, &halves);
}
