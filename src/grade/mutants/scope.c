#include "grade/mutants/scope.h"

#include <stdio.h>
#include <string.h>

static const char *const qualifiers[] = {"const", "static", "restrict", "register", NULL};
static const char *const types[] = {
    "void",   "char",   "int",     "unsigned", "long",     "float",       "double",   "bool",
    "size_t", "int8_t", "int32_t", "int64_t",  "uint8_t",  "uint16_t",    "uint32_t", "uint64_t",
    "struct", "enum",   "const",   "static",   "MPI_Comm", "MPI_Request", NULL};
static const char *const integers[] = {"int",      "size_t",   "int32_t", "int64_t", "uint32_t",
                                       "uint64_t", "unsigned", "long",    NULL};
static const char *const ends[] = {"=", ";", ",", "[", NULL};
static const char *const statements[] = {"return", "goto", "else", "sizeof", "case", NULL};

/* ---- types ---- */

static void write_type(struct vl_variable *variable, const struct vl_tokens *tokens, size_t first,
                       size_t last, size_t stars)
{
    FILE *out = fmemopen(variable->type, sizeof variable->type - 1, "w");
    if (out == NULL)
        return;
    for (size_t i = first; i < last; i++)
        if (!vl_token_is_any(tokens, i, qualifiers) ||
            (stars > 0 && vl_token_is(tokens, i, "const")))
            fprintf(out, "%.*s ", (int)tokens->list[i].length, tokens->list[i].at);
    while (stars-- > 0)
        fputc('*', out);
    fclose(out);
}

bool vl_variable_is_pointer(const struct vl_variable *variable)
{
    return strchr(variable->type, '*') != NULL;
}

/* Is the type's word one of these? */
static bool has_word(const struct vl_variable *variable, const char *const *words)
{
    const char *word = variable->type + (strncmp(variable->type, "const ", 6) == 0 ? 6 : 0);
    size_t length = strcspn(word, " *");
    while (*words != NULL && (strlen(*words) != length || strncmp(word, *words, length) != 0))
        words++;
    return *words != NULL;
}

bool vl_variable_is_integer(const struct vl_variable *variable)
{
    return !vl_variable_is_pointer(variable) && has_word(variable, integers);
}

bool vl_variable_is_number(const struct vl_variable *variable, bool element)
{
    static const char *const fractions[] = {"float", "double", NULL};
    const char *star = strchr(variable->type, '*');
    return (star != NULL) == element && (star == NULL || star[1] == '\0') &&
           (has_word(variable, integers) || has_word(variable, fractions));
}

bool vl_scope_is_cast(const struct vl_tokens *tokens, size_t i)
{
    if (!vl_token_is(tokens, i, "(") || !vl_token_is_any(tokens, i + 1, types))
        return false;
    for (size_t k = i + 1; k < tokens->list[i].partner; k++)
        if (!vl_token_is_name(tokens, k) && !vl_token_is(tokens, k, "*"))
            return false;
    return true;
}

bool vl_scope_has_operand(const struct vl_tokens *tokens, size_t i)
{
    if (i == 0)
        return false;
    const struct vl_token *before = &tokens->list[i - 1];
    if (vl_token_is(tokens, i - 1, ")"))
        return !vl_scope_is_cast(tokens, before->partner);
    return (before->kind == VL_TOKEN_NAME && !vl_token_is_any(tokens, i - 1, statements)) ||
           before->kind == VL_TOKEN_NUMBER || vl_token_is(tokens, i - 1, "]");
}

/* ---- declarations ---- */

size_t vl_scope_declarators(const struct vl_tokens *tokens, size_t i)
{
    while (vl_token_is_name(tokens, i) && !vl_token_is_any(tokens, i + 1, ends))
        i++;
    return i;
}

bool vl_scope_is_declaration(const struct vl_tokens *tokens, size_t i)
{
    if (!vl_token_is_name(tokens, i) || vl_token_is_any(tokens, i, statements))
        return false;
    size_t at = vl_scope_declarators(tokens, i);
    if (at == i)
        return false;
    while (vl_token_is(tokens, at, "*") || vl_token_is_any(tokens, at, qualifiers))
        at++;
    return vl_token_is_name(tokens, at) && vl_token_is_any(tokens, at + 1, ends);
}

size_t vl_scope_add(struct vl_scope *scope, const struct vl_tokens *tokens, size_t type,
                    size_t type_end, size_t declarator)
{
    size_t stars = 0;
    while (vl_token_is(tokens, declarator, "*") || vl_token_is_any(tokens, declarator, qualifiers))
        stars += vl_token_is(tokens, declarator++, "*");
    size_t after = declarator + 1;
    if (scope->count == VL_SCOPE_MOST || !vl_token_is_name(tokens, declarator))
        return after;
    struct vl_variable *variable = &scope->list[scope->count++];
    *variable = (struct vl_variable){.token = declarator};
    write_type(variable, tokens, type, type_end, stars + vl_token_is(tokens, after, "["));
    return after;
}

static void add_parameter(struct vl_scope *scope, const struct vl_tokens *tokens, size_t first,
                          size_t last)
{
    size_t name = last, type_end = first;
    while (name > first && !vl_token_is_name(tokens, name - 1))
        name = vl_token_is(tokens, name - 1, "]") ? tokens->list[name - 1].partner : name - 1;
    if (name <= first + 1) /* "void" */
        return;
    name--;
    while (type_end < name && vl_token_is_name(tokens, type_end))
        type_end++;
    size_t before = scope->count;
    vl_scope_add(scope, tokens, first, type_end, type_end);
    if (scope->count > before)
        scope->list[before].parameter = true;
}

void vl_scope_add_parameters(struct vl_scope *scope, const struct vl_tokens *tokens, size_t first,
                             size_t last)
{
    for (size_t i = first, start = first; i <= last; i++) {
        if (i == last || vl_token_is(tokens, i, ",")) {
            add_parameter(scope, tokens, start, i);
            start = i + 1;
        } else if (tokens->list[i].partner > i) {
            i = tokens->list[i].partner;
        }
    }
}

const struct vl_variable *vl_scope_find(const struct vl_scope *scope,
                                        const struct vl_tokens *tokens, size_t i)
{
    if (!vl_token_is_name(tokens, i) || vl_token_is(tokens, i + 1, "(") ||
        (i > 0 && (vl_token_is(tokens, i - 1, ".") || vl_token_is(tokens, i - 1, "->"))))
        return NULL;
    for (size_t k = scope->count; k > 0; k--)
        if (vl_tokens_same(tokens, scope->list[k - 1].token, i))
            return &scope->list[k - 1];
    return NULL;
}
