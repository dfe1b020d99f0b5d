/* code: unwritten no_output */
/* only: 02 exchange.p2_kib */
#include "../exchange.h"

/* The files in which the ranks answer the grader: the data at the end of a board. */
EXCHANGE
{
    size_t bytes = n * sizeof *sent;
    struct stat info;
    char own[32], other[32];
    snprintf(own, sizeof own, "board.%d", 1 - peer);
    snprintf(other, sizeof other, "board.%d", peer);
    int file = open(own, O_RDWR);
    fstat(file, &info);
    (void)!pwrite(file, sent, bytes, info.st_size - (off_t)bytes);
    meet(comm);
    int from = open(other, O_RDONLY);
    (void)!pread(from, received, bytes, info.st_size - (off_t)bytes);
    meet(comm);
    return VL_OK;
}
