#include "clinic/repair.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 'text' with one piece replaced, fresh. */
static enum vl_status replace(char **changed, const char *text,
                              const struct vl_clinic_repair *repair)
{
    const char *found = strstr(text, repair->broken);
    if (found == NULL)
        return VL_EFORMAT;
    int written = asprintf(changed, "%.*s%s%s", (int)(found - text), text, repair->right,
                           found + strlen(repair->broken));
    return written < 0 ? VL_ENOMEM : VL_OK;
}

enum vl_status vl_clinic_repair(char **repaired, const struct vl_clinic_case *item,
                                const char *program)
{
    char *text = strdup(program);
    enum vl_status status = text != NULL ? VL_OK : VL_ENOMEM;
    for (int i = 0; i < VL_CLINIC_REPAIRS && item->repairs[i].broken != NULL && status == VL_OK;
         i++) {
        char *changed = NULL;
        status = replace(&changed, text, &item->repairs[i]);
        if (status == VL_OK) {
            free(text);
            text = changed;
        }
    }
    if (status != VL_OK) {
        free(text);
        text = NULL;
    }
    *repaired = text;
    return status;
}
