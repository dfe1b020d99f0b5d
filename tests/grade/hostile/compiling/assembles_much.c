/* code: does_not_compile */
__asm__(".rept 100000\n.rept 100000\n.quad 1\n.endr\n.endr");
