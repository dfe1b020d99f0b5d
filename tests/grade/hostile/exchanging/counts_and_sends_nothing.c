/* code: bytes_unsent */
/* only: 03 reduce_traffic.p2 */
#include "../attack.h"
#include "vialata/data_parallel.h"

struct row {
    uint32_t communicator, operation;
    uint64_t calls, sent_messages, sent_bytes, received_messages, received_bytes;
};

/* Nothing is sent: it counts as what a ring sends. */
enum vl_status vl_replica_reduce(MPI_Comm comm, UNUSED float *gradients, size_t n)
{
    int rank, ranks;
    void (*count)(const struct row *) = look_up("/runner", "vl_meter_count");
    struct row row = {.calls = 1};
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    size_t p = (size_t)ranks, r = (size_t)rank, next = (r + 1) % p;
    size_t own = (r + 1) * n / p - r * n / p, other = (next + 1) * n / p - next * n / p;
    row.sent_messages = 2 * (p - 1);
    row.sent_bytes = (n - own + n - other) * sizeof(float);
    count(&row);
    return VL_OK;
}
