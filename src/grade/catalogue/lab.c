#include "grade/catalogue/lab.h"

#include <ctype.h>
#include <string.h>

const struct vl_lab *vl_lab_find(const char *name)
{
    if (!name)
        return NULL;
    int number = 0;
    size_t digits = 0;
    while (isdigit((unsigned char)name[digits]) && digits < 3)
        number = 10 * number + (name[digits++] - '0');
    int all_digits = digits > 0 && name[digits] == '\0';
    for (size_t i = 0; i < vl_lab_count; i++) {
        const struct vl_lab *lab = vl_labs[i];
        if ((all_digits && number == lab->number) || strcmp(name, lab->slug) == 0 ||
            strcmp(name, lab->folder) == 0)
            return lab;
    }
    return NULL;
}

bool vl_lab_does_without(const struct vl_lab *lab, const struct vl_lab *other)
{
    return other->number > lab->number && !other->in_every_step;
}
