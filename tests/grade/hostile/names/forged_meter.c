/* code: needs_functions */
/* compiler: forged_meter.c was left out: it uses */
/* only: 02 all_to_all_traffic.p4 */
#include "vialata/collectives.h"

#include <stdint.h>

struct row {
    uint32_t communicator, operation;
    uint64_t calls, sent_messages, sent_bytes, received_messages, received_bytes;
};
void vl_meter_count(const struct row *more);

enum vl_status vl_all_to_all(MPI_Comm comm, void *received, const size_t *receive_counts,
                             const void *sent, const size_t *send_counts, size_t element_bytes)
{
    int rank, ranks, out[16], in[16], out_at[17] = {0}, in_at[17] = {0};
    struct row row = {.calls = 1};
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
    PMPI_Alltoallv(sent, out, out_at, MPI_BYTE, received, in, in_at, MPI_BYTE, comm);
    vl_meter_count(&row);
    return VL_OK;
}
