/* code: symbols_unreadable */
/* only: 01 rmsnorm_forward.odd */
/* A table of symbols in which memcmp has the kind of a file's name: nm leaves it out, the linker does
 * not. */
__asm__(".text\n"
#if defined __x86_64__
        "zero: xor %eax, %eax\n ret\n"
#else
        "zero: mov w0, 0\n ret\n"
#endif
        ".section .names, \"\", %3\n"
        ".byte 0\n"
        ".asciz \"memcmp\"\n"             /* at 1 */
        ".asciz \"vl_rmsnorm_forward\"\n" /* at 8 */
        ".section .table, \"Mo\", %2, 24, .names\n"
        ".long 1\n .byte 0x13, 0\n .short 1\n .quad 0, 0\n"
        ".long 8\n .byte 0x12, 0\n .short 1\n .quad 0, 0\n"
        ".text\n");
