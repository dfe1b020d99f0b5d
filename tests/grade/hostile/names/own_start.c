/* code: defines_reserved_name */
/* says: it defines _start, */
#include "../attack.h"

__asm__(".weak _start\n_start: hlt");

ATTACK
{
    return VL_OK;
}
