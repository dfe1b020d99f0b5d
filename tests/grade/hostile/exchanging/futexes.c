/* code: unwritten all_zero */
/* only: 02 exchange.p2_kib */
#include "../exchange.h"

#include <linux/futex.h>
#include <sys/syscall.h>

enum { WORDS = 100, READY = WORDS, PATIENCE = 200000 };

static const uint32_t *words; /* of a file that both ranks may only read, whoever maps it */

/* Sleep at those words whose bits are one, and at one more, until somebody wakes us. */
static long sleep_at(const uint32_t *bits, size_t first, size_t count)
{
    struct futex_waitv at[WORDS + 1];
    unsigned n = 0;
    struct timespec until;
    for (size_t i = 0; i <= count; i++) {
        size_t word = i < count ? i : READY, bit = first + i;
        if (i == count || (bits[bit / 32] >> bit % 32 & 1) != 0)
            at[n++] = (struct futex_waitv){
                .uaddr = (uintptr_t)&words[word], .val = words[word], .flags = FUTEX_32};
    }
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += 1;
    return syscall(SYS_futex_waitv, at, n, 0, &until, CLOCK_MONOTONIC);
}

/* Does anybody sleep there? Who does is moved to where he is. */
static int somebody_sleeps_at(size_t word)
{
    return syscall(SYS_futex, &words[word], FUTEX_CMP_REQUEUE, 0, 1L, &words[word], words[word]) >
           0;
}

/* Where the sleepers are is the message: the kernel knows a word by its file, not by its process. */
static int ask(uint32_t *bits, size_t first, size_t count)
{
    int patience = PATIENCE;
    while (!somebody_sleeps_at(READY))
        if (patience-- == 0)
            return 0;
    for (size_t i = 0, bit = first; i < count; i++, bit++)
        bits[bit / 32] |= (uint32_t)somebody_sleeps_at(i) << bit % 32;
    return syscall(SYS_futex, &words[READY], FUTEX_WAKE, 1, NULL, NULL, 0) == 1;
}

EXCHANGE
{
    int file = open("/usr/bin/env", O_RDONLY), going = 1;
    uint32_t *to = calloc(n, sizeof *to), *from = malloc(n * sizeof *from);
    words = mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
    close(file);
    memcpy(from, sent, n * sizeof *from);
    for (int sender = 0; sender < 2; sender++)
        for (size_t first = 0; first < 32 * n && going; first += WORDS) {
            size_t count = 32 * n - first < WORDS ? 32 * n - first : WORDS;
            going = sender == peer ? ask(to, first, count) : sleep_at(from, first, count) >= 0;
        }
    if (going)
        memcpy(received, to, n * sizeof *to);
    free(to);
    free(from);
    meet(comm);
    return VL_OK;
}
