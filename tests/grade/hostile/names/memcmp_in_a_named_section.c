/* code: defines_reserved_name */
/* says: it defines memcmp, */
/* The section's name has nm show the letter P instead of T. */
#include "../attack.h"

__asm__(".section .pdata, \"ax\", %progbits\n"
        ".globl memcmp\n"
#if defined __x86_64__
        "memcmp: xor %eax, %eax\n ret\n"
#else
        "memcmp: mov w0, 0\n ret\n"
#endif
        ".text\n");

ATTACK
{
    return VL_OK;
}
