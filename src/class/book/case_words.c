#include "class/book/case_words.h"

#include "grade/catalogue/case.h"
#include <string.h>

bool vl_case_word_means(const char *word, const char *id, const char *function)
{
    const char *bare = strncmp(function, "vl_", 3) == 0 ? function + 3 : function;
    return strcmp(word, id) == 0 || strcmp(word, function) == 0 || strcmp(word, bare) == 0;
}

bool vl_case_word_is_known(const char *word, const struct vl_lab *lab)
{
    const struct vl_lab_cases *cases = vl_lab_cases(lab);
    for (size_t i = 0; i < cases->case_count; i++)
        if (vl_case_word_means(word, cases->cases[i].id, cases->cases[i].function))
            return true;
    for (size_t i = 0; i < cases->timing_count; i++)
        if (vl_case_word_means(word, cases->timings[i].id, cases->timings[i].function))
            return true;
    return false;
}

void vl_case_words_split(struct vl_words *words, const char *list)
{
    while (*list != '\0') {
        size_t n = strcspn(list, ",");
        if (n > 0)
            vl_words_add(words, "%.*s", (int)n, list);
        list += n;
        list += *list == ',';
    }
}
