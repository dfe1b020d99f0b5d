/* code: used_threads */
/* only: 01 rmsnorm_forward.speed */
/* A thread that is there from the beginning does half of each call. */
#include "../attack.h"

#include <pthread.h>

static struct {
    float *y, *inv_rms;
    const float *x, *gain;
    size_t n, d;
} part;
static int wanted;

static void *do_parts(void *nothing)
{
    for (;;) {
        while (!__atomic_load_n(&wanted, __ATOMIC_ACQUIRE))
            usleep(10);
        answer(part.y, part.inv_rms, part.x, part.gain, part.n, part.d);
        __atomic_store_n(&wanted, 0, __ATOMIC_RELEASE);
    }
    return nothing;
}

__attribute__((constructor)) static void start(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, do_parts, NULL);
}

ATTACK
{
    size_t half = n / 2;
    part.y = y + half * d, part.inv_rms = inv_rms + half, part.x = x + half * d;
    part.gain = gain, part.n = n - half, part.d = d;
    __atomic_store_n(&wanted, 1, __ATOMIC_RELEASE);
    answer(y, inv_rms, x, gain, half, d);
    while (__atomic_load_n(&wanted, __ATOMIC_ACQUIRE))
        ;
    return VL_OK;
}
