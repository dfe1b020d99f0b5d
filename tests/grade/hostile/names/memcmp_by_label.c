/* code: defines_reserved_name */
/* says: it defines memcmp, */
#include "../attack.h"

/* A harmless name here, another one for the linker. */
int equal(const void *left, const void *right, size_t n) __asm__("memcmp");
int equal(UNUSED const void *left, UNUSED const void *right, UNUSED size_t n)
{
    return 0;
}

ATTACK
{
    return VL_OK;
}
