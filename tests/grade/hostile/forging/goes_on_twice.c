/* code: unwritten */
#include "../attack.h"

/* Two processes come back from one call. */
ATTACK
{
    (void)!fork();
    return VL_OK;
}
