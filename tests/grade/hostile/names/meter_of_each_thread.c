/* code: defines_reserved_name */
/* says: it defines vl_meter_count, */
#include "../attack.h"

__thread int vl_meter_count;

ATTACK
{
    return VL_OK;
}
