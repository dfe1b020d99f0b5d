/* code: defines_reserved_name */
/* says: it defines memcmp, */
#include "../attack.h"

/* A static function that the assembler gives one more name. */
__attribute__((used)) static int equal(UNUSED const void *left, UNUSED const void *right,
                                       UNUSED size_t n)
{
    return 0;
}
__asm__(".globl memcmp\n.set memcmp, equal");

ATTACK
{
    return VL_OK;
}
