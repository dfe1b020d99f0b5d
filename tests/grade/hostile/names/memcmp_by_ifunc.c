/* code: defines_reserved_name */
/* says: it defines memcmp, */
#include "../attack.h"

static int equal(UNUSED const void *left, UNUSED const void *right, UNUSED size_t n)
{
    return 0;
}

UNUSED static void *choose(void)
{
    return (void *)equal;
}

int memcmp(const void *left, const void *right, size_t n) __attribute__((ifunc("choose")));

ATTACK
{
    return VL_OK;
}
