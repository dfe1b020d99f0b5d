/* code: does_not_link */
#include "../attack.h"

/* Where the linker may look for lines and libraries: other people's files. */
__asm__(".section .gnu_debuglink,\"\",@progbits\n"
        ".asciz \"../../../../etc/passwd\"\n.balign 4\n.long 0\n"
        ".section .gnu_debugaltlink,\"\",@progbits\n.asciz \"/etc/passwd\"\n.fill 20, 1, 7\n"
        ".section .deplibs,\"MS\",@progbits,1\n.asciz \"/etc/passwd\"\n"
        ".section .gnu.lto_.opts,\"e\",@progbits\n.asciz \"-wrapper cat,/etc/passwd\"\n"
        ".text");

int nowhere(void);

ATTACK
{
    return nowhere() ? VL_EIO : VL_OK;
}
