/* code: hung */
#include "../attack.h"

ATTACK
{
    raise(SIGSTOP);
    return VL_OK;
}
