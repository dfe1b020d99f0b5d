/*
 * Two people in one download are not one who handed in twice, though both are called the same, or one
 * calls himself what the roster calls the other: the platform gives each a number.
 */
#include "class/intake/intake.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool are_two(const struct vl_handed_in *a, const struct vl_handed_in *b)
{
    return a->number != 0 && b->number != 0 && a->number != b->number && a->download != NULL &&
           b->download != NULL && strcmp(a->download, b->download) == 0;
}

/* Would somebody else be taken for this student, now or once it has its new name? */
static bool has_namesake(const struct vl_intake *intake, char *const *names, size_t i)
{
    const struct vl_handed_in *item = &intake->list[i];
    for (size_t k = 0; k < intake->count && !item->exact; k++)
        if (are_two(item, &intake->list[k]) &&
            (strcasecmp(item->student, intake->list[k].student) == 0 ||
             strcasecmp(item->student, names[k]) == 0))
            return true;
    return false;
}

/* A roster that has only the name does not say which of them this is. */
static enum vl_status rename_item(struct vl_handed_in *item, const char *name, bool roster)
{
    if (item->problem == NULL && !vl_student_id_is_good(name))
        item->problem =
            vl_text_format(_("Several people are called %1$s: give this one the name %2$s "
                             "in the roster."),
                           item->name, name);
    free(item->student);
    item->student = strdup(name);
    item->known = item->known && !roster;
    return item->student != NULL ? VL_OK : VL_ENOMEM;
}

static enum vl_status rename_all(struct vl_intake *intake, char *const *names, bool roster)
{
    bool *is = calloc(intake->count + 1, sizeof *is);
    enum vl_status status = is != NULL ? VL_OK : VL_ENOMEM;
    for (size_t i = 0; i < intake->count && status == VL_OK; i++)
        is[i] = has_namesake(intake, names, i);
    for (size_t i = 0; i < intake->count && status == VL_OK; i++)
        if (is[i])
            status = rename_item(&intake->list[i], names[i], roster);
    free(is);
    return status;
}

enum vl_status vl_intake_tell_namesakes_apart(struct vl_intake *intake, bool roster)
{
    char **names = calloc(intake->count + 1, sizeof *names);
    enum vl_status status = names != NULL ? VL_OK : VL_ENOMEM;
    for (size_t i = 0; i < intake->count && status == VL_OK; i++) {
        names[i] = vl_text_format("%s_%llu", intake->list[i].name, intake->list[i].number);
        status = names[i] != NULL ? VL_OK : VL_ENOMEM;
    }
    if (status == VL_OK)
        status = rename_all(intake, names, roster);
    for (size_t i = 0; i < intake->count && names != NULL; i++)
        free(names[i]);
    free(names);
    return status;
}
