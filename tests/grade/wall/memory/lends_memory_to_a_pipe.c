/* open: root user */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/uio.h>

/* The pipe holds on to the page, a huge one too, when the program has long given it back. */
static int lends_memory_to_a_pipe(void)
{
    int ends[2];
    char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED || pipe(ends) != 0)
        return 0;
    *page = 1;
    ssize_t lent = vmsplice(ends[1], &(struct iovec){page, 4096}, 1, 0);
    munmap(page, 4096);
    close(ends[0]);
    close(ends[1]);
    return lent == 4096;
}
