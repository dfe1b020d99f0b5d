/*
 * Contracts built from contracts, as a submission may do: only the outermost call is noted. What a
 * poll starts is not noted, since every rank does that at a different moment. The contracts here
 * send nothing; they call each other by the names that the linker gives to the wrappers.
 */
#include "ranks.h"

#include "vialata/collectives.h"

#include <stdlib.h>

struct vl_transfer {
    struct vl_transfer *phase;
    int polled;
};

enum vl_status __wrap_vl_all_reduce_start(struct vl_transfer **transfer, MPI_Comm comm, float *data,
                                          size_t n, int tag);
enum vl_status __wrap_vl_reduce_scatter_start(struct vl_transfer **transfer, MPI_Comm comm,
                                              float *data, size_t n, int tag);
enum vl_status __wrap_vl_all_gather_start(struct vl_transfer **transfer, MPI_Comm comm, void *data,
                                          size_t n, size_t element_bytes, int tag);
enum vl_status __wrap_vl_transfer_poll(struct vl_transfer *transfer, int *done);
enum vl_status __wrap_vl_transfer_finish(struct vl_transfer *transfer);

static uint32_t outer_inside;

enum vl_status vl_reduce_scatter_start(struct vl_transfer **transfer, MPI_Comm comm, float *data,
                                       size_t n, int tag)
{
    (void)comm, (void)data, (void)n, (void)tag;
    outer_inside = mine->outer.operation;
    *transfer = calloc(1, sizeof **transfer);
    return *transfer != NULL ? VL_OK : VL_ENOMEM;
}

enum vl_status vl_all_gather_start(struct vl_transfer **transfer, MPI_Comm comm, void *data,
                                   size_t n, size_t element_bytes, int tag)
{
    (void)element_bytes;
    return vl_reduce_scatter_start(transfer, comm, data, n, tag);
}

enum vl_status vl_all_reduce_start(struct vl_transfer **transfer, MPI_Comm comm, float *data,
                                   size_t n, int tag)
{
    *transfer = calloc(1, sizeof **transfer);
    if (*transfer == NULL)
        return VL_ENOMEM;
    return __wrap_vl_reduce_scatter_start(&(*transfer)->phase, comm, data, n, tag);
}

enum vl_status vl_transfer_poll(struct vl_transfer *transfer, int *done)
{
    *done = transfer->polled;
    if (transfer->polled++ > 0)
        return VL_OK;
    __wrap_vl_transfer_finish(transfer->phase);
    return __wrap_vl_all_gather_start(&transfer->phase, MPI_COMM_WORLD, NULL, 0, 4, 0);
}

enum vl_status vl_transfer_finish(struct vl_transfer *transfer)
{
    if (transfer->phase != NULL)
        __wrap_vl_transfer_finish(transfer->phase);
    free(transfer);
    return VL_OK;
}

enum vl_status vl_send_start(struct vl_transfer **transfer, MPI_Comm comm, const void *data,
                             size_t bytes, int to, int tag)
{
    (void)transfer, (void)comm, (void)data, (void)bytes, (void)to, (void)tag;
    return VL_TODO;
}

enum vl_status vl_receive_start(struct vl_transfer **transfer, MPI_Comm comm, void *data,
                                size_t bytes, int from, int tag)
{
    (void)transfer, (void)comm, (void)data, (void)bytes, (void)from, (void)tag;
    return VL_TODO;
}

enum vl_status vl_broadcast(MPI_Comm comm, void *data, size_t bytes, int root)
{
    (void)comm, (void)data, (void)bytes, (void)root;
    return VL_TODO;
}

enum vl_status vl_all_to_all(MPI_Comm comm, void *received, const size_t *receive_counts,
                             const void *sent, const size_t *send_counts, size_t element_bytes)
{
    (void)comm, (void)received, (void)receive_counts, (void)sent, (void)send_counts;
    (void)element_bytes;
    return VL_TODO;
}

static void only_the_outermost(void)
{
    float data[3] = {0};
    struct vl_transfer *one;
    int done = 0;
    begin("nested", 0, 0);
    __wrap_vl_all_reduce_start(&one, MPI_COMM_WORLD, data, 3, 7);
    EQUAL(outer_inside, VL_OP_VL_ALL_REDUCE);
    EQUAL(mine->transfers_open, 1);
    __wrap_vl_transfer_poll(one, &done);
    EQUAL(outer_inside, VL_OP_NONE); /* a poll does not wait: nothing to show */
    EQUAL(mine->transfers_open, 1);
    EQUAL(mine->transfer_call.tag, 7);
    __wrap_vl_transfer_poll(one, &done);
    TRUE(done);
    __wrap_vl_transfer_finish(one);
    EQUAL(mine->transfers_open, 0);
    EQUAL(mine->collectives_seen, 1);
    EQUAL(mine->collective[0].operation, VL_OP_VL_ALL_REDUCE);
    EQUAL(mine->outer.operation, VL_OP_NONE);
}

int main(int argc, char **argv)
{
    start(argc, argv);
    only_the_outermost();
    return finish();
}
