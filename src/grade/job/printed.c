#include "grade/job/printed.h"

#include "wire/printed.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* After the mark at 'at', and its number; NULL if there is none. */
static const char *after_mark(unsigned *number, const char *at)
{
    char *end;
    if (*at != VL_PRINTED_BEGIN)
        return NULL;
    *number = (unsigned)strtoul(at + 1, &end, 10);
    return end > at + 1 && *end == VL_PRINTED_END ? end + 1 : NULL;
}

size_t vl_printed_marks(const char *stream, size_t bytes)
{
    size_t marks = 0;
    unsigned found;
    for (const char *at = stream; *at != '\0' && (size_t)(at - stream) < bytes; at++)
        marks += after_mark(&found, at) != NULL;
    return marks;
}

/* From 'begin' to 'end', without marks. */
static char *text_of(const char *begin, const char *end)
{
    unsigned number;
    char *text = malloc((size_t)(end - begin) + 1), *to = text;
    while (text != NULL && begin < end) {
        const char *after = after_mark(&number, begin);
        if (after != NULL)
            begin = after;
        else
            *to++ = *begin++;
    }
    if (to != NULL)
        *to = '\0';
    return text;
}

/* What comes too late for its case lies before the mark of another one, and is left out. */
char *vl_printed_of(size_t *end, const char *stream, unsigned number)
{
    const char *begin = stream, *last = NULL, *after;
    unsigned found;
    for (const char *at = stream; *at != '\0'; at = after != NULL ? after : at + 1) {
        after = after_mark(&found, at);
        if (after != NULL && found == number)
            last = after;
        else if (after != NULL && found != VL_PRINTED_NO_CASE && last == NULL)
            begin = after;
    }
    *end = last != NULL ? (size_t)(last - stream) : 0;
    return last != NULL ? text_of(begin, last) : NULL;
}

char *vl_printed_last(const char *stream, unsigned number)
{
    const char *begin = stream, *after;
    unsigned found;
    for (const char *at = stream; *at != '\0'; at = after != NULL ? after : at + 1) {
        after = after_mark(&found, at);
        if (after != NULL && found != number && found != VL_PRINTED_NO_CASE)
            begin = after;
    }
    return text_of(begin, begin + strlen(begin));
}
