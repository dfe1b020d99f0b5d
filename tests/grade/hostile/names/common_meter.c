/* code: defines_reserved_name */
/* says: it defines vl_meter_count, */
#include "../attack.h"

/* A variable without a home becomes whatever else has its name. */
__asm__(".comm vl_meter_count, 64, 16");

ATTACK
{
    return VL_OK;
}
