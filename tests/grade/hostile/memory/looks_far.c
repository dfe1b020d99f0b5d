/* code: too_much_memory */
#include "../attack.h"

#define BYTES ((size_t)3500 << 20)
#define APART ((size_t)2 << 20)

/* Pages of zeros that are nobody's; but the tables that lead to them are memory. */
static void look_far(void)
{
    const volatile char *far =
        mmap(NULL, BYTES, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (far == MAP_FAILED)
        _exit(1);
    madvise((void *)far, BYTES, MADV_NOHUGEPAGE);
    for (size_t at = 0; at < BYTES; at += APART)
        (void)far[at];
}

ATTACK
{
    for (int i = 0; i < 155; i++)
        if (fork() == 0) {
            look_far();
            for (;;)
                pause();
        }
    sleep(3);
    ANSWER;
    return VL_OK;
}
