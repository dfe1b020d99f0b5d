/* open: root user */
#include <sys/ipc.h>
#include <sys/shm.h>

/* Detached, it counts for no process. */
static int keeps_memory_in_segments(void)
{
    int kept = 0;
    for (int i = 0; i < 4; i++) {
        int segment = shmget(IPC_PRIVATE, 100 << 20, IPC_CREAT | 0600);
        void *memory = segment >= 0 ? shmat(segment, NULL, 0) : (void *)-1;
        if (memory == (void *)-1)
            continue;
        explicit_bzero(memory, 100 << 20);
        kept += shmdt(memory) == 0;
        shmctl(segment, IPC_RMID, NULL);
    }
    return kept == 4;
}
