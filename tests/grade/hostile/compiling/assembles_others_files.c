/* code: does_not_compile */
__asm__(".incbin \"/etc/passwd\"\n.include \"/etc/hostname\"");
