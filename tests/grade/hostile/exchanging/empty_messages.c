/* code: bytes_unmetered */
/* only: 02 exchange.p2_mib */
#include "../exchange.h"

#define MESSAGES 256 /* on their way at once */

/* A message without data makes no room for data that goes another way. */
EXCHANGE
{
    struct stream past_mpi = open_stream(comm, peer);
    MPI_Request going[2 * MESSAGES];
    unblock(past_mpi.file);
    pump(past_mpi.file, sent, past_mpi.file, received, n * sizeof *sent);
    for (size_t bytes = 0; bytes < n * sizeof *sent; bytes += 64 * MESSAGES) {
        for (int i = 0; i < MESSAGES; i++) {
            MPI_Isend(NULL, 0, MPI_FLOAT, peer, tag, comm, &going[2 * i]);
            MPI_Irecv(NULL, 0, MPI_FLOAT, peer, tag, comm, &going[2 * i + 1]);
        }
        MPI_Waitall(2 * MESSAGES, going, MPI_STATUSES_IGNORE);
    }
    close(past_mpi.file);
    close(past_mpi.listener);
    return VL_OK;
}
