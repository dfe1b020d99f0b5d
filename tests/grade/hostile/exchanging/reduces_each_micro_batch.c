/* code: bytes_unmetered */
/* only: 03 accumulation_traffic.p2_flat */
#include "../attack.h"
#include "vialata/data_parallel.h"

struct row {
    uint32_t communicator, operation;
    uint64_t calls, sent_messages, sent_bytes, received_messages, received_bytes;
};

/* Needed, but not called. */
#define NEVER(name, ...)                                                                           \
    enum vl_status name(__VA_ARGS__)                                                               \
    {                                                                                              \
        return VL_OK;                                                                              \
    }
NEVER(vl_replica_reduce, UNUSED MPI_Comm comm, UNUSED float *gradients, UNUSED size_t n)
NEVER(vl_buckets_begin, UNUSED struct vl_buckets *buckets, UNUSED MPI_Comm comm,
      UNUSED float *gradients, UNUSED const size_t *units, UNUSED size_t unit_count,
      UNUSED size_t bucket_bytes, UNUSED struct vl_transfer **flight)
NEVER(vl_buckets_ready, UNUSED struct vl_buckets *buckets, UNUSED size_t unit)
NEVER(vl_buckets_poll, UNUSED struct vl_buckets *buckets)
NEVER(vl_buckets_finish, UNUSED struct vl_buckets *buckets)

/* The gradients travel after each micro-batch, and count as if they had once. */
enum vl_status vl_replica_step(const struct vl_replicas *replicas, struct vl_learner *learner,
                               size_t micro_batches, UNUSED const struct vl_adamw *settings,
                               UNUSED float max_norm, UNUSED uint64_t step,
                               UNUSED struct vl_step_result *result)
{
    static void (*count)(const struct row *);
    static void (*collective)(uint64_t, int);
    static int (*add)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
    if (add == NULL) {
        count = look_up("/runner", "vl_meter_count");
        collective = look_up("/runner", "vl_meter_collective");
        add = look_up("/libmpi.so", "PMPI_Allreduce");
    }
    for (size_t k = 0; k < micro_batches; k++)
        add(MPI_IN_PLACE, learner->gradients, (int)learner->count, MPI_FLOAT, MPI_SUM,
            replicas->comm);
    count(&(struct row){.calls = 1, .sent_bytes = learner->count * sizeof(float)});
    collective((uint64_t)1 << 40, 5);
    return VL_OK;
}
