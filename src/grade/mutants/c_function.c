#include "grade/mutants/c_function.h"

#include <ctype.h>
#include <string.h>

/* The line before 'line'; NULL at the start of the text. */
static const char *line_before(const char *text, const char *line)
{
    if (line == text)
        return NULL;
    const char *at = line - 1;
    while (at > text && at[-1] != '\n')
        at--;
    return at;
}

/* Can this line belong to the head of a function that ends below it? */
static bool is_head(const char *line)
{
    size_t length = strcspn(line, "\n");
    if (length == 0 || line[0] == '#' || line[0] == '}')
        return false;
    char last = line[length - 1];
    return last != ';' && last != '}' && !(last == '/' && length > 1 && line[length - 2] == '*');
}

static bool read_head(struct vl_c_function *function, const char *text, const char *brace)
{
    const char *start = brace;
    for (const char *line = line_before(text, start); line != NULL && is_head(line);
         line = line_before(text, start))
        start = line;
    const char *open = memchr(start, '(', (size_t)(brace - start));
    if (open == NULL)
        return false;
    const char *name = open;
    while (name > start && (isalnum((unsigned char)name[-1]) || name[-1] == '_'))
        name--;
    function->name = name;
    function->length = (size_t)(open - name);
    function->start = start;
    function->is_static = strncmp(start, "static ", 7) == 0;
    return function->length > 0;
}

bool vl_c_function_next(struct vl_c_function *function, const char *text)
{
    const char *brace = text;
    while ((brace = strstr(brace, "\n{\n")) != NULL) {
        const char *end = strstr(brace + 1, "\n}\n");
        brace++;
        if (end == NULL)
            return false;
        function->end = end + 3;
        if (read_head(function, text, brace))
            return true;
    }
    return false;
}
