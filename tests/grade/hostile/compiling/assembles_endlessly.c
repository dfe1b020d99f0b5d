/* code: does_not_compile */
__asm__(".incbin \"/dev/zero\"");
