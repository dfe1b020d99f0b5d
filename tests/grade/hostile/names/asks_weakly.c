/* code: uses_reserved_name */
/* says: it uses vl_meter_count, */
#include "../attack.h"

__attribute__((weak)) void vl_meter_count(const void *more);

ATTACK
{
    if (vl_meter_count != NULL)
        vl_meter_count(y);
    return VL_OK;
}
