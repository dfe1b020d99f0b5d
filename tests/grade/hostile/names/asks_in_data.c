/* code: uses_reserved_name */
/* says: it uses vl_bag_read, */
#include "../attack.h"

/* An address that the linker writes down. */
__asm__(".data\n.quad vl_bag_read\n.text");

ATTACK
{
    return VL_OK;
}
