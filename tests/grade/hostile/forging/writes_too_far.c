/* code: out_of_bounds */
#include "../attack.h"

ATTACK
{
    ANSWER;
    y[n * d] = 1;
    return VL_OK;
}
