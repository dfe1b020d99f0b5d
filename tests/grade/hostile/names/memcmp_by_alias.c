/* code: defines_reserved_name */
/* says: it defines memcmp, */
#include "../attack.h"

static int equal(UNUSED const void *left, UNUSED const void *right, UNUSED size_t n)
{
    return 0;
}

int memcmp(const void *left, const void *right, size_t n) __attribute__((alias("equal")));

ATTACK
{
    return VL_OK;
}
