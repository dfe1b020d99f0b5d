/* code: implausible_speed */
/* only: 01 rmsnorm_forward.speed */
/* It computes when the clock has stopped, before results are asked for. */
#include "../attack.h"

#include <sys/syscall.h>

static struct call {
    float *y, *inv_rms;
    const float *x, *gain;
    size_t n, d;
} calls[8192];
static size_t count;

static void compute(void)
{
    for (size_t i = 0; i < count; i++) {
        const struct call *c = &calls[i];
        size_t rows = i + 1 < count && c[1].x == c->x + 8 * c->d ? 8 : c->n; /* windows overlap */
        answer(c->y, c->inv_rms, c->x, c->gain, rows, c->d);
    }
}

/* The grader's orders come through here: 1 prepares new inputs, 3 asks for results. */
static ssize_t own_read(int file, void *bytes, size_t n)
{
    ssize_t got = syscall(SYS_read, file, bytes, n);
    if (got == 88 && *(uint32_t *)bytes == 3)
        compute();
    if (got == 88 && *(uint32_t *)bytes != 2)
        count = 0;
    return got;
}

__attribute__((constructor)) static void take_over_read(void)
{
    take_over((void *)read, (void *)own_read);
}

ATTACK
{
    if (count < sizeof calls / sizeof *calls)
        calls[count++] = (struct call){y, inv_rms, x, gain, n, d};
    return VL_OK;
}
