/* code: defines_reserved_name */
/* says: it defines vl_bag_create, */
#include "../attack.h"

void *vl_bag_create(void);
void *vl_bag_create(void)
{
    return 0;
}

ATTACK
{
    return VL_OK;
}
