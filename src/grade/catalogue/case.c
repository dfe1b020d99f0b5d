#include "grade/catalogue/case.h"

const struct vl_lab_cases *vl_lab_cases(const struct vl_lab *lab)
{
    for (size_t i = 0; lab != NULL && i < vl_lab_count; i++)
        if (vl_all_cases[i]->lab == lab->number)
            return vl_all_cases[i];
    return NULL;
}
