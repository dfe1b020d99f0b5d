/* code: unwritten hung too_much_memory */
#include "../attack.h"

#include <pthread.h>

static void *wait_for_ever(void *nothing)
{
    for (;;)
        pause();
    return nothing;
}

ATTACK
{
    pthread_t thread;
    for (int i = 0; i < 100000; i++)
        if (pthread_create(&thread, NULL, wait_for_ever, NULL) != 0)
            break;
    return VL_OK;
}
