#include "grade/judge/inspect.h"

#include <string.h>

const struct vl_inspector *vl_inspector_of(const char *function)
{
    static const struct vl_inspector none = {0};
    for (size_t i = 0; vl_lab_inspectors[i] != NULL; i++)
        for (const struct vl_inspector *one = vl_lab_inspectors[i]; one->function != NULL; one++)
            if (strcmp(one->function, function) == 0)
                return one;
    return &none;
}
