/* code: defines_reserved_name */
/* says: it defines memcmp, */
#include "../attack.h"

/* The name as the library itself has it. */
int equal(const void *left, const void *right, size_t n);
int equal(UNUSED const void *left, UNUSED const void *right, UNUSED size_t n)
{
    return 0;
}
__asm__(".symver equal, memcmp@@GLIBC_2.2.5");

ATTACK
{
    return VL_OK;
}
