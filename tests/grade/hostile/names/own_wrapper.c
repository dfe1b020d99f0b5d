/* code: defines_reserved_name */
/* says: it defines __wrap_vl_all_reduce_start, */
#include "../attack.h"

int __wrap_vl_all_reduce_start(void);
int __wrap_vl_all_reduce_start(void)
{
    return 0;
}

ATTACK
{
    return VL_OK;
}
