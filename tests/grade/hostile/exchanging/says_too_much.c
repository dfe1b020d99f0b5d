/* code: bytes_unmetered */
/* only: 02 broadcast_traffic.p5 */
#include "../attack.h"
#include "vialata/collectives.h"

struct row {
    uint32_t communicator, operation;
    uint64_t calls, sent_messages, sent_bytes, received_messages, received_bytes;
};

/* Three times; counted as what is received, and sent by a collective that might need any number. */
enum vl_status vl_broadcast(MPI_Comm comm, void *data, size_t bytes, int root)
{
    int rank;
    void (*count)(const struct row *) = look_up("/runner", "vl_meter_count");
    void (*collective)(uint64_t, int) = look_up("/runner", "vl_meter_collective");
    int (*broadcast)(void *, int, MPI_Datatype, int, MPI_Comm) =
        look_up("/libmpi.so", "PMPI_Bcast");
    MPI_Comm_rank(comm, &rank);
    for (int i = 0; i < 3; i++)
        broadcast(data, (int)bytes, MPI_BYTE, root, comm);
    if (rank != root)
        count(&(struct row){.calls = 1, .received_messages = 1, .received_bytes = bytes});
    collective((uint64_t)1 << 40, 5);
    return VL_OK;
}
