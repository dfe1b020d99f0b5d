/*
 * A figure that is something of the right one in every case that failed: its inverse, what is missing to
 * one, its square. One case is enough, since a relation that holds to nine digits does not hold by
 * chance.
 */
#include "grade/patterns/pattern_parts.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

#define SAME 1e-9 /* relative */
#define MUCH 100  /* a whole number that is hardly met by chance */

static double zero(double right)
{
    return 0 * right;
}
static double negative(double right)
{
    return -right;
}
static double inverse(double right)
{
    return 1 / right;
}
static double complement(double right)
{
    return 1 - right;
}
static double of_the_sum(double right)
{
    return right / (1 + right);
}
static double of_the_rest(double right)
{
    return right / (1 - right);
}
static double square(double right)
{
    return right * right;
}
static double percent(double right)
{
    return 100 * right;
}
static double share_of_percent(double right)
{
    return right / 100;
}

static const struct relation {
    double (*of)(double right);
    const char *code, *sentence;
} relations[] = {
    {zero, "always_zero",
     N_("Where it is wrong, `%s` is 0: it is not worked out, or a quotient of whole numbers was "
        "rounded down on the way.")},
    {negative, "sign_flipped", N_("Where it is wrong, `%s` has the wrong sign.")},
    {inverse, "inverse", N_("Where it is wrong, `%s` is 1 divided by what it should be.")},
    {complement, "complement", N_("Where it is wrong, `%s` is 1 minus what it should be.")},
    {of_the_sum, "share_of_the_sum",
     N_("Where it is wrong, `%s` is x / (1 + x) instead of x: it was divided by the whole, not by the part "
        "that is asked about.")},
    {of_the_rest, "share_of_the_rest",
     N_("Where it is wrong, `%s` is x / (1 - x) instead of x: it was divided by the rest, not by the "
        "whole.")},
    {square, "squared", N_("Where it is wrong, `%s` is the square of what it should be.")},
    {sqrt, "root", N_("Where it is wrong, `%s` is the square root of what it should be.")},
    {percent, "in_percent",
     N_("Where it is wrong, `%s` is 100 times what it should be: is it in percent?")},
    {share_of_percent, "percent_of_percent",
     N_("Where it is wrong, `%s` is a hundredth of what it should be: was it divided by 100 once too "
        "often?")},
    {floor, "rounded_down",
     N_("Where it is wrong, `%s` is rounded down to a whole number. In C, a quotient of two whole numbers "
        "is rounded.")},
    {ceil, "rounded_up", N_("Where it is wrong, `%s` is rounded up to a whole number.")},
};

/* Does it hold in this case, and does it say anything there? */
static bool holds(const struct relation *relation, const struct vl_facts *facts, bool several)
{
    double right = facts->right_figure, related = relation->of(right);
    bool is_whole = right == round(right), rounds = relation->of == floor || relation->of == ceil;
    if (related == 0 && fabs(right) <= 1 && !(rounds && several))
        return false; /* it may be rounded, or stand for no; one 0 tells nothing */
    if (rounds && !several && fabs(right) < MUCH)
        return false; /* a small whole number may be there for many a reason */
    return facts->wrong_figure[0] != '\0' && !facts->metered && right != 0 &&
           !(rounds && is_whole) && isfinite(related) &&
           fabs(facts->figure - related) <= SAME * fabs(related);
}

/* Are its numbers the fields of larger things, which mean nothing alone? */
static bool has_fields(const char *name)
{
    return strcmp(name, "actions") == 0 || strcmp(name, "tasks") == 0;
}

/* The first wrong array of a case, if it has several whole numbers that add up to what they should; or NULL. Are
 * they all there, so that their squares do, too? */
static const struct vl_fact_array *right_in_sum(const struct vl_facts *facts)
{
    size_t a = 0;
    while (a < facts->array_count && facts->arrays[a].wrong == 0)
        a++;
    const struct vl_fact_array *array = &facts->arrays[a];
    return a < facts->array_count && array->is_figure && !has_fields(array->name) &&
                   array->elements > array->parts && array->sum == array->right_sum &&
                   array->sum == round(array->sum) && array->sum != 0
               ? array
               : NULL;
}

void vl_pattern_of_sum(struct vl_pattern *pattern, const struct vl_pattern_cases *cases)
{
    const char *name = NULL;
    bool all_there = true;
    for (size_t i = 0; i < cases->count; i++) {
        if (cases->list[i].passed)
            continue;
        const struct vl_fact_array *here = right_in_sum(&cases->list[i]);
        if (here == NULL || (name != NULL && strcmp(here->name, name) != 0))
            return;
        name = here->name;
        all_there &= here->squares == here->right_squares;
    }
    if (name == NULL || cases->failed < 2)
        return;
    if (all_there)
        vl_pattern_say(
            pattern, "other_places",
            _("In every case that fails, %s has the right numbers, but in other places."), name);
    else
        vl_pattern_say(
            pattern, "right_sum",
            _("In every case that fails, the numbers of %s have the right sum: the right "
              "amount is counted, but in the wrong places."),
            name);
}

void vl_pattern_of_relation(struct vl_pattern *pattern, const struct vl_pattern_cases *cases)
{
    const struct relation *fits = NULL;
    const char *figure = NULL;
    for (size_t r = 0; r < sizeof relations / sizeof *relations; r++) {
        bool all = true;
        for (size_t i = 0; i < cases->count && all; i++) {
            const struct vl_facts *facts = &cases->list[i];
            if (facts->passed)
                continue;
            all = holds(&relations[r], facts, cases->failed > 1) &&
                  (figure == NULL || strcmp(figure, facts->wrong_figure) == 0);
            figure = figure != NULL ? figure : facts->wrong_figure;
        }
        if (all && fits != NULL)
            return; /* two fit */
        fits = all ? &relations[r] : fits;
    }
    if (fits != NULL && cases->failed > 0)
        vl_pattern_say(pattern, fits->code, _(fits->sentence), figure);
}
