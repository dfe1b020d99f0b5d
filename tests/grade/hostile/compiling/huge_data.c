/* code: does_not_compile */
char huge[(unsigned long)1 << 32] = {1};
