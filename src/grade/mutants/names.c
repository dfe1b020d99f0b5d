#include "grade/mutants/names.h"

#include <stdlib.h>
#include <string.h>

#define MOST_NAMES 3

struct names {
    const struct vl_variable *list[MOST_NAMES];
    size_t count;
};

/* A loop's "i" says nothing. */
static bool says_something(const struct vl_tokens *tokens, const struct vl_variable *variable)
{
    return variable->parameter || tokens->list[variable->token].length > 1;
}

static void add(struct names *names, const struct vl_variable *variable)
{
    for (size_t i = 0; i < names->count; i++)
        if (names->list[i] == variable)
            return;
    if (names->count < MOST_NAMES)
        names->list[names->count++] = variable;
}

static void collect(struct names *names, const struct vl_tokens *tokens,
                    const struct vl_scope *scope, size_t first, size_t last, bool parameter,
                    bool pointer)
{
    for (size_t i = first; i < last; i++) {
        const struct vl_variable *here = vl_scope_find(scope, tokens, i);
        if (here != NULL && here->parameter == parameter &&
            vl_variable_is_pointer(here) == pointer && says_something(tokens, here))
            add(names, here);
    }
}

char *vl_statement_names(const struct vl_tokens *tokens, const struct vl_scope *scope, size_t first,
                         size_t last)
{
    struct names names = {.count = 0};
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    if (out == NULL)
        return NULL;
    collect(&names, tokens, scope, first, last, true, true);
    collect(&names, tokens, scope, first, last, true, false);
    collect(&names, tokens, scope, first, last, false, true);
    collect(&names, tokens, scope, first, last, false, false);
    for (size_t i = 0; i < names.count; i++) {
        const struct vl_token *name = &tokens->list[names.list[i]->token];
        fprintf(out, "%s%.*s", i > 0 ? ", " : "", (int)name->length, name->at);
    }
    return fclose(out) == 0 ? text : NULL;
}
