/* code: too_large */
/* The section's name has nm show the letter P instead of B. */
#include "../attack.h"

__asm__(".section .pdata, \"aw\", %nobits\n"
        ".globl much\n"
        "much: .zero 0x60000000\n"
        ".size much, 0x60000000\n"
        ".text\n");

ATTACK
{
    return VL_OK;
}
