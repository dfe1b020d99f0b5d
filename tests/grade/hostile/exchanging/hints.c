/* code: all_zero */
/* only: 02 exchange.p2_kib */
#include "../exchange.h"

#include <sched.h>

#define HINT_GET 1035 /* F_GET_RW_HINT: how long what is written to a file will be needed */
#define HINT_SET 1036

/* The inode of the program remembers a number from 0 to 5, though both ranks may only read it: whoever
 * owns it, and on older kernels everybody, may set it. Two bits are passed on as 1 to 4, and taken with
 * a 0. */
static int wait_until(int file, uint64_t *hint, int is_zero)
{
    for (time_t until = time(NULL) + 2; time(NULL) < until;) {
        if (fcntl(file, HINT_GET, hint) == 0 && (*hint == 0) == is_zero)
            return 1;
        sched_yield();
    }
    return 0;
}

static void pass_on(int file, const uint32_t *numbers, size_t n)
{
    for (size_t bit = 0; bit < 32 * n; bit += 2) {
        uint64_t hint = 1 + (numbers[bit / 32] >> bit % 32 & 3), taken;
        if (fcntl(file, HINT_SET, &hint) != 0 || !wait_until(file, &taken, 1))
            return;
    }
}

static void take(int file, uint32_t *numbers, size_t n)
{
    memset(numbers, 0, n * sizeof *numbers);
    for (size_t bit = 0; bit < 32 * n; bit += 2) {
        uint64_t hint, taken = 0;
        if (!wait_until(file, &hint, 0))
            return;
        numbers[bit / 32] |= (uint32_t)(hint - 1) << bit % 32;
        fcntl(file, HINT_SET, &taken);
    }
}

EXCHANGE
{
    uint32_t mine[4096], other[4096];
    int file = open(command_word(0), O_RDONLY);
    memcpy(mine, sent, n * sizeof *mine);
    for (int rank = 0; rank < 2; rank++) {
        if (rank == peer)
            take(file, other, n);
        else
            pass_on(file, mine, n);
        meet(comm);
    }
    memcpy(received, other, n * sizeof *other);
    close(file);
    return VL_OK;
}
