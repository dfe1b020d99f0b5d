#include "grade/mutants/changed_names.h"

#include "grade/mutants/members.h"

#include <string.h>

#define OTHERS 5 /* other variables of the same type that are tried in one's place */
#define SIZES  3 /* variables that are tried in the place of a member */

static const char *const assignments[] = {"=", "+=", "-=", "*=", "/=", "|=", "&=", "^=", NULL};

/* Is what begins at token i and ends before 'end' written to, or is its address taken? Then nothing else may
 * take its place. */
static bool is_written(const struct vl_site *site, size_t i, size_t end)
{
    static const char *const steps[] = {"++", "--", "&", NULL};
    return vl_site_is_any(site, end, assignments) || vl_site_is_any(site, end, steps) ||
           (i > site->first && vl_site_is_any(site, i - 1, steps) &&
            !(vl_site_is(site, i - 1, "&") && vl_site_is_binary(site, i - 1)));
}

/* May the expression use the variable? Not where a newer one has its name, or while it is declared: then it has no
 * value yet. */
static bool is_usable(const struct vl_site *site, const struct vl_variable *variable)
{
    return vl_scope_find(site->scope, site->tokens, variable->token) == variable &&
           variable->token + 2 != site->first;
}

static void change_variable(const struct vl_site *site, size_t i)
{
    const struct vl_variable *here = vl_scope_find(site->scope, site->tokens, i);
    if (here == NULL || is_written(site, i, i + 1))
        return;
    size_t tried = 0;
    for (size_t k = site->scope->count; k > 0 && tried < OTHERS; k--) {
        const struct vl_variable *other = &site->scope->list[k - 1];
        const struct vl_token *name = &site->tokens->list[other->token];
        if (strcmp(other->type, here->type) != 0 || vl_tokens_same(site->tokens, other->token, i) ||
            !is_usable(site, other))
            continue;
        vl_site_add(site, VL_MUTATION_VARIABLE, i, i + 1, "%.*s", (int)name->length, name->at);
        tried++;
    }
}

/* A whole number that may be taken for a member: not what counts a loop. */
static bool is_size(const struct vl_site *site, const struct vl_variable *variable)
{
    size_t i = variable->token;
    while (i > 0 && vl_token_is_name(site->tokens, i - 1))
        i--;
    return vl_variable_is_integer(variable) && !(i > 1 && vl_token_is(site->tokens, i - 1, "(") &&
                                                 vl_token_is(site->tokens, i - 2, "for"));
}

/* The member that a variable is taken for: the one next to where it is declared, which it often comes from;
 * where it is nothing else, the one next to token i. */
static bool member_for(const struct vl_site *site, const struct vl_variable *variable, size_t i,
                       size_t *first, size_t *last)
{
    static const char *const ends[] = {",", ";", NULL};
    const size_t value = variable->token + 2;
    if (!vl_member_near(first, last, site->tokens, site->scope, variable->token))
        return false;
    return !(*first == value && vl_token_is_any(site->tokens, *last, ends)) ||
           vl_member_near(first, last, site->tokens, site->scope, i);
}

/* A local variable becomes a member: in its own type, so that it can be an index even if the member is a
 * fraction. */
static void change_to_member(const struct vl_site *site, size_t i)
{
    const struct vl_variable *here = vl_scope_find(site->scope, site->tokens, i);
    size_t first, last;
    if (here == NULL || here->parameter || !is_size(site, here) || is_written(site, i, i + 1) ||
        !member_for(site, here, i, &first, &last))
        return;
    const struct vl_token *from = &site->tokens->list[first], *to = &site->tokens->list[last - 1];
    vl_site_add(site, VL_MUTATION_VARIABLE, i, i + 1, "(%s)%.*s", here->type,
                (int)(to->at + to->length - from->at), from->at);
}

/* A member becomes a variable that holds a whole number. */
static void change_member(const struct vl_site *site, size_t i)
{
    const size_t end = vl_member_end(site->tokens, site->scope, i);
    if (end == 0 || end > site->last || is_written(site, i, end) ||
        !vl_member_is_number(site->tokens, site->scope, i, end))
        return;
    size_t tried = 0;
    for (size_t k = site->scope->count; k > 0 && tried < SIZES; k--) {
        const struct vl_variable *other = &site->scope->list[k - 1];
        const struct vl_token *name = &site->tokens->list[other->token];
        if (!is_size(site, other) || !is_usable(site, other))
            continue;
        vl_site_add(site, VL_MUTATION_VARIABLE, i, end, "%.*s", (int)name->length, name->at);
        tried++;
    }
}

/* One member becomes another one of the same structure, both numbers. */
static void exchange_member(const struct vl_site *site, size_t i)
{
    const size_t end = vl_member_end(site->tokens, site->scope, i), length = end - i;
    if (end == 0 || end > site->last || is_written(site, i, end) ||
        !vl_member_is_number(site->tokens, site->scope, i, end))
        return;
    size_t tried = 0;
    for (size_t k = 0; k < site->tokens->count && tried < SIZES; k++) {
        bool sibling = vl_member_end(site->tokens, site->scope, k) == k + length &&
                       !vl_tokens_same(site->tokens, k + length - 1, end - 1);
        for (size_t part = 0; sibling && part + 1 < length; part++)
            sibling = vl_tokens_same(site->tokens, k + part, i + part);
        for (size_t before = 0; sibling && before < k; before++) /* it may be named several times */
            sibling = !(vl_member_end(site->tokens, site->scope, before) == before + length &&
                        vl_tokens_same(site->tokens, before, k) &&
                        vl_tokens_same(site->tokens, before + length - 1, k + length - 1));
        if (!sibling || !vl_member_is_number(site->tokens, site->scope, k, k + length))
            continue;
        const struct vl_token *name = &site->tokens->list[k + length - 1];
        vl_site_add(site, VL_MUTATION_VARIABLE, end - 1, end, "%.*s", (int)name->length, name->at);
        tried++;
    }
}

/* The bracket that token i is in, within the expression; 'first' if in none. */
static size_t bracket_of(const struct vl_site *site, size_t i)
{
    while (i > site->first) {
        i--;
        if (vl_site_partner(site, i) > i)
            return i;
        if (vl_site_partner(site, i) > 0)
            i = vl_site_partner(site, i);
    }
    return site->first;
}

/* An index, or an argument that is a whole number, one more and one less. */
static void shift_index(const struct vl_site *site, size_t i)
{
    const struct vl_variable *here = vl_scope_find(site->scope, site->tokens, i);
    size_t bracket = bracket_of(site, i);
    bool argument = vl_site_is(site, bracket, "(") && bracket > site->first &&
                    vl_token_is_name(site->tokens, bracket - 1);
    if (here == NULL || !vl_variable_is_integer(here) || is_written(site, i, i + 1) ||
        !(vl_site_is(site, bracket, "[") || argument))
        return;
    const struct vl_token *name = &site->tokens->list[i];
    vl_site_add(site, VL_MUTATION_INDEX, i, i + 1, "(%.*s + 1)", (int)name->length, name->at);
    vl_site_add(site, VL_MUTATION_INDEX, i, i + 1, "(%.*s - 1)", (int)name->length, name->at);
}

void vl_change_names(const struct vl_site *site, size_t i)
{
    change_variable(site, i);
    change_to_member(site, i);
    change_member(site, i);
    exchange_member(site, i);
    shift_index(site, i);
}
