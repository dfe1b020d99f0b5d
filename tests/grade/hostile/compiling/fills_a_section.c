/* code: does_not_compile */
__asm__(".data\n.fill 0x100000000, 1, 1");
