/* code: crashed_segfault */
#include "../attack.h"

/* What is printed before a crash is in the verdict: it must steer nothing. */
ATTACK
{
    static const char words[] = "\0\x1b[2J\x1b]0;100 of 100\a\xff\xfe\xc0\x80\r]]>&<script>\n";
    for (int i = 0; i < 50; i++)
        (void)!write(1 + i % 2, words, sizeof words);
    *(volatile float *)8 = 1;
    return VL_OK;
}
