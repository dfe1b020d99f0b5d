/* Patterns by a choice among the inputs: a stage, a mode, whether something overlaps, the first step. */
#include "grade/patterns/pattern_parts.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

#define MOST_VALUES 8 /* different ones of a choice; with more it is a size */

/* A choice, and what is said where small values pass and larger ones fail, or the other way round. Without
 * such sentences (NULL), the values are listed. */
static const struct choice {
    const char *name;
    const char *code, *larger_fails, *smaller_fails;
    int64_t divides; /* smaller values are at most this */
    bool by_ranks;   /* two cases that pass are enough */
    bool is_kind;    /* it makes another task of the function's */
} choices[] = {
    {"reversed", "world_ranks",
     N_("Wrong only where the ranks of the communicator are numbered differently from those of "
        "MPI_COMM_WORLD: use the communicator that the function is given."),
     NULL, 0, true, false},
    {"in_place", "not_in_place",
     N_("Wrong only where input and output are the same memory: something is read after it was "
        "overwritten."),
     NULL, 0, false, false},
    {"overlap", "overlap", N_("Right without overlap, wrong with it."),
     N_("Right with overlap, wrong without it."), 0, false, true},
    {"shared", "sequence_parallelism", N_("Right without sequence parallelism, wrong with it."),
     N_("Right with sequence parallelism, wrong without it."), 0, false, true},
    {"steps", "only_first_step",
     N_("Right for one step, wrong for several: look at what one step leaves for the next."), NULL,
     1, false, false},
    {"passes", "only_first_pass",
     N_("Right for one pass, wrong for several: look at what one pass leaves for the next."), NULL,
     1, false, false},
    {"micro_batches", "only_one_micro_batch",
     N_("Right with one micro-batch, wrong with several: look at what they add up or share."), NULL,
     1, false, false},
    {"micro", "only_one_micro_batch",
     N_("Right with one micro-batch, wrong with several: look at what they add up or share."), NULL,
     1, false, false},
    {"step", "only_step_one", N_("Right at step 1, wrong at later ones."),
     N_("Wrong at step 1, right at later ones."), 1, false, false},
    {"root", "only_root_zero",
     N_("Right where `root` is 0, wrong elsewhere: the rank that begins is not always rank 0."),
     NULL, 0, true, false},
    {"stage", "by_stage", NULL, NULL, 0, false, true},
    {"mode", "by_mode", NULL, NULL, 0, false, true},
    {"zero", "by_stage", NULL, NULL, 0, false, true},
    {"keep", "by_keep", NULL, NULL, 0, false, true},
    {"scope", "by_scope", NULL, NULL, 0, false, true},
    {"order", "by_order", NULL, NULL, 0, false, true},
    {"chunks", "by_chunks", NULL, NULL, 0, false, true},
    {"element_bytes", "by_element_bytes", NULL, NULL, 0, false, true},
    {"ranks_per_node", "by_ranks_per_node", NULL, NULL, 0, false, true},
};

bool vl_pattern_is_choice(const char *name)
{
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
        if (strcmp(choices[i].name, name) == 0)
            return true;
    return false;
}

bool vl_pattern_is_kind(const char *name)
{
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
        if (strcmp(choices[i].name, name) == 0)
            return choices[i].is_kind;
    return false;
}

/* The values of a choice with which cases passed or failed, ascending. */
struct values {
    int64_t list[MOST_VALUES];
    size_t count;
};

static bool insert(struct values *values, int64_t value)
{
    size_t at = 0;
    while (at < values->count && values->list[at] < value)
        at++;
    if (at < values->count && values->list[at] == value)
        return true;
    if (values->count == MOST_VALUES)
        return false;
    memmove(&values->list[at + 1], &values->list[at], (values->count - at) * sizeof *values->list);
    values->list[at] = value;
    values->count++;
    return true;
}

/* False if the choice does not part the cases: a case has none, or a value is on both sides. */
static bool part(struct values *right, struct values *wrong, const struct choice *choice,
                 const struct vl_pattern_cases *cases)
{
    *right = *wrong = (struct values){0};
    for (size_t i = 0; i < cases->count; i++) {
        int64_t value;
        if (!vl_facts_number(&cases->list[i], choice->name, &value) ||
            !insert(cases->list[i].passed ? right : wrong, value))
            return false;
    }
    for (size_t r = 0; r < right->count; r++)
        for (size_t w = 0; w < wrong->count; w++)
            if (right->list[r] == wrong->list[w])
                return false;
    return true;
}

static bool is_below(const struct values *one, const struct values *other, int64_t limit)
{
    return one->list[one->count - 1] <= limit && other->list[0] > limit;
}

/* What to say; NULL: the values. Sets *fits to false if nothing is to be said. */
static const char *sentence_of(const struct choice *choice, const struct values *right,
                               const struct values *wrong, bool *fits)
{
    const char *sentence = NULL;
    if (is_below(right, wrong, choice->divides))
        sentence = choice->larger_fails;
    else if (is_below(wrong, right, choice->divides))
        sentence = choice->smaller_fails;
    *fits = sentence != NULL || (choice->larger_fails == NULL && choice->smaller_fails == NULL);
    return sentence;
}

static void say(struct vl_pattern *pattern, const struct choice *choice, const char *sentence,
                const struct values *right, const struct values *wrong)
{
    char *good = vl_pattern_list(right->list, right->count);
    char *bad = vl_pattern_list(wrong->list, wrong->count);
    if (sentence != NULL)
        vl_pattern_say(pattern, choice->code, "%s", _(sentence));
    else if (good != NULL && bad != NULL)
        vl_pattern_say(pattern, choice->code,
                       _("Right where `%1$s` is %2$s, wrong where it is %3$s."), choice->name, good,
                       bad);
    else
        pattern->code = choice->code;
    free(good);
    free(bad);
}

/* Are there enough cases? If one alone fails, it may be because of its many ranks: then another one on as
 * many must pass. */
static bool is_enough(const struct vl_pattern_cases *cases, const struct choice *choice)
{
    int right = 0, wrong = 0;
    for (size_t i = 0; i < cases->count; i++) {
        int *most = cases->list[i].passed ? &right : &wrong;
        *most = cases->list[i].ranks > *most ? cases->list[i].ranks : *most;
    }
    if (cases->failed >= 2)
        return cases->passed >= 1;
    return cases->passed >= (choice->by_ranks ? 2 : 3) && right >= wrong;
}

void vl_pattern_of_choice(struct vl_pattern *pattern, const struct vl_pattern_cases *cases)
{
    struct vl_pattern found = {0};
    size_t fitting = 0;
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        struct values right, wrong;
        bool fits = false;
        if (!is_enough(cases, &choices[i]) || !part(&right, &wrong, &choices[i], cases))
            continue;
        const char *sentence = sentence_of(&choices[i], &right, &wrong, &fits);
        if (!fits)
            continue;
        if (++fitting == 1)
            say(&found, &choices[i], sentence, &right, &wrong);
    }
    if (fitting == 1)
        *pattern = found;
    else /* if several fit, nothing tells which is the cause */
        vl_pattern_forget(&found);
}
