/* code: too_large */
#include "../attack.h"

static char zeros[(size_t)1 << 40];

ATTACK
{
    ANSWER;
    zeros[n] = 1;
    return zeros[d] ? VL_EIO : VL_OK;
}
