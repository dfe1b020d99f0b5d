#include "class/book/hiding.h"

#include "class/book/case_words.h"
#include <stdlib.h>
#include <string.h>

bool vl_hiding_means(const struct vl_words *words, const char *id, const char *function)
{
    for (size_t i = 0; i < words->count; i++)
        if (strcmp(words->list[i], VL_HIDING_ALL) == 0 ||
            vl_case_word_means(words->list[i], id, function))
            return true;
    return false;
}

enum vl_status vl_hiding_apply(struct vl_verdict *shown, struct vl_hidden *hidden,
                               const struct vl_verdict *verdict, const struct vl_words *words)
{
    *hidden = (struct vl_hidden){0};
    *shown = *verdict;
    shown->case_count = 0;
    shown->cases = calloc(verdict->case_count + 1, sizeof *shown->cases);
    if (shown->cases == NULL)
        return VL_ENOMEM;
    for (size_t i = 0; i < verdict->case_count; i++) {
        const struct vl_case_result *result = &verdict->cases[i];
        if (!vl_hiding_means(words, result->id, result->function)) {
            shown->cases[shown->case_count++] = *result;
            continue;
        }
        hidden->count++;
        hidden->points += result->points;
        hidden->most += result->max_points;
    }
    return VL_OK;
}
