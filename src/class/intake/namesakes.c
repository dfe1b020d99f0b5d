#include "class/intake/namesakes.h"

#include "base/text.h"

#include <stdlib.h>
#include <strings.h>

static bool is_namesake(const struct vl_handed_in *a, const struct vl_handed_in *b)
{
    return a->number != 0 && b->number != 0 && a->number != b->number &&
           strcasecmp(a->name, b->name) == 0;
}

/* A roster that has only the name does not say which of them this is. */
static void rename_item(struct vl_handed_in *item, char *name, bool roster)
{
    if (item->problem == NULL && !vl_student_id_is_good(name))
        item->problem =
            vl_text_format(_("Several people are called %1$s: give this one the name %2$s "
                             "in the roster."),
                           item->name, name);
    free(item->student);
    item->student = name;
    item->known = item->known && !roster;
}

static bool has_namesake(const struct vl_intake *intake, size_t first, size_t i)
{
    for (size_t k = first; k < intake->count; k++)
        if (is_namesake(&intake->list[i], &intake->list[k]))
            return true;
    return false;
}

enum vl_status vl_tell_namesakes_apart(struct vl_intake *intake, size_t first, bool roster)
{
    char **names = calloc(intake->count - first + 1, sizeof *names);
    enum vl_status status = names != NULL ? VL_OK : VL_ENOMEM;
    for (size_t i = first; i < intake->count && status == VL_OK; i++) {
        const struct vl_handed_in *item = &intake->list[i];
        if (!has_namesake(intake, first, i))
            continue;
        names[i - first] = vl_text_format("%s_%llu", item->name, item->number);
        status = names[i - first] != NULL ? VL_OK : VL_ENOMEM;
    }
    for (size_t i = first; i < intake->count && names != NULL; i++)
        if (names[i - first] != NULL)
            rename_item(&intake->list[i], names[i - first], roster);
    free(names);
    return status;
}
