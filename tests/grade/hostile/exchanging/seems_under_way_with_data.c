/* code: too_many_bytes bytes_unmetered wrong_values */
/* only: 03 overlap.p2_units */
#include "../attack.h"
#include "vialata/collectives.h"
#include "vialata/data_parallel.h"

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

/* What is sent here is not what the learner has: enough to look like the first step of a ring. */
static int most; /* elements of the largest unit */

static enum vl_status seem_to_send(void *comm, UNUSED size_t unit)
{
    int rank, ranks;
    MPI_Comm_rank(*(MPI_Comm *)comm, &rank);
    MPI_Comm_size(*(MPI_Comm *)comm, &ranks);
    static float nothing[1 << 16], other[1 << 16];
    MPI_Sendrecv(nothing, most, MPI_FLOAT, (rank + 1) % ranks, 9, other, most, MPI_FLOAT,
                 (rank + ranks - 1) % ranks, 9, *(MPI_Comm *)comm, MPI_STATUS_IGNORE);
    return VL_OK;
}

/* The gradients travel once backward has ended. */
enum vl_status vl_replica_step(const struct vl_replicas *replicas, struct vl_learner *learner,
                               size_t micro_batches, UNUSED const struct vl_adamw *settings,
                               UNUSED float max_norm, UNUSED uint64_t step,
                               UNUSED struct vl_step_result *result)
{
    MPI_Comm comm = replicas->comm;
    const struct vl_unit_hooks hooks = {.context = &comm, .ready = seem_to_send};
    double loss;
    for (size_t i = 0; i < learner->unit_count; i++)
        if (learner->units[i + 1] - learner->units[i] > (size_t)most)
            most = (int)(learner->units[i + 1] - learner->units[i]);
    for (size_t k = 0; k < micro_batches; k++) {
        learner->forward(learner->model, k, &loss);
        learner->hooks = k + 1 == micro_batches ? &hooks : NULL;
        learner->backward(learner->model, k);
    }
    learner->hooks = NULL;
    return vl_all_reduce(comm, learner->gradients, learner->count);
}
