/* code: unwritten exited_early crashed_signal crashed_segfault hung no_output */
#include "../attack.h"

ATTACK
{
    for (int file = 0; file < 1024; file++)
        close(file);
    return VL_OK;
}
