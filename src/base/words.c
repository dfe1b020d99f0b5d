#include "base/words.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void vl_words_add(struct vl_words *words, const char *format, ...)
{
    char **list = realloc(words->list, (words->count + 2) * sizeof *list);
    words->failed |= list == NULL;
    if (list == NULL)
        return;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&list[words->count], format, arguments) >= 0)
        words->count++;
    else
        words->failed = 1;
    va_end(arguments);
    list[words->count] = NULL;
    words->list = list;
}

void vl_words_add_all(struct vl_words *words, const char *const *list)
{
    for (; *list != NULL; list++)
        vl_words_add(words, "%s", *list);
}

void vl_words_free(struct vl_words *words)
{
    for (size_t i = 0; i < words->count; i++)
        free(words->list[i]);
    free(words->list);
    *words = (struct vl_words){0};
}
