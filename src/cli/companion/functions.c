#include "cli/companion/functions.h"

#include "base/text.h"
#include "cli/shared/arguments.h"
#include "cli/shared/say.h"

#include <string.h>

const struct vl_lab_function *vl_function_named(const struct vl_lab *lab, const char *word)
{
    for (size_t i = 0; i < lab->function_count; i++) {
        const char *name = lab->functions[i].name;
        if (strcmp(name, word) == 0 ||
            (strncmp(name, "vl_", 3) == 0 && strcmp(name + 3, word) == 0))
            return &lab->functions[i];
    }
    return NULL;
}

static const char *name_at(size_t i, const void *context)
{
    const struct vl_lab *lab = context;
    return i < lab->function_count ? lab->functions[i].name : NULL;
}

enum vl_exit vl_function_refuse(const struct vl_lab *lab, const char *word)
{
    const char *nearest = vl_arguments_nearest(word, name_at, lab);
    if (nearest != NULL)
        return vl_say(VL_EXIT_USAGE, _("Lab %1$02d has no function `%2$s`: did you mean `%3$s`?"),
                      lab->number, word, nearest);
    return vl_say(VL_EXIT_USAGE,
                  _("Lab %1$02d has no function `%2$s`: `vialata explain %1$02d` lists them."),
                  lab->number, word);
}
