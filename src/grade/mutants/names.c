#include "grade/mutants/names.h"

#include <stdlib.h>
#include <string.h>

#define MOST_NAMES 3
#define MOST_STEPS 4 /* from a variable to what it begins with */

struct name {
    const char *at;
    size_t length;
};

struct names {
    struct name list[MOST_NAMES];
    size_t count;
};

static void add(struct names *names, struct name name)
{
    for (size_t i = 0; i < names->count; i++)
        if (names->list[i].length == name.length &&
            strncmp(names->list[i].at, name.at, name.length) == 0)
            return;
    if (names->count < MOST_NAMES)
        names->list[names->count++] = name;
}

/* "dx, dout", fresh; NULL without memory. */
static char *join(const struct names *names)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    if (out == NULL)
        return NULL;
    for (size_t i = 0; i < names->count; i++)
        fprintf(out, "%s%.*s", i > 0 ? ", " : "", (int)names->list[i].length, names->list[i].at);
    return fclose(out) == 0 ? text : NULL;
}

/* The variable that token i names, or the member of a structure: "routing->scale". */
static struct name name_at(const struct vl_tokens *tokens, size_t i)
{
    const struct vl_token *token = &tokens->list[i];
    bool member = (vl_token_is(tokens, i + 1, "->") || vl_token_is(tokens, i + 1, ".")) &&
                  vl_token_is_name(tokens, i + 2);
    const struct vl_token *last = member ? token + 2 : token;
    return (struct name){token->at, (size_t)(last->at + last->length - token->at)};
}

/* A loop's "i" says nothing. */
static bool says_something(const struct vl_tokens *tokens, const struct vl_variable *variable)
{
    return variable->parameter || tokens->list[variable->token].length > 1;
}

static void collect(struct names *names, const struct vl_tokens *tokens,
                    const struct vl_scope *scope, size_t first, size_t last, bool parameter,
                    bool pointer)
{
    for (size_t i = first; i < last; i++) {
        const struct vl_variable *here = vl_scope_find(scope, tokens, i);
        if (here != NULL && here->parameter == parameter &&
            vl_variable_is_pointer(here) == pointer && says_something(tokens, here))
            add(names, name_at(tokens, i));
    }
}

char *vl_statement_names(const struct vl_tokens *tokens, const struct vl_scope *scope, size_t first,
                         size_t last)
{
    struct names names = {.count = 0};
    collect(&names, tokens, scope, first, last, true, true);
    collect(&names, tokens, scope, first, last, true, false);
    collect(&names, tokens, scope, first, last, false, true);
    collect(&names, tokens, scope, first, last, false, false);
    return join(&names);
}

/* ---- where a value comes from ---- */

/* Where what begins at token i ends: at the next of these marks that is in no bracket. */
static size_t end_of_value(const struct vl_tokens *tokens, size_t i)
{
    static const char *const ends[] = {",", ";", NULL};
    while (i < tokens->count && !vl_token_is_any(tokens, i, ends))
        i = tokens->list[i].partner > i ? tokens->list[i].partner + 1 : i + 1;
    return i;
}

/* Add the parameter that token i comes from; false if it comes from none. */
static bool add_origin(struct names *names, const struct vl_tokens *tokens,
                       const struct vl_scope *scope, size_t i, int steps)
{
    const struct vl_variable *variable = vl_scope_find(scope, tokens, i);
    if (variable == NULL || steps == 0)
        return false;
    if (variable->parameter) {
        add(names, name_at(tokens, i));
        return true;
    }
    size_t value = variable->token + 2;
    if (!vl_token_is(tokens, value - 1, "="))
        return false;
    for (size_t k = value; k < end_of_value(tokens, value); k++)
        if (add_origin(names, tokens, scope, k, steps - 1))
            return true;
    return false;
}

char *vl_origin_names(const struct vl_tokens *tokens, const struct vl_scope *scope, size_t first,
                      size_t last)
{
    struct names names = {.count = 0};
    size_t i = first;
    for (; i < last && !vl_token_is(tokens, i, "sizeof"); i++)
        add_origin(&names, tokens, scope, i, MOST_STEPS);
    if (i < last)
        add(&names, (struct name){tokens->list[i].at, tokens->list[i].length});
    if (last == first + 1 && vl_token_is_name(tokens, first) && vl_token_is(tokens, last, "("))
        add(&names, name_at(tokens, first));
    return join(&names);
}
