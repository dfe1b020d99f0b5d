/* code: no_output unwritten */
#include "../attack.h"

/* nm sorts by name: these 6,000 (some 300 KiB of its words) come before the function below. */
__asm__(".text\n"
        ".altmacro\n"
        ".macro name number\n"
        ".globl a_helper_with_a_rather_long_name_\\number\n"
        "a_helper_with_a_rather_long_name_\\number:\n"
        ".endm\n"
        ".set count, 0\n"
        ".rept 6000\n"
        "name %count\n"
        ".set count, count + 1\n"
        ".endr\n");

ATTACK
{
    (void)y, (void)inv_rms, (void)x, (void)gain, (void)n, (void)d;
    return VL_OK;
}
