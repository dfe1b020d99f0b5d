/* code: defines_reserved_name */
/* says: it defines memcmp, */
/* A name in a section that no program loads has nm show the letter N. The linker makes it the number
 * 0x401000: an address in the program. */
#include "../attack.h"

__asm__(".section .nowhere, \"\", %progbits\n"
        ".globl memcmp\n"
        ".set memcmp, 0x401000 + .\n"
        ".byte 0\n"
        ".text\n");

ATTACK
{
    return VL_OK;
}
