/* code: defines_reserved_name */
/* says: it defines memcmp, */
#include "../attack.h"

/* A library's definition does not replace it. */
__attribute__((weak)) int memcmp(UNUSED const void *left, UNUSED const void *right, UNUSED size_t n)
{
    return 0;
}

ATTACK
{
    return VL_OK;
}
