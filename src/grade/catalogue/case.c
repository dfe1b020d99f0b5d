#include "grade/catalogue/case.h"

const struct vl_lab_cases *vl_lab_cases(const struct vl_lab *lab)
{
    for (size_t i = 0; i < vl_lab_count; i++)
        if (vl_labs[i] == lab)
            return vl_all_cases[i];
    return NULL;
}
