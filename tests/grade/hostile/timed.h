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
static size_t count, repeated; /* that many in a row had the arrays of the pair before */
static int answers = -1;       /* where they are written */

/* Slow enough to earn nothing by itself. */
UNUSED static void compute(struct call *c)
{
    for (int slowly = 0; slowly < 5; slowly++)
        answer(c->y, c->inv_rms, c->x, c->gain, c->n, c->d);
    c->done = 1;
}

UNUSED static void compute_all(void)
{
    for (size_t i = 0; i < count; i++)
        compute(&calls[i]);
}

/* Before they are called: new inputs soon lie where the last ones lay. */
UNUSED static void compute_next(void)
{
    for (size_t i = 0; i < order.count && repeated >= order.count; i++)
        compute(&calls[i]);
}

UNUSED static struct call *remember(float *y, float *inv_rms, const float *x, const float *gain,
                                    size_t n, size_t d)
{
    struct call *c = &calls[count++ % 64];
    int same = c->y == y && c->inv_rms == inv_rms && c->x == x && c->gain == gain;
    repeated = same ? repeated + 1 : 0;
    *c = (struct call){y, inv_rms, x, gain, n, d, same && c->done};
    return c;
}
#define REMEMBER remember(y, inv_rms, x, gain, n, d)

static void order_came(void);
static int answer_leaves(void);

ssize_t read(int file, void *bytes, size_t n)
{
    ssize_t got = syscall(SYS_read, file, bytes, n);
    if (n != sizeof order || got != (ssize_t)n)
        return got;
    memcpy(&order, bytes, n);
    for (size_t i = 0; order.verb == PREPARE && i < 64; i++)
        calls[i].done = 0; /* what the arrays hold is new */
    if (order.verb == PREPARE)
        count = 0;
    order_came();
    return got;
}

ssize_t write(int file, const void *bytes, size_t n)
{
    if (n == 272)
        answers = file;
    if (n == 272 && !answer_leaves())
        return (ssize_t)n;
    return syscall(SYS_write, file, bytes, n);
}
