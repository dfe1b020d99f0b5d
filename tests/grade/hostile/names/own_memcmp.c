/* code: defines_reserved_name */
#include "../attack.h"

/* Everything is equal to everything, in this process. */
int memcmp(const void *left, const void *right, size_t n)
{
    (void)left, (void)right, (void)n;
    return 0;
}

ATTACK
{
    return VL_OK;
}
