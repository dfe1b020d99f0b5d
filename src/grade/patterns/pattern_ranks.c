/* Patterns by the number of ranks. */
#include "grade/patterns/pattern_parts.h"

#include "base/text.h"

#include <stdlib.h>

#define MOST_RANKS 64 /* larger numbers stand for no ranks that ran */

/* The numbers of ranks on which all cases passed, and those on which any failed, ascending. */
struct sides {
    int64_t right[MOST_RANKS], wrong[MOST_RANKS];
    size_t right_count, wrong_count;
    bool mixed; /* some number of ranks is on both sides */
};

/* Does a failed case make the same choices as this one? A case that passes at another stage, say, tells
 * nothing about the ranks. */
static bool is_comparable(const struct vl_pattern_cases *cases, const struct vl_facts *facts)
{
    for (size_t n = 0; n < facts->number_count; n++) {
        const struct vl_fact_number *number = &facts->numbers[n];
        int64_t value;
        bool met = !vl_pattern_is_kind(number->name);
        for (size_t i = 0; i < cases->count && !met; i++)
            met = !cases->list[i].passed &&
                  vl_facts_number(&cases->list[i], number->name, &value) && value == number->value;
        if (!met)
            return false;
    }
    return true;
}

static struct sides sides_of(const struct vl_pattern_cases *cases)
{
    struct sides sides = {0};
    for (int ranks = 1; ranks <= MOST_RANKS; ranks++) {
        bool right = false, wrong = false;
        for (size_t i = 0; i < cases->count; i++)
            if (cases->list[i].ranks == ranks)
                *(cases->list[i].passed ? &right : &wrong) = true;
        sides.mixed |= right && wrong;
        if (wrong)
            sides.wrong[sides.wrong_count++] = ranks;
        else if (right)
            sides.right[sides.right_count++] = ranks;
    }
    return sides;
}

/* Does a case pass on so many ranks that is comparable? */
static bool is_proved(const struct vl_pattern_cases *cases, int64_t ranks)
{
    for (size_t i = 0; i < cases->count; i++) {
        const struct vl_facts *facts = &cases->list[i];
        if (facts->passed && facts->ranks == ranks && is_comparable(cases, facts))
            return true;
    }
    return false;
}

static bool is_power_of_two(int64_t n)
{
    return n > 0 && (n & (n - 1)) == 0;
}

static bool all_are_powers(const int64_t *values, size_t count, bool wanted)
{
    for (size_t i = 0; i < count; i++)
        if (is_power_of_two(values[i]) != wanted)
            return false;
    return true;
}

void vl_pattern_of_ranks(struct vl_pattern *pattern, const struct vl_pattern_cases *cases)
{
    struct sides sides = sides_of(cases);
    if (sides.mixed || sides.right_count == 0 || sides.wrong_count == 0 ||
        !is_proved(cases, sides.right[sides.right_count - 1]))
        return;
    char *right = vl_pattern_list(sides.right, sides.right_count);
    char *wrong = vl_pattern_list(sides.wrong, sides.wrong_count);
    int64_t largest = sides.right[sides.right_count - 1], least = sides.wrong[0];
    if (right == NULL || wrong == NULL)
        pattern->code = "no_memory";
    else if (largest == 1)
        vl_pattern_say(pattern, "only_one_rank",
                       _("Right on one rank, wrong on %s: look at what depends on the number of "
                         "ranks, such as what they exchange, or which part each of them takes."),
                       wrong);
    else if (largest == 2 && least > 2)
        vl_pattern_say(pattern, "only_two_ranks", _("Right on at most two ranks, wrong on %s."),
                       wrong);
    else if (largest > 2 && sides.wrong_count > 1 &&
             all_are_powers(sides.right, sides.right_count, true) &&
             all_are_powers(sides.wrong, sides.wrong_count, false))
        vl_pattern_say(pattern, "only_powers_of_two",
                       _("Right on %1$s ranks, wrong on %2$s: the number of ranks need not be a "
                         "power of two."),
                       right, wrong);
    else if (sides.right_count >= 2 && sides.wrong_count >= 2 && largest < least)
        vl_pattern_say(
            pattern, "only_few_ranks",
            _("Right on %1$s ranks, wrong on %2$s: look at what depends on how many there are."),
            right, wrong);
    else if (sides.wrong_count == 1 && least == 1)
        vl_pattern_say(
            pattern, "only_several_ranks",
            _("Right on %s ranks, wrong on one: with one rank there is nobody to exchange "
              "with."),
            right);
    free(right);
    free(wrong);
}
