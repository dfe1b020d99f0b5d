#include "cli/shared/labs.h"

#include "base/text.h"
#include "cli/shared/arguments.h"
#include "cli/shared/say.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char *slug_of(size_t i, const void *context)
{
    (void)context;
    return i < vl_lab_count ? vl_labs[i]->slug : NULL;
}

const struct vl_lab *vl_lab_named(const char *word)
{
    const struct vl_lab *lab = vl_lab_find(word);
    if (lab == NULL) {
        const char *nearest = vl_arguments_nearest(word, slug_of, NULL);
        if (nearest != NULL)
            vl_say(VL_EXIT_USAGE, _("There is no lab `%1$s`: did you mean `%2$s`?"), word, nearest);
        else
            vl_say(VL_EXIT_USAGE,
                   _("There is no lab `%1$s`: write a number from 1 to %2$zu or a name; `vialata "
                     "list` shows them."),
                   word, vl_lab_count);
    }
    return lab;
}

enum vl_exit vl_labs_named(const struct vl_lab **labs, size_t *count, const char *words)
{
    bool wanted[64] = {false};
    char *copy = strdup(words), *rest = copy;
    enum vl_exit result = copy != NULL ? VL_EXIT_OK : vl_say_status(VL_ENOMEM);
    for (char *word; result == VL_EXIT_OK && (word = strsep(&rest, ",")) != NULL;) {
        char *last_word = strchr(word, '-');
        if (last_word != NULL)
            *last_word++ = '\0';
        const struct vl_lab *first = vl_lab_named(word);
        const struct vl_lab *last =
            last_word != NULL && first != NULL ? vl_lab_named(last_word) : first;
        if (first == NULL || last == NULL)
            result = VL_EXIT_USAGE;
        for (size_t i = 0; result == VL_EXIT_OK && i < vl_lab_count; i++)
            wanted[i] |= vl_labs[i]->number >= first->number && vl_labs[i]->number <= last->number;
    }
    free(copy);
    *count = 0;
    for (size_t i = 0; result == VL_EXIT_OK && i < vl_lab_count; i++)
        if (wanted[i])
            labs[(*count)++] = vl_labs[i];
    return result;
}
