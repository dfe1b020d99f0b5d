/* code: defines_reserved_name */
/* says: it defines memcmp, */
#include "../attack.h"

/* In a section of which the linker keeps the first it sees. */
__asm__(".section .text.memcmp,\"axG\",@progbits,memcmp,comdat\n"
        ".weak memcmp\nmemcmp: ret\n"
        ".section .gnu.linkonce.t.memcmp,\"ax\",@progbits\nret\n.text");

ATTACK
{
    return VL_OK;
}
