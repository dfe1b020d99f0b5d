/* code: crashed_segfault crashed_signal hung */
#include "../attack.h"

static void again(int number)
{
    signal(number, again);
    *(volatile float *)8 = 1;
}

ATTACK
{
    signal(SIGSEGV, again);
    *(volatile float *)8 = 1;
    return VL_OK;
}
