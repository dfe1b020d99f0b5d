/* code: unwritten no_output */
#include "../attack.h"

ATTACK
{
    if (fork() != 0)
        return VL_OK;
    for (int i = 0; i < 300; i++) {
        forge_record(0, "\x02\0\0\0\0\0\0\0{}", 10);
        usleep(1000);
    }
    _exit(0);
}
