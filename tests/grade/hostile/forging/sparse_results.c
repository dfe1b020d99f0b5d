/* code: no_output exited_early */
#include "../attack.h"

/* A hundred MiB that cost nothing to write. */
ATTACK
{
    uint64_t head[2] = {0, 100 << 20};
    int file = open("results.0", O_WRONLY | O_APPEND);
    (void)!write(file, head, sizeof head);
    (void)!ftruncate(file, (off_t)(sizeof head + (100 << 20)));
    finish_everything();
    _exit(0);
}
