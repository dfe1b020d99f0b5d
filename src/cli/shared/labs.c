#include "cli/shared/labs.h"

#include "base/text.h"
#include "cli/shared/arguments.h"
#include "cli/shared/say.h"
#include <stddef.h>

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
