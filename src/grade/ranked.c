#include "grade/case.h"

#include <stdio.h>

const char *vl_ranked(char text[VL_RANKED_NAME], const char *name, int rank)
{
    snprintf(text, VL_RANKED_NAME, "%s@%d", name, rank);
    return text;
}
