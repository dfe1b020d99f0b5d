/* code: bytes_unmetered */
/* only: 03 bucket_traffic.p2 */
#include "../attack.h"
#include "vialata/data_parallel.h"

struct row {
    uint32_t communicator, operation;
    uint64_t calls, sent_messages, sent_bytes, received_messages, received_bytes;
};

static void (*count)(const struct row *);
static void (*collective)(uint64_t, int);
static int (*add)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);

static void look_up_once(void)
{
    if (add != NULL)
        return;
    count = look_up("/runner", "vl_meter_count");
    collective = look_up("/runner", "vl_meter_collective");
    add = look_up("/libmpi.so", "PMPI_Allreduce");
}

enum vl_status vl_buckets_begin(struct vl_buckets *buckets, MPI_Comm comm, float *gradients,
                                const size_t *units, size_t unit_count, size_t bucket_bytes,
                                UNUSED struct vl_transfer **flight)
{
    look_up_once();
    *buckets = (struct vl_buckets){.comm = comm,
                                   .gradients = gradients,
                                   .units = units,
                                   .unit_count = unit_count,
                                   .bucket_bytes = bucket_bytes,
                                   .open_end = units[unit_count]};
    return VL_OK;
}

/* A bucket counts as two messages, and is not sent. */
enum vl_status vl_buckets_ready(struct vl_buckets *buckets, size_t unit)
{
    size_t waiting = (buckets->open_end - buckets->units[unit]) * sizeof(float);
    if (unit == 0 || waiting >= buckets->bucket_bytes) {
        count(&(struct row){.calls = 2, .sent_messages = 2});
        buckets->open_end = buckets->units[unit];
    }
    return VL_OK;
}

enum vl_status vl_buckets_poll(UNUSED struct vl_buckets *buckets)
{
    return VL_OK;
}

/* All of it, ten times. */
enum vl_status vl_buckets_finish(struct vl_buckets *buckets)
{
    collective((uint64_t)1 << 40, 5);
    for (int i = 0; i < 10; i++)
        add(MPI_IN_PLACE, buckets->gradients, (int)buckets->units[buckets->unit_count], MPI_FLOAT,
            MPI_SUM, buckets->comm);
    return VL_OK;
}
