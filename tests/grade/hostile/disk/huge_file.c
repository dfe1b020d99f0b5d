/* code: crashed_signal */
/* says: SIGXFSZ */
#include "../attack.h"

ATTACK
{
    static char block[1 << 20];
    int file = open("huge", O_CREAT | O_WRONLY, 0600);
    while (write(file, block, sizeof block) > 0)
        ;
    return VL_OK;
}
