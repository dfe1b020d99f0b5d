/* code: defines_reserved_name */
#include "../attack.h"

/* Weak, so that it links: the archive's own is stronger. */
__asm__(".weak vl_bag_read\nvl_bag_read: mov $3, %eax\nret");

ATTACK
{
    return VL_OK;
}
