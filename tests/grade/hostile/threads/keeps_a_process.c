/* code: used_threads */
/* only: 01 rmsnorm_forward.speed */
/* A process of its own fills the caches as long as it lives. */
#include "../attack.h"

__attribute__((constructor)) static void start(void)
{
    static char memory[64 << 20];
    if (fork() == 0)
        for (;;)
            memset(memory, getpid(), sizeof memory);
}

ATTACK
{
    ANSWER;
    return VL_OK;
}
