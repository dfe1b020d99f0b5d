#include "cli/shared/labs.h"

#include "base/place.h"
#include "base/text.h"
#include "cli/shared/arguments.h"
#include "cli/shared/say.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const char *slug_of(size_t i, const void *context)
{
    (void)context;
    return i < vl_lab_count ? vl_labs[i]->slug : NULL;
}

bool vl_lab_is_here(const struct vl_lab *lab)
{
    char **numbers = vl_place_list("handed_out");
    bool found = numbers == NULL || numbers[0] == NULL; /* not a handout */
    for (char **number = numbers; number != NULL && *number != NULL; number++)
        found |= vl_lab_find(*number) == lab;
    vl_place_list_free(numbers);
    return found;
}

const struct vl_lab *vl_lab_first_here(void)
{
    size_t i = 0;
    while (i + 1 < vl_lab_count && !vl_lab_is_here(vl_labs[i]))
        i++;
    return vl_labs[i];
}

const struct vl_lab *vl_lab_named(const char *word)
{
    const struct vl_lab *lab = vl_lab_find(word);
    if (lab != NULL && !vl_lab_is_here(lab)) {
        vl_say(VL_EXIT_USAGE,
               _("Lab %02d was not handed out yet: `vialata list` shows the labs that were."),
               lab->number);
        return NULL;
    }
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

/* "02", or "01-04": marks the labs. */
static enum vl_exit mark_range(bool *wanted, char *word)
{
    char *last_word = strchr(word, '-');
    if (last_word != NULL)
        *last_word++ = '\0';
    const struct vl_lab *first = vl_lab_named(word);
    const struct vl_lab *last =
        last_word != NULL && first != NULL ? vl_lab_named(last_word) : first;
    if (first == NULL || last == NULL)
        return VL_EXIT_USAGE;
    for (size_t i = 0; i < vl_lab_count; i++)
        wanted[i] |= vl_labs[i]->number >= first->number && vl_labs[i]->number <= last->number;
    return VL_EXIT_OK;
}

enum vl_exit vl_labs_named(const struct vl_lab **labs, size_t *count, const char *words)
{
    char *copy = strdup(words), *rest = copy;
    bool *wanted = calloc(vl_lab_count, sizeof *wanted);
    enum vl_exit result = VL_EXIT_OK;
    if (copy == NULL || wanted == NULL) {
        free(copy);
        free(wanted);
        return vl_say_status(VL_ENOMEM);
    }
    for (char *word; result == VL_EXIT_OK && (word = strsep(&rest, ",")) != NULL;)
        result = mark_range(wanted, word);
    *count = 0;
    for (size_t i = 0; result == VL_EXIT_OK && i < vl_lab_count; i++)
        if (wanted[i] && vl_lab_is_here(vl_labs[i]))
            labs[(*count)++] = vl_labs[i];
    free(copy);
    free(wanted);
    return result;
}
