/* code: does_not_link */
/* compiler: vl_bag_create */
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
