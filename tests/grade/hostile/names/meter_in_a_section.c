/* code: defines_reserved_name */
/* says: it defines vl_meter_count, */
#include "../attack.h"

__asm__(".section .text.vl_meter_count,\"ax\",@progbits\n"
        ".weak vl_meter_count\nvl_meter_count: ret\n.text");

ATTACK
{
    return VL_OK;
}
