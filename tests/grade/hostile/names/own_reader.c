/* code: defines_reserved_name */
/* says: it defines vl_bag_read, */
#include "../attack.h"

__asm__(".globl vl_bag_read\nvl_bag_read: xor %eax, %eax\nret");

ATTACK
{
    return VL_OK;
}
