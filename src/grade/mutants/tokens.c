#include "grade/mutants/tokens.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define DEEPEST 64 /* brackets in brackets */

/* Longer ones first. */
static const char *const marks[] = {"<<=", ">>=", "...", "->", "++", "--", "<<", ">>",
                                    "<=",  ">=",  "==",  "!=", "&&", "||", "+=", "-=",
                                    "*=",  "/=",  "%=",  "&=", "|=", "^=", NULL};

/* ---- what is not a token ---- */

static const char *after_comment(const char *at, const char *end)
{
    const char *closed = at[1] == '*' ? strstr(at + 2, "*/") : strchr(at, '\n');
    if (closed == NULL || closed >= end)
        return end;
    return at[1] == '*' ? closed + 2 : closed;
}

static const char *after_line(const char *at, const char *end)
{
    while (at < end && *at != '\n')
        at += at[0] == '\\' && at + 1 < end ? 2 : 1;
    return at;
}

static const char *next_token(const char *at, const char *end)
{
    while (at < end)
        if (isspace((unsigned char)*at))
            at++;
        else if (at[0] == '/' && at + 1 < end && (at[1] == '*' || at[1] == '/'))
            at = after_comment(at, end);
        else if (*at == '#')
            at = after_line(at, end);
        else
            break;
    return at;
}

/* ---- one token ---- */

static size_t length_of_text(const char *at, const char *end)
{
    const char *from = at;
    for (at++; at < end && *at != *from; at++)
        at += *at == '\\';
    return (size_t)(at < end ? at + 1 - from : end - from);
}

static size_t length_of_number(const char *at, const char *end)
{
    const char *from = at;
    for (; at < end && (isalnum((unsigned char)*at) || *at == '.'); at++)
        if ((*at == 'e' || *at == 'E') && at + 1 < end && (at[1] == '-' || at[1] == '+'))
            at++;
    return (size_t)(at - from);
}

static size_t length_of_name(const char *at, const char *end)
{
    const char *from = at;
    while (at < end && (isalnum((unsigned char)*at) || *at == '_'))
        at++;
    return (size_t)(at - from);
}

static size_t length_of_mark(const char *at, const char *end)
{
    for (size_t i = 0; marks[i] != NULL; i++) {
        size_t length = strlen(marks[i]);
        if ((size_t)(end - at) >= length && strncmp(at, marks[i], length) == 0)
            return length;
    }
    return 1;
}

static struct vl_token read_token(const char *at, const char *end)
{
    struct vl_token token = {.at = at};
    bool number = isdigit((unsigned char)at[0]) ||
                  (at[0] == '.' && at + 1 < end && isdigit((unsigned char)at[1]));
    if (at[0] == '"' || at[0] == '\'') {
        token.kind = VL_TOKEN_TEXT;
        token.length = length_of_text(at, end);
    } else if (number) {
        token.kind = VL_TOKEN_NUMBER;
        token.length = length_of_number(at, end);
    } else if (isalpha((unsigned char)at[0]) || at[0] == '_') {
        token.kind = VL_TOKEN_NAME;
        token.length = length_of_name(at, end);
    } else {
        token.kind = VL_TOKEN_MARK;
        token.length = length_of_mark(at, end);
    }
    return token;
}

/* ---- all ---- */

static enum vl_status pair_brackets(struct vl_tokens *tokens)
{
    size_t open[DEEPEST], depth = 0;
    for (size_t i = 0; i < tokens->count; i++) {
        struct vl_token *token = &tokens->list[i];
        if (token->kind != VL_TOKEN_MARK || token->length != 1)
            continue;
        if (strchr("([{", *token->at) != NULL) {
            if (depth == DEEPEST)
                return VL_EFORMAT;
            open[depth++] = i;
        } else if (strchr(")]}", *token->at) != NULL) {
            if (depth == 0)
                return VL_EFORMAT;
            size_t other = open[--depth];
            token->partner = other;
            tokens->list[other].partner = i;
        }
    }
    return depth == 0 ? VL_OK : VL_EFORMAT;
}

enum vl_status vl_tokens_read(struct vl_tokens *tokens, const char *text, const char *end)
{
    *tokens = (struct vl_tokens){.list = calloc((size_t)(end - text) + 1, sizeof *tokens->list)};
    if (tokens->list == NULL)
        return VL_ENOMEM;
    for (const char *at = next_token(text, end); at < end; at = next_token(at, end)) {
        struct vl_token token = read_token(at, end);
        tokens->list[tokens->count++] = token;
        at += token.length;
    }
    return pair_brackets(tokens);
}

void vl_tokens_free(struct vl_tokens *tokens)
{
    free(tokens->list);
    *tokens = (struct vl_tokens){0};
}

bool vl_token_is(const struct vl_tokens *tokens, size_t i, const char *word)
{
    return i < tokens->count && tokens->list[i].length == strlen(word) &&
           strncmp(tokens->list[i].at, word, tokens->list[i].length) == 0;
}

bool vl_token_is_any(const struct vl_tokens *tokens, size_t i, const char *const *words)
{
    while (*words != NULL && !vl_token_is(tokens, i, *words))
        words++;
    return *words != NULL;
}

bool vl_token_is_name(const struct vl_tokens *tokens, size_t i)
{
    return i < tokens->count && tokens->list[i].kind == VL_TOKEN_NAME;
}

bool vl_tokens_same(const struct vl_tokens *tokens, size_t i, size_t k)
{
    const struct vl_token *a = &tokens->list[i], *b = &tokens->list[k];
    return a->length == b->length && strncmp(a->at, b->at, a->length) == 0;
}

void vl_tokens_put(FILE *out, const struct vl_tokens *tokens, size_t first, size_t last)
{
    for (size_t i = first; i < last; i++)
        fprintf(out, "%.*s ", (int)tokens->list[i].length, tokens->list[i].at);
}
