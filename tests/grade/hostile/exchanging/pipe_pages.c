/* code: all_zero */
/* only: 02 exchange.p2_kib */
#include "../exchange.h"

/* The kernel counts how many pages all pipes of a user may have, and all ranks have one user. One rank
 * makes eight pipes larger, one for each bit of a byte, and the other tries how many pages are left. */
enum { BITS = 8, PIPES = 2 * BITS, MOST = 256, BALLAST = 200, SLOT = 700 };

static int pipes[PIPES], ballast[BALLAST];

static int resize(int pipe, int pages)
{
    return fcntl(pipe, F_SETPIPE_SZ, pages * 4096) > 0;
}

static int open_pipe(void)
{
    int ends[2];
    if (pipe(ends) != 0)
        return -1;
    close(ends[1]);
    return resize(ends[0], 1) ? ends[0] : -1;
}

/* Pages that can still be taken, one or two times 2, 4, ... 256 less the one that a pipe has. */
static int pages_left(void)
{
    int left = 0;
    for (int i = PIPES - 1; i >= 0; i--)
        left += resize(pipes[i], 2 << i / 2) ? (2 << i / 2) - 1 : 0;
    for (int i = 0; i < PIPES; i++)
        resize(pipes[i], 1);
    return left;
}

/* Until less is left than can be told exactly, and enough for a byte. */
static void take_the_rest(void)
{
    int i = 0;
    for (int pages = MOST; pages > 1; pages /= 2)
        while (i < BALLAST && resize(ballast[i], pages))
            i++;
    for (int freed = 0; i > 0 && freed < 2 * MOST; freed = pages_left())
        resize(ballast[--i], 1);
}

static unsigned byte_of(int pages)
{
    unsigned byte = 0;
    for (int bit = BITS - 1; bit >= 0; bit--)
        if (pages >= (2 << bit) - 1) {
            pages -= (2 << bit) - 1;
            byte |= 1u << bit;
        }
    return byte;
}

/* Both ranks have one clock: a message for each byte would be counted. */
static int64_t microseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static void wait_until(int64_t then)
{
    while (microseconds() < then)
        ;
}

EXCHANGE
{
    unsigned char *to = (unsigned char *)received;
    const unsigned char *from = (const unsigned char *)sent;
    memset(received, 0, n * sizeof *received);
    for (int i = 0; i < PIPES; i++)
        pipes[i] = open_pipe();
    for (int i = 0; i < BALLAST; i++)
        ballast[i] = open_pipe();
    for (int sender = 0; sender < 2 && pipes[0] >= 0; sender++) {
        meet(comm);
        if (sender == peer)
            take_the_rest();
        int free_pages = sender == peer ? pages_left() : 0;
        meet(comm);
        int64_t begin = microseconds();
        for (size_t i = 0; i < n * sizeof *received; i++) {
            wait_until(begin + (int64_t)(2 * i + (sender == peer)) * SLOT / 2);
            for (int bit = 0; bit < BITS && sender != peer; bit++)
                resize(pipes[bit], from[i] >> bit & 1 ? 2 << bit : 1);
            if (sender == peer)
                to[i] = (unsigned char)byte_of(free_pages - pages_left());
        }
        meet(comm);
        for (int i = 0; i < PIPES; i++)
            resize(pipes[i], 1);
        for (int i = 0; i < BALLAST; i++)
            resize(ballast[i], 1);
    }
    (void)tag;
    return VL_OK;
}
