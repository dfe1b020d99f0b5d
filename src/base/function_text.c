#include "base/function_text.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char *after_literal(const char *at)
{
    char quote = *at++;
    while (*at != '\0' && *at != quote && *at != '\n')
        at += *at == '\\' && at[1] != '\0' ? 2 : 1;
    return *at == quote ? at + 1 : at;
}

/* What is not code is passed over as one. */
static const char *after(const char *at)
{
    if (at[0] == '/' && at[1] == '/')
        return at + strcspn(at, "\n");
    if (at[0] == '/' && at[1] == '*') {
        const char *end = strstr(at + 2, "*/");
        return end != NULL ? end + 2 : at + strlen(at);
    }
    return *at == '"' || *at == '\'' ? after_literal(at) : at + 1;
}

/* After the bracket that closes the one at 'at'; NULL if none does. */
static const char *after_closed(const char *at, char open, char close)
{
    int depth = 0;
    while (*at != '\0') {
        depth += *at == open;
        depth -= *at == close;
        at = after(at);
        if (depth == 0)
            return at;
    }
    return NULL;
}

static const char *after_blank(const char *at)
{
    while (isspace((unsigned char)*at) || (at[0] == '/' && (at[1] == '/' || at[1] == '*')))
        at = after(at);
    return at;
}

static bool is_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Its line, and the one before it if that has only the type. */
static const char *start_of(const char *source, const char *name)
{
    const char *line = name;
    while (line > source && line[-1] != '\n')
        line--;
    if (line == name && line > source) {
        const char *before = line - 1;
        while (before > source && before[-1] != '\n')
            before--;
        if (is_letter(*before))
            line = before;
    }
    return line;
}

/* After the name: arguments and a body? */
static const char *end_of(const char *at)
{
    at = after_blank(at);
    const char *body = *at == '(' ? after_closed(at, '(', ')') : NULL;
    if (body != NULL)
        body = after_blank(body);
    return body != NULL && *body == '{' ? after_closed(body, '{', '}') : NULL;
}

const char *vl_function_text(size_t *length, const char *source, const char *name)
{
    size_t n = strlen(name);
    int depth = 0;
    for (const char *at = source; *at != '\0'; at = after(at)) {
        depth += *at == '{';
        depth -= *at == '}';
        bool is_name = depth == 0 && strncmp(at, name, n) == 0 && !is_letter(at[n]) &&
                       (at == source || !is_letter(at[-1]));
        const char *end = is_name ? end_of(at + n) : NULL;
        if (end != NULL) {
            const char *start = start_of(source, at);
            *length = (size_t)(end - start);
            return start;
        }
    }
    return NULL;
}

char *vl_function_code(const char *source, const char *name)
{
    size_t length = 0;
    const char *text = vl_function_text(&length, source, name), *end = text + length;
    char *code = text != NULL ? malloc(length + 1) : NULL, *to = code;
    while (code != NULL && text < end) {
        const char *next = after(text);
        bool is_comment = text[0] == '/' && (text[1] == '/' || text[1] == '*');
        if (!is_comment && !isspace((unsigned char)*text)) {
            memcpy(to, text, (size_t)(next - text));
            to += next - text;
        }
        text = next;
    }
    if (to != NULL)
        *to = '\0';
    return code;
}
