/* Patterns of the numbers themselves: one factor everywhere, or more than 32 bits can hold. */
#include "grade/patterns/pattern_parts.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

#define SAME 1e-4 /* relative: so close counts as the same factor */

static bool is_near(double one, double other)
{
    return fabs(one - other) <= SAME * fabs(other);
}

/* ---- factors ---- */

/* The value of a size of a case; the ranks have no name among the others. */
static bool size_of(const struct vl_facts *facts, const char *name, double *value)
{
    *value = facts->ranks;
    return name == NULL || vl_facts_size(facts, name, value);
}

/* Does this size to this power (1 or -1) explain the factors of all cases, and are there two of them? Where
 * a case passed, it must be 1. */
static bool explains(const struct vl_pattern_cases *cases, const char *name, double power)
{
    double seen = 0, value;
    bool differs = false;
    for (size_t i = 0; i < cases->count; i++) {
        const struct vl_facts *facts = &cases->list[i];
        if (!size_of(facts, name, &value) || value == 0 ||
            !is_near(facts->passed ? 1 : facts->factor, pow(value, power)))
            return false;
        differs |= !facts->passed && seen != 0 && value != seen;
        seen = facts->passed ? seen : value;
    }
    return differs;
}

/* Is the factor of all cases this one? */
static bool is_always(const struct vl_pattern_cases *cases, double factor)
{
    for (size_t i = 0; i < cases->count; i++)
        if (cases->list[i].passed || !is_near(cases->list[i].factor, factor))
            return false;
    return true;
}

static bool say_ranks(struct vl_pattern *pattern, const struct vl_pattern_cases *cases)
{
    if (explains(cases, NULL, 1))
        vl_pattern_say(pattern, "times_ranks", "%s",
                       _("In every case, the numbers are what they should be times the number "
                         "of ranks."));
    else if (explains(cases, NULL, -1))
        vl_pattern_say(pattern, "divided_by_ranks", "%s",
                       _("In every case, the numbers are what they should be divided by the "
                         "number of ranks."));
    return pattern->code != NULL;
}

static bool say_size(struct vl_pattern *pattern, const struct vl_pattern_cases *cases)
{
    const struct vl_facts *any = &cases->list[0];
    for (size_t n = 0; n < any->number_count + any->size_count && pattern->code == NULL; n++) {
        const char *name =
            n < any->number_count ? any->numbers[n].name : any->sizes[n - any->number_count].name;
        if (explains(cases, name, 1))
            vl_pattern_say(pattern, "times_size",
                           _("In every case, the numbers are `%s` times what they should be."),
                           name);
        else if (explains(cases, name, -1))
            vl_pattern_say(pattern, "divided_by_size",
                           _("In every case, the numbers are what they should be divided by `%s`."),
                           name);
    }
    return pattern->code != NULL;
}

static void say_constant(struct vl_pattern *pattern, const struct vl_pattern_cases *cases)
{
    static const struct {
        double factor;
        const char *code, *sentence;
    } constants[] = {
        {2, "twice", N_("In every case, the numbers are twice what they should be.")},
        {0.5, "half", N_("In every case, the numbers are half of what they should be.")},
        {8, "bits",
         N_("In every case, the numbers are 8 times what they should be, as if bits were counted "
            "and not bytes.")},
        {0.125, "bytes_for_bits",
         N_("In every case, the numbers are an eighth of what they should be, as if bytes were "
            "counted and not bits.")},
        {4, "four_times", N_("In every case, the numbers are 4 times what they should be.")},
        {0.25, "a_quarter", N_("In every case, the numbers are a quarter of what they should be.")},
        {1.073741824, "gib_for_gb",
         N_("In every case, the numbers are 1024^3 / 10^9 times what they should be: a GiB is more "
            "than a GB.")},
        {1 / 1.073741824, "gb_for_gib",
         N_("In every case, the numbers are 10^9 / 1024^3 times what they should be: a GB is less "
            "than a GiB.")}};
    for (size_t i = 0; i < sizeof constants / sizeof *constants && pattern->code == NULL; i++)
        if (is_always(cases, constants[i].factor))
            vl_pattern_say(pattern, constants[i].code, "%s", _(constants[i].sentence));
}

void vl_pattern_of_factor(struct vl_pattern *pattern, const struct vl_pattern_cases *cases)
{
    if (cases->failed >= 2 && !say_ranks(pattern, cases) && !say_size(pattern, cases))
        say_constant(pattern, cases);
}

/* ---- 32 bits ---- */

void vl_pattern_of_size(struct vl_pattern *pattern, const struct vl_pattern_cases *cases)
{
    double right = 0, wrong = INFINITY;
    for (size_t i = 0; i < cases->count; i++) {
        const struct vl_facts *facts = &cases->list[i];
        if (facts->array_count == 0)
            return;
        right = fmax(right, facts->largest_right);
        wrong = fmin(wrong, facts->smallest_wrong);
    }
    double limit = right < ldexp(1, 31) ? ldexp(1, 31) : ldexp(1, 32);
    const bool fits_64_bits = wrong < ldexp(1, 63); /* else a larger type would not help */
    if (right > 0 && fits_64_bits && right < limit && wrong >= limit)
        vl_pattern_say(pattern, "beyond_32_bits", "%s",
                       limit < ldexp(1, 32)
                           ? _("Wrong only beyond 2^31: somewhere on the way, the number is in an "
                               "int of 32 bits.")
                           : _("Wrong only beyond 2^32: somewhere on the way, the number is in an "
                               "unsigned int of 32 bits."));
}
