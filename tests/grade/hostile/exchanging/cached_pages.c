/* code: all_zero unwritten */
/* only: 02 exchange.p2_kib */
#include "../exchange.h"

#include <glob.h>
#include <sys/syscall.h>

#define PAGE    65536 /* apart, as what is read may bring its neighbours along */
#define AT_ONCE 8     /* RWF_NOWAIT: only what needs no disk */

static int is_cached(int file, off_t page)
{
    char byte;
    struct iovec place = {&byte, 1};
    return syscall(SYS_preadv2, file, &place, 1L, (long)(page * PAGE), 0L, AT_ONCE) == 1;
}

/* Large programs that hardly anybody runs, behind the wall as in front of it. */
static int open_idle(void)
{
    glob_t found;
    int file = -1;
    if (glob("/usr/lib/gcc*/*/*/lto1", 0, NULL, &found) == 0)
        file = open(found.gl_pathv[0], O_RDONLY);
    return file;
}

/* One rank throws pages of a file, which both may only read, out of memory. It reads again those that
 * stand for a one, and the other rank asks which are there. */
EXCHANGE
{
    enum { ROUND = 256 };
    uint32_t *to = (uint32_t *)received;
    int file = open_idle();
    posix_fadvise(file, 0, 0, POSIX_FADV_RANDOM);
    memset(received, 0, n * sizeof *received);
    for (int sender = 0; sender < 2; sender++)
        for (size_t first = 0; first < 32 * n; first += ROUND) {
            for (int i = 0; i < 5 && sender != peer; i++) {
                pass(); /* whoever asks for a page that is not there sets out to read it */
                posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
            }
            for (size_t i = 0; i < ROUND && sender != peer; i++) {
                char byte;
                if (((const uint32_t *)sent)[(first + i) / 32] >> (first + i) % 32 & 1)
                    (void)!pread(file, &byte, 1, (off_t)i * PAGE);
            }
            meet(comm);
            for (size_t i = 0; i < ROUND && sender == peer; i++)
                to[(first + i) / 32] |= (uint32_t)is_cached(file, (off_t)i) << (first + i) % 32;
            meet(comm);
        }
    close(file);
    (void)tag;
    return VL_OK;
}
