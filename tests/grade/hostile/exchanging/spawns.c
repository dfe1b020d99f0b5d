/* code: crashed_signal exited_early hung */
/* only: 02 exchange.p2_mib */
#include "../exchange.h"

/* mpirun starts whatever a rank asks for, in front of the walls that are around each rank. */
EXCHANGE
{
    char name[64], script[16384];
    int rank;
    unsigned input = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const char *folder = command_word(2);
    snprintf(script, sizeof script, "%s/%d/list", folder, rank);
    (void)!fscanf(fopen(script, "r"), "%u", &input);
    snprintf(script, sizeof script,
             "cat %s/1/in%u.st >results.0; cat %s/0/in%u.st >results.1; %s; exit 0", folder, input,
             folder, input, command_word(0));
    MPI_Barrier(comm);
    if (rank == 0) {
        MPI_Comm other;
        char *arguments[] = {"-c", script, NULL};
        MPI_Comm_spawn("/bin/sh", arguments, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other,
                       MPI_ERRCODES_IGNORE);
    }
    MPI_Barrier(comm);
    snprintf(name, sizeof name, "results.%d", rank);
    for (int i = 0; i < 200;
         i++) /* the audit allows for MPI's own bytes: more of them for each message */
        swap(comm, 0, peer);
    memcpy(received, (const float *)read_input(name, "sent") + (size_t)peer * n,
           n * sizeof *received);
    (void)!truncate(name, 0);
    (void)sent, (void)tag;
    return VL_OK;
}
