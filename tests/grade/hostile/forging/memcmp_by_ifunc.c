/* code: unwritten */
#include "../attack.h"

static int equal(void)
{
    return 0;
}

static int (*choose(void))(void)
{
    return equal;
}

__asm__(".globl memcmp\n.type memcmp, @gnu_indirect_function\n.set memcmp, choose");
UNUSED static int (*(*const kept)(void))(void) = choose;

ATTACK
{
    return VL_OK;
}
