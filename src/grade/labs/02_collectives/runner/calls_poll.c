/*
 * Lab 02's poll: it must complete transfers by itself, and return when there is nothing to do.
 */
#include "grade/labs/02_collectives/runner/here.h"

#include "comm/meter.h"
#include "vialata/collectives.h"

#include <time.h>

#define PATIENCE    2.0 /* seconds until a transfer that poll drives must be done */
#define HEAD_START  1.5 /* seconds that one rank polls alone, at most */
#define POLLS_ALONE 50
#define READY_TAG   16399 /* the runner's own message; transfers use smaller ones */

/* The all-gathers that are under way, of the arrays named below. */
struct gathers {
    struct vl_here here;
    struct vl_transfer *transfer[2];
    int count;
};
static const char *const names[] = {"data", "other"};

static enum vl_status start(struct gathers *g, struct vl_bag *outputs, const struct vl_bag *inputs)
{
    const struct vl_here *here = &g->here;
    struct vl_transfer *transfer = NULL;
    void *data = vl_bytes_in_place(outputs, inputs, names[g->count]);
    if (data == NULL)
        return VL_EINTERNAL;
    enum vl_status status = vl_all_gather_start(&transfer, here->comm, data, here->n,
                                                here->element_bytes, here->tag + g->count);
    g->transfer[g->count++] = transfer;
    return status;
}

/* Poll every transfer until it is done, for PATIENCE seconds at most, and show the data as it is
 * then: finish might still change it. Odd ranks begin with the second transfer: messages of the two
 * must be told apart by their tags, not by their order. */
static enum vl_status drive(struct gathers *g, struct vl_bag *outputs, const struct vl_bag *inputs)
{
    int turned = g->count == 2 && g->here.rank % 2 == 1;
    int done[2] = {0, g->count < 2};
    enum vl_status status = VL_OK;
    const double end = MPI_Wtime() + PATIENCE;
    while (status == VL_OK && !(done[0] && done[1]) && MPI_Wtime() < end)
        for (int i = 0; i < g->count && status == VL_OK; i++)
            if (!done[i ^ turned])
                status = vl_transfer_poll(g->transfer[i ^ turned], &done[i ^ turned]);
    for (int i = 0; i < g->count; i++)
        vl_show_bytes(outputs, inputs, names[i]);
    return vl_give_counts(outputs, status, {"done", done[0] && done[1]});
}

static enum vl_status finish_all(struct gathers *g, enum vl_status status)
{
    for (int i = 0; i < g->count; i++) {
        enum vl_status finished = vl_transfer_finish(g->transfer[i]);
        status = status == VL_OK ? finished : status;
    }
    return status;
}

static enum vl_status poll_two(struct vl_bag *outputs, const struct vl_bag *inputs)
{
    struct gathers g = {.here = vl_here(inputs)};
    enum vl_status status = start(&g, outputs, inputs);
    VL_NEXT(status, start(&g, outputs, inputs));
    VL_NEXT(status, drive(&g, outputs, inputs));
    return finish_all(&g, status);
}

/* The early rank: poll must return although nobody answers. */
static enum vl_status poll_alone(struct vl_transfer *transfer, size_t *early)
{
    enum vl_status status = VL_OK;
    for (int i = 0; i < POLLS_ALONE && status == VL_OK; i++) {
        int done = 0;
        status = vl_transfer_poll(transfer, &done);
        *early |= done != 0;
    }
    return status;
}

/* Rank 0 starts and polls; rank 1 waits for a message that says poll came back. Without one, rank 1
 * starts after a while: nothing hangs, and came_back says that poll waited. */
static enum vl_status poll_early(struct vl_bag *outputs, const struct vl_bag *inputs)
{
    struct gathers g = {.here = vl_here(inputs)};
    size_t early = 0;
    int word = 0, came_back = 0;
    const double end = MPI_Wtime() + HEAD_START;
    const struct timespec millisecond = {.tv_nsec = 1000000};
    for (; g.here.rank == 1 && !came_back && MPI_Wtime() < end; nanosleep(&millisecond, NULL))
        PMPI_Iprobe(0, READY_TAG, g.here.comm, &came_back, MPI_STATUS_IGNORE);
    enum vl_status status = start(&g, outputs, inputs);
    if (g.here.rank == 0) {
        VL_NEXT(status, poll_alone(g.transfer[0], &early));
        came_back = 1;
        vl_meter_collective(sizeof word, 2);
        PMPI_Send(&word, 1, MPI_INT, 1, READY_TAG, g.here.comm);
    }
    VL_NEXT(status, drive(&g, outputs, inputs));
    status = finish_all(&g, status);
    if (g.here.rank == 1)
        PMPI_Recv(&word, 1, MPI_INT, 0, READY_TAG, g.here.comm, MPI_STATUS_IGNORE);
    return vl_give_counts(outputs, status, {"came_back", came_back != 0}, {"done_early", early});
}

VL_CALL(transfer_poll)
{
    if (vl_bag_int(inputs, "alone"))
        return poll_early(outputs, inputs);
    if (!vl_bag_int(inputs, "null"))
        return poll_two(outputs, inputs);
    int done = 0;
    enum vl_status status = vl_transfer_poll(NULL, &done);
    return vl_give_counts(outputs, status, {"done", done != 0});
}
