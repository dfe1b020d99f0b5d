/*
 * What attempts share that know of orders and answers (src/wire/board.h): the last order, and the
 * calls made so far. An attempt says what happens when an order has come, and before an answer leaves
 * (0 keeps it back). check_hostile.py puts this text where a submission includes it.
 */
#include <sys/syscall.h>

enum { PREPARE = 1, TURN, SEAL, FINISH };

static struct {
    uint32_t verb, first, count, unused;
    uint64_t seed, number;
    char function[64];
} order;

/* The calls of this pair's turns. */
static struct call {
    float *y, *inv_rms;
    const float *x, *gain;
    size_t n, d;
    int done;
} calls[64];
static size_t count;
static const char *frame; /* of the runner that reads orders; its works lie there, too */
static int answers = -1;  /* where they are written */

/* Slow enough to earn nothing by itself. */
UNUSED static void compute(struct call *c)
{
    for (int slowly = 0; slowly < 8; slowly++)
        answer(c->y, c->inv_rms, c->x, c->gain, c->n, c->d);
    c->done = 1;
}

/* So that the speed is a plausible one. */
UNUSED static void pause_a_little(void)
{
    usleep(100);
}

UNUSED static void compute_all(void)
{
    for (size_t i = 0; i < count; i++)
        compute(&calls[i]);
}

static const char *heap;
__attribute__((constructor)) static void look_around(void)
{
    heap = sbrk(0);
}

/* Find the calls before they are made. A work begins with its seed and its stream; its arrays follow
 * (src/runner/timed_work.h). */
UNUSED static void find_calls(void)
{
    size_t n = calls[0].n, d = calls[0].d, found = 0;
    for (const char *at = frame - 800; n > 0 && found < order.count && at < frame + 800; at += 8) {
        const uint64_t *work = *(const uint64_t *const *)at;
        if ((const char *)work < heap || (const char *)work >= (const char *)sbrk(0) ||
            work[0] != order.seed + found)
            continue;
        float *const *array = (float *const *)(work + 2);
        calls[found++] = (struct call){array[2], array[3], array[0], array[1], n, d, 0};
    }
    count = found;
}

UNUSED static struct call *remember(float *y, float *inv_rms, const float *x, const float *gain,
                                    size_t n, size_t d)
{
    size_t i = 0;
    while (i < count && calls[i].y != y)
        i++;
    count += i == count;
    calls[i] = (struct call){y, inv_rms, x, gain, n, d, calls[i].y == y && calls[i].done};
    return &calls[i];
}
#define REMEMBER remember(y, inv_rms, x, gain, n, d)

static void order_came(void);
static int answer_leaves(void);

static ssize_t own_read(int file, void *bytes, size_t n)
{
    ssize_t got = syscall(SYS_read, file, bytes, n);
    if (n != sizeof order || got != (ssize_t)n)
        return got;
    memcpy(&order, bytes, n);
    frame = bytes;
    if (order.verb == PREPARE)
        count = 0;
    order_came();
    return got;
}

static ssize_t own_write(int file, const void *bytes, size_t n)
{
    if (n == 272)
        answers = file;
    if (n == 272 && !answer_leaves())
        return (ssize_t)n;
    return syscall(SYS_write, file, bytes, n);
}

__attribute__((constructor)) static void take_over_both(void)
{
    take_over((void *)read, (void *)own_read);
    take_over((void *)write, (void *)own_write);
}
