/* code: too_much_memory used_threads */
/* only: 01 rmsnorm_forward.speed */
/* Memory of processes of its own, when only speed is looked at. */
#include "../attack.h"

ATTACK
{
    static int children;
    ANSWER;
    for (; children < 3; children++)
        if (fork() == 0) {
            char *memory = malloc(600 << 20);
            memset(memory, 1, 600 << 20);
            pause();
        }
    usleep(600000);
    return VL_OK;
}
