/* code: no_output exited_early */
#include "../attack.h"

/* They announce more than they hold, and grow while they are read. */
ATTACK
{
    static char block[1 << 16];
    uint64_t head[2] = {0, sizeof block * 100};
    int file = open("results.0", O_WRONLY | O_APPEND);
    (void)!write(file, head, sizeof head);
    if (fork() == 0)
        for (int i = 0; i < 200; i++) {
            (void)!write(file, block, sizeof block);
            usleep(500);
        }
    finish_everything();
    _exit(0);
}
