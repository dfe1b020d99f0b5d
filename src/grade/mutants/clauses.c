#include "grade/mutants/clauses.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

struct range {
    const struct vl_tokens *tokens;
    size_t first, last;
};

/* What ends a clause, and what ends a side of a choice. */
static const char *const joints[] = {"&&", "||", NULL};
static const char *const ends[] = {
    "?", ":", ",", ";", "=", "+=", "-=", "*=", "/=", "(", "[", "{", ")", "]", "}", NULL};

static bool ends_at(const struct range *range, size_t i, bool clause)
{
    return vl_token_is_any(range->tokens, i, ends) ||
           (clause && vl_token_is_any(range->tokens, i, joints));
}

/* Where what begins at token i ends. */
static size_t end_of(const struct range *range, size_t i, bool clause)
{
    while (i < range->last) {
        const size_t partner = range->tokens->list[i].partner;
        if (partner > i)
            i = partner + 1;
        else if (ends_at(range, i, clause))
            break;
        else
            i++;
    }
    return i < range->last ? i : range->last;
}

/* Where what ends before token i begins. */
static size_t start_of(const struct range *range, size_t i, bool clause)
{
    while (i > range->first) {
        const size_t partner = range->tokens->list[i - 1].partner;
        if (partner > 0 && partner < i - 1)
            i = partner;
        else if (ends_at(range, i - 1, clause))
            break;
        else
            i--;
    }
    return i > range->first ? i : range->first;
}

static void drop_clause(struct vl_mutations *mutations, const struct range *range, size_t i)
{
    vl_mutations_add(mutations, VL_MUTATION_CONDITION, i, end_of(range, i + 1, true), "");
    vl_mutations_add(mutations, VL_MUTATION_CONDITION, start_of(range, i, true), i + 1, "");
}

/* One side, whatever the condition is. A choice within a choice is left alone. */
static void decide(struct vl_mutations *mutations, const struct range *range, size_t i)
{
    const size_t colon = end_of(range, i + 1, false), start = start_of(range, i, false);
    char *side = NULL;
    size_t bytes;
    if (!vl_token_is(range->tokens, colon, ":") || colon >= range->last || colon == i + 1)
        return;
    vl_mutations_add(mutations, VL_MUTATION_CONDITION, start, colon + 1, "");
    FILE *out = open_memstream(&side, &bytes);
    if (out != NULL) {
        vl_tokens_put(out, range->tokens, i + 1, colon);
        fclose(out);
    }
    vl_mutations_add(mutations, VL_MUTATION_CONDITION, start, end_of(range, colon + 1, false),
                     side);
    free(side);
}

void vl_mutate_clauses(struct vl_mutations *mutations, const struct vl_tokens *tokens, size_t first,
                       size_t last)
{
    const struct range range = {tokens, first, last};
    for (size_t i = first + 1; i + 1 < last; i++) {
        if (vl_token_is_any(tokens, i, joints))
            drop_clause(mutations, &range, i);
        else if (vl_token_is(tokens, i, "?"))
            decide(mutations, &range, i);
    }
}
