/* code: defines_reserved_name */
/* says: it defines memcmp, */
#include "../attack.h"

#pragma redefine_extname equal memcmp
int equal(const void *left, const void *right, size_t n);
int equal(UNUSED const void *left, UNUSED const void *right, UNUSED size_t n)
{
    return 0;
}

ATTACK
{
    return VL_OK;
}
