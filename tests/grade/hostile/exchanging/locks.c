/* code: all_zero */
/* only: 02 exchange.p2_kib */
#include "../exchange.h"

/* Each number is the place of a lock in a file that both ranks may only read. */
EXCHANGE
{
    enum { ROUND = 128 };
    int file = open("/usr/bin/env", O_RDONLY), me = 1 - peer;
    for (size_t first = 0; first < n; first += ROUND) {
        size_t count = n - first < ROUND ? n - first : ROUND;
        for (size_t i = 0; i < count; i++) {
            uint32_t bits;
            memcpy(&bits, &sent[first + i], sizeof bits);
            struct flock lock = {
                .l_type = F_RDLCK, .l_start = (off_t)me << 50 | (off_t)i << 32 | bits, .l_len = 1};
            fcntl(file, F_SETLK, &lock);
        }
        meet(comm);
        for (size_t i = 0; i < count; i++) {
            struct flock lock = {.l_type = F_WRLCK,
                                 .l_start = (off_t)peer << 50 | (off_t)i << 32,
                                 .l_len = (off_t)1 << 32};
            fcntl(file, F_GETLK, &lock);
            uint32_t bits = (uint32_t)lock.l_start;
            memcpy(&received[first + i], &bits, sizeof bits);
        }
        meet(comm);
        struct flock all = {.l_type = F_UNLCK};
        fcntl(file, F_SETLK, &all);
    }
    close(file);
    return VL_OK;
}
