/* open: root user */
#include <sys/ipc.h>
#include <sys/sem.h>

static int takes_a_semaphore(void)
{
    return semget(KEY, 1, 0) >= 0;
}
