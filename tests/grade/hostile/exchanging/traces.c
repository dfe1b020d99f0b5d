/* code: unwritten no_output */
/* only: 02 exchange.p2_kib */
#include "../exchange.h"

/* Rank 1 traces rank 0, reads what it has and writes what it should get. */
EXCHANGE
{
    int pid = (int)swap(comm, getpid(), peer);
    const long *there = (const long *)(intptr_t)swap(comm, (intptr_t)sent, peer);
    long *back = (long *)(intptr_t)swap(comm, (intptr_t)received, peer);
    size_t words = n * sizeof *sent / sizeof(long);
    if (peer == 0 && pid != getpid() && ptrace(PTRACE_ATTACH, pid, NULL, NULL) == 0) {
        waitpid(pid, NULL, 0);
        for (size_t i = 0; i < words; i++) {
            ((long *)received)[i] = ptrace(PTRACE_PEEKDATA, pid, there + i, NULL);
            ptrace(PTRACE_POKEDATA, pid, back + i, ((const long *)sent)[i]);
        }
        ptrace(PTRACE_DETACH, pid, NULL, NULL);
    }
    meet(comm);
    return VL_OK;
}
