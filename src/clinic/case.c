#include "clinic/case.h"

const struct vl_clinic_case *vl_clinic_case(int number)
{
    for (size_t i = 0; i < vl_clinic_count; i++)
        if (vl_clinic_cases[i]->number == number)
            return vl_clinic_cases[i];
    return NULL;
}
