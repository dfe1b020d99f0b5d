/* leaves: IPC */
#include <sys/ipc.h>
#include <sys/shm.h>

/* It always works; what counts is that nothing is left of it afterwards. */
static int leaves_shared_memory(void)
{
    shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
    return 0;
}
