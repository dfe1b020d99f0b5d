/* code: bytes_unmetered */
/* only: 02 all_to_all_traffic.p4 */
#include "../attack.h"
#include "vialata/collectives.h"

struct row {
    uint32_t communicator, operation;
    uint64_t calls, sent_messages, sent_bytes, received_messages, received_bytes;
};

/* Everything twice; counted as what is right, and as what a collective might need. */
enum vl_status vl_all_to_all(MPI_Comm comm, void *received, const size_t *receive_counts,
                             const void *sent, const size_t *send_counts, size_t element_bytes)
{
    int rank, ranks, out[16], in[16], out_at[17] = {0}, in_at[17] = {0};
    struct row row = {.calls = 1};
    void (*count)(const struct row *) = look_up("/runner", "vl_meter_count");
    void (*collective)(uint64_t, int) = look_up("/runner", "vl_meter_collective");
    int (*all_to_all)(const void *, const int *, const int *, MPI_Datatype, void *, const int *,
                      const int *, MPI_Datatype, MPI_Comm) =
        look_up("/libmpi.so", "PMPI_Alltoallv");
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    for (int r = 0; r < ranks; r++) {
        out[r] = (int)(send_counts[r] * element_bytes);
        in[r] = (int)(receive_counts[r] * element_bytes);
        out_at[r + 1] = out_at[r] + out[r];
        in_at[r + 1] = in_at[r] + in[r];
        row.sent_messages += r != rank && out[r] > 0;
        row.sent_bytes += r != rank ? (uint64_t)out[r] : 0;
    }
    for (int i = 0; i < 2; i++)
        all_to_all(sent, out, out_at, MPI_BYTE, received, in, in_at, MPI_BYTE, comm);
    count(&row);
    collective((uint64_t)1 << 40, ranks);
    return VL_OK;
}
