/* code: full */
#include "../attack.h"

/* A program that says what loads it, what it is linked with and what comes before everything else: the
 * linker writes these parts itself, and what runs first is behind the wall, too. */
__asm__(".section .interp,\"a\",@progbits\n.asciz \"/bin/sh\"\n"
        ".section .note.gnu.property,\"a\",@note\n.long 4, 0x7fffffff, 5\n.asciz \"GNU\"\n"
        ".section .note.GNU-stack,\"x\",@progbits\n"
        ".text");

static int first = -1;

static void before_all_others(void)
{
    first = open("/etc/shadow", O_RDONLY);
}

__attribute__((section(".preinit_array"),
               used)) static void (*const early)(void) = before_all_others;

ATTACK
{
    ANSWER;
    return first < 0 ? VL_OK : VL_EIO;
}
