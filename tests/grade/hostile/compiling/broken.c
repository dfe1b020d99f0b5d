/* code: does_not_compile */
/* compiler: broken.c: */
#include "../attack.h"

ATTACK
{
    return VL_OK
}
