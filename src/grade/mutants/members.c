#include "grade/mutants/members.h"

static const char *const accesses[] = {"->", ".", NULL};
static const char *const products[] = {"*", "/", "%", NULL};
static const char *const comparisons[] = {"<", "<=", ">", ">=", NULL};
static const char *const parts[] = {"[", "(", NULL}; /* of an array, or what a function gives */
static const char *const closers[] = {",", ";", NULL};
static const char *const follows[] = {"=", ";", ",", "[", NULL}; /* a name that is declared */

size_t vl_member_end(const struct vl_tokens *tokens, const struct vl_scope *scope, size_t i)
{
    size_t end = i + 1;
    if (vl_scope_find(scope, tokens, i) == NULL)
        return 0;
    while (vl_token_is_any(tokens, end, accesses) && vl_token_is_name(tokens, end + 1))
        end += 2;
    return end > i + 1 && !vl_token_is_any(tokens, end, parts) ? end : 0;
}

static bool is_same(const struct vl_tokens *tokens, size_t first, size_t last, size_t other)
{
    for (size_t k = 0; first + k < last; k++)
        if (other + k >= tokens->count || !vl_tokens_same(tokens, first + k, other + k))
            return false;
    return !vl_token_is_any(tokens, other + (last - first), accesses);
}

static bool is_number(const struct vl_tokens *tokens, const struct vl_scope *scope, size_t i)
{
    const struct vl_variable *variable = vl_scope_find(scope, tokens, i);
    return (i < tokens->count && tokens->list[i].kind == VL_TOKEN_NUMBER) ||
           (variable != NULL && vl_variable_is_integer(variable));
}

/* Is what begins at token i made a number by a cast? */
static bool is_cast_to_number(const struct vl_tokens *tokens, size_t i)
{
    const size_t open = i > 0 && vl_token_is(tokens, i - 1, ")") ? tokens->list[i - 1].partner : i;
    return open < i && vl_scope_is_cast(tokens, open) && !vl_token_is(tokens, i - 2, "*");
}

/* Does this use of it show that it is a number? */
static bool shows_number(const struct vl_tokens *tokens, const struct vl_scope *scope, size_t first,
                         size_t last)
{
    if (vl_token_is_any(tokens, last, products))
        return true;
    if (vl_token_is_any(tokens, last, comparisons) && is_number(tokens, scope, last + 1))
        return true;
    if (first < 2)
        return false;
    if (is_cast_to_number(tokens, first))
        return true;
    if (vl_token_is_any(tokens, first - 1, products))
        return vl_scope_has_operand(tokens, first - 1);
    if (vl_token_is_any(tokens, first - 1, comparisons) ||
        (vl_token_is(tokens, first - 1, "=") && vl_token_is_any(tokens, last, closers)))
        return is_number(tokens, scope, first - 2);
    return false;
}

bool vl_member_is_number(const struct vl_tokens *tokens, const struct vl_scope *scope, size_t first,
                         size_t last)
{
    for (size_t i = 0; i < tokens->count; i++)
        if (is_same(tokens, first, last, i) && vl_member_end(tokens, scope, i) > 0 &&
            shows_number(tokens, scope, i, i + (last - first)))
            return true;
    return false;
}

/* ---- the nearest ---- */

/* Is the variable of token i, which is in scope, the one that is named there? Another one may have had
 * its name in between, in a block of its own. */
static bool is_meant(const struct vl_tokens *tokens, const struct vl_scope *scope, size_t i)
{
    const size_t declared = vl_scope_find(scope, tokens, i)->token;
    bool meant = declared < i;
    for (size_t k = declared + 1; k < i && meant; k++)
        meant = !vl_tokens_same(tokens, k, declared) || !vl_token_is_any(tokens, k + 1, follows) ||
                !(vl_token_is_name(tokens, k - 1) || vl_token_is(tokens, k - 1, "*"));
    return meant;
}

static bool is_offered(const struct vl_tokens *tokens, const struct vl_scope *scope, size_t i)
{
    const size_t end = vl_member_end(tokens, scope, i);
    return end > 0 && is_meant(tokens, scope, i) && vl_member_is_number(tokens, scope, i, end);
}

bool vl_member_near(size_t *first, size_t *last, const struct vl_tokens *tokens,
                    const struct vl_scope *scope, size_t i)
{
    for (size_t away = 1; away < tokens->count; away++) {
        if (away <= i && is_offered(tokens, scope, i - away))
            *first = i - away;
        else if (i + away < tokens->count && is_offered(tokens, scope, i + away))
            *first = i + away;
        else
            continue;
        *last = vl_member_end(tokens, scope, *first);
        return true;
    }
    return false;
}
