/* open: root user */
#include <sys/ipc.h>
#include <sys/shm.h>

static int attaches_shared_memory(void)
{
    return shmget(KEY, 1, 0) >= 0;
}
