/* code: full */
#include "../attack.h"

#include <pthread.h>

static void *turn(void *nothing)
{
    for (volatile int i = 0;; i = !i)
        ;
    return nothing;
}

ATTACK
{
    pthread_t thread;
    for (int i = 0; i < 4; i++)
        pthread_create(&thread, NULL, turn, NULL);
    ANSWER;
    return VL_OK;
}
