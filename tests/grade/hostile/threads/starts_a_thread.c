/* code: used_threads */
/* only: 01 rmsnorm_forward.speed */
/* A thread for each call does half of it. */
#include "../attack.h"

#include <pthread.h>

struct part {
    float *y, *inv_rms;
    const float *x, *gain;
    size_t n, d;
};

static void *do_part(void *opaque)
{
    const struct part *p = opaque;
    answer(p->y, p->inv_rms, p->x, p->gain, p->n, p->d);
    return NULL;
}

ATTACK
{
    pthread_t thread;
    size_t half = n / 2;
    struct part second = {y + half * d, inv_rms + half, x + half * d, gain, n - half, d};
    int started = pthread_create(&thread, NULL, do_part, &second) == 0;
    answer(y, inv_rms, x, gain, half, d);
    if (started)
        pthread_join(thread, NULL);
    else
        do_part(&second);
    return VL_OK;
}
