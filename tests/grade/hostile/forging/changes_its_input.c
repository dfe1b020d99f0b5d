/* code: input_modified */
#include "../attack.h"

ATTACK
{
    ANSWER;
    ((float *)x)[0] += 1;
    return VL_OK;
}
