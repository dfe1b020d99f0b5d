/* code: symbols_unreadable */
/* says: too_many_names.c was left out */
#include "../attack.h"

/* Some 10 MiB of names. */
__asm__(".text\n"
        ".altmacro\n"
        ".macro name number\n"
        ".globl a_helper_with_a_rather_long_name_\\number\n"
        "a_helper_with_a_rather_long_name_\\number:\n"
        ".endm\n"
        ".set count, 0\n"
        ".rept 200000\n"
        "name %count\n"
        ".set count, count + 1\n"
        ".endr\n");

ATTACK
{
    (void)y, (void)inv_rms, (void)x, (void)gain, (void)n, (void)d;
    return VL_OK;
}
