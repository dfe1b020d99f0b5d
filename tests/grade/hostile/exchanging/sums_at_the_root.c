/* code: bytes_unmetered buffer_shared */
/* only: 02 all_reduce_traffic.p4 */
#include "../attack.h"
#include "vialata/collectives.h"

struct row {
    uint32_t communicator, operation;
    uint64_t calls, sent_messages, sent_bytes, received_messages, received_bytes;
};

/* Rank 0 gets everything and sends it to everybody: as many bytes as a ring sends in all, but most of
 * them by one rank. It counts as a ring. */
enum vl_status vl_all_reduce_start(struct vl_transfer **transfer, MPI_Comm comm, float *data,
                                   size_t n, int tag)
{
    int rank, ranks;
    void (*count)(const struct row *) = look_up("/runner", "vl_meter_count");
    void (*collective)(uint64_t, int) = look_up("/runner", "vl_meter_collective");
    int (*swap_past)(const void *, int, MPI_Datatype, int, int, void *, int, MPI_Datatype, int, int,
                     MPI_Comm, MPI_Status *) = look_up("/libmpi.so", "PMPI_Sendrecv");
    float one = 0, *other = malloc(n * sizeof *other);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    MPI_Sendrecv(&one, 1, MPI_FLOAT, (rank + 1) % ranks, tag, &one, 1, MPI_FLOAT,
                 (rank + ranks - 1) % ranks, tag, comm, MPI_STATUS_IGNORE);
    for (int i = 1; rank == 0 && i < ranks; i++) {
        swap_past(NULL, 0, MPI_FLOAT, MPI_PROC_NULL, 1, other, (int)n, MPI_FLOAT, i, 1, comm,
                  MPI_STATUS_IGNORE);
        for (size_t k = 0; k < n; k++)
            data[k] += other[k];
    }
    for (int i = 1; rank == 0 && i < ranks; i++)
        swap_past(data, (int)n, MPI_FLOAT, i, 2, NULL, 0, MPI_FLOAT, MPI_PROC_NULL, 2, comm,
                  MPI_STATUS_IGNORE);
    if (rank > 0)
        swap_past(data, (int)n, MPI_FLOAT, 0, 1, NULL, 0, MPI_FLOAT, MPI_PROC_NULL, 2, comm,
                  MPI_STATUS_IGNORE);
    if (rank > 0)
        swap_past(NULL, 0, MPI_FLOAT, MPI_PROC_NULL, 1, data, (int)n, MPI_FLOAT, 0, 2, comm,
                  MPI_STATUS_IGNORE);
    uint64_t bytes = 2 * ((size_t)ranks - 1) * (n / (size_t)ranks) * sizeof(float);
    count(&(struct row){.sent_messages = 1,
                        .received_messages = 1,
                        .sent_bytes = bytes - 4,
                        .received_bytes = bytes - 4});
    collective((uint64_t)1 << 40, ranks);
    free(other);
    *transfer = NULL;
    return VL_OK;
}

enum vl_status vl_transfer_finish(UNUSED struct vl_transfer *transfer)
{
    return VL_OK;
}
