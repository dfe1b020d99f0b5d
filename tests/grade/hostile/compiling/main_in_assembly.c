/* code: defines_main */
#include "../attack.h"

__asm__(".globl main\n.type main, @function\nmain: ret");

ATTACK
{
    return VL_OK;
}
