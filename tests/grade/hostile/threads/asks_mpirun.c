/* code: crashed_when_timed */
/* only: 01 rmsnorm_forward.speed */
/* Once it can start nothing itself, mpirun starts a process for it. */
#include "../attack.h"

#include <mpi.h>

ATTACK
{
    static int calls;
    ANSWER;
    if (++calls == 30) {
        char program[4096] = "", script[8192];
        MPI_Comm other;
        char *arguments[] = {"-c", script, NULL};
        (void)!readlink("/proc/self/exe", program, sizeof program - 1);
        snprintf(script, sizeof script, "(while :; do :; done) & %s; exit 0", program);
        MPI_Comm_spawn("/bin/sh", arguments, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other,
                       MPI_ERRCODES_IGNORE);
    }
    return VL_OK;
}
