/* code: crashed_segfault */
/* says: segfault.c: */
#include "../attack.h"

ATTACK
{
    *(volatile float *)8 = 1;
    return VL_OK;
}
