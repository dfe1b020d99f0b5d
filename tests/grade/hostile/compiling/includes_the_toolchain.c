/* code: does_not_compile */
__asm__(".incbin \"../toolchain/0_runner.o\"");
