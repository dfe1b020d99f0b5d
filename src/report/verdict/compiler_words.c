#include "report/verdict/compiler_words.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* From one line to the next. */
static size_t line_length(const char *line)
{
    size_t n = strcspn(line, "\n");
    return n + (line[n] == '\n');
}

static bool has(const char *line, const char *word)
{
    const char *found = strstr(line, word);
    return found != NULL && (size_t)(found - line) < line_length(line);
}

static bool is_error(const char *line)
{
    return has(line, ": error: ") || has(line, ": fatal error: ");
}

static bool is_head(const char *line)
{
    return is_error(line) || has(line, ": warning: ");
}

/* Where it is, before what is wrong there. */
static bool is_before_head(const char *line)
{
    return strncmp(line, "In file included", strlen("In file included")) == 0 ||
           has(line, ": In function ") || has(line, ": At top level:");
}

/* A message with its lines: returns where the next one begins. A sentence of our own has no head, and counts as an
 * error. */
static const char *next_message(bool *stops, const char *at)
{
    bool headed = false, own = false;
    *stops = true;
    while (*at != '\0' && !((headed || own) && (is_head(at) || is_before_head(at)))) {
        if (is_head(at)) {
            headed = true;
            *stops = is_error(at);
        } else if (!headed && !is_before_head(at) && *at != ' ') {
            own = true;
        }
        at += line_length(at);
    }
    return at;
}

static char *add(char *to, const char *words, bool errors)
{
    for (const char *at = words, *next; *at != '\0'; at = next) {
        bool stops;
        next = next_message(&stops, at);
        if (stops == errors) {
            memcpy(to, at, (size_t)(next - at));
            to += next - at;
        }
    }
    return to;
}

char *vl_compiler_errors_first(const char *words)
{
    char *ordered = malloc(strlen(words) + 1);
    if (ordered != NULL)
        *add(add(ordered, words, true), words, false) = '\0';
    return ordered;
}
