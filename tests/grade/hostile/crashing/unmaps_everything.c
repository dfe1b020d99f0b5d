/* code: crashed_segfault exited_early */
#include "../attack.h"

ATTACK
{
    munmap(0, (size_t)1 << 46);
    return VL_OK;
}
