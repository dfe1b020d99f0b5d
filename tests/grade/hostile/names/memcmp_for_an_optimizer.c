/* code: defines_reserved_name */
/* says: it defines memcmp, */
#include "../attack.h"

/* Sections of a link-time optimizer name another function, and tools that ask its plugin believe
 * them. The linker takes the code. */
__asm__(".section .gnu.lto_.symtab.1,\"e\",@progbits\n"
        ".string \"harmless\"\n.string \"\"\n.byte 0, 0\n.quad 0\n.long 0\n"
        ".section .gnu.lto_.lto.1,\"e\",@progbits\n"
        ".value 12, 0\n.byte 0, 0\n.value 0\n"
        ".text\n.globl memcmp\nmemcmp: ret");

ATTACK
{
    return VL_OK;
}
