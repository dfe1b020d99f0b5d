/* code: uses_later_lab */
/* says: it uses vl_group_of of lab 10, */
#include "../attack.h"

int harmless(void) __asm__("vl_group_of");

ATTACK
{
    return harmless() == 0 ? VL_OK : VL_EINVAL;
}
