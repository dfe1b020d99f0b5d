/* code: never_started */
#include "../attack.h"

__attribute__((constructor)) static void first(void)
{
    _exit(0);
}

ATTACK
{
    return VL_OK;
}
