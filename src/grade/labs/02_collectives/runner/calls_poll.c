/*
 * Lab 02's poll: it must drive transfers to their end by itself, and come back when there is nothing
 * to do.
 */
#include "grade/labs/02_collectives/runner/here.h"

#include "vialata/collectives.h"

#include <time.h>

#define PATIENCE    2.0 /* seconds until a transfer that poll drives must be done */
#define HEAD_START  1.5 /* seconds that one rank polls alone, at most */
#define POLLS_ALONE 50
#define READY_TAG   16399 /* the runner's own message; transfers use smaller ones */

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void sleep_a_millisecond(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static int odd_rank(void)
{
    int rank;
    MPI_Comm_rank(vl_case_comm(), &rank);
    return rank % 2;
}

/* Poll every transfer until it is done, for PATIENCE seconds at most. Odd ranks begin with the second
 * one: tags tell the messages of two transfers apart, not their order. */
static enum vl_status drive(struct vl_transfer *const *transfers, int count, int64_t *all_done)
{
    int turned = count == 2 && odd_rank();
    int done[2] = {count < 1, count < 2};
    enum vl_status status = VL_OK;
    for (double end = now() + PATIENCE; status == VL_OK && !(done[0] && done[1]) && now() < end;)
        for (int i = 0; i < count && status == VL_OK; i++)
            if (!done[i ^ turned])
                status = vl_transfer_poll(transfers[i ^ turned], &done[i ^ turned]);
    *all_done = done[0] && done[1];
    return status;
}

/* Show the data as it is when poll says done: finish might still change it. */
static enum vl_status drive_and_show(struct vl_bag *outputs, const struct vl_bag *inputs,
                                     struct vl_transfer *const *transfers, int count)
{
    int64_t all_done = 0;
    enum vl_status status = drive(transfers, count, &all_done);
    vl_show_bytes(outputs, inputs, "data");
    if (count > 1)
        vl_show_bytes(outputs, inputs, "other");
    return vl_bag_set_int(outputs, "done", all_done) ? status : VL_EINTERNAL;
}

static enum vl_status finish_all(struct vl_transfer *const *transfers, int count,
                                 enum vl_status status)
{
    for (int i = 0; i < count; i++) {
        enum vl_status finished = vl_transfer_finish(transfers[i]);
        status = status == VL_OK ? finished : status;
    }
    return status;
}

static enum vl_status start_gather(struct vl_transfer **transfer, const struct vl_here *here,
                                   void *data, int tag)
{
    return vl_all_gather_start(transfer, here->comm, data, here->n, here->element_bytes, tag);
}

static enum vl_status poll_two(struct vl_bag *outputs, const struct vl_bag *inputs)
{
    struct vl_here here = vl_here(inputs);
    struct vl_transfer *transfers[2] = {NULL, NULL};
    void *data = vl_bytes_in_place(outputs, inputs, "data");
    void *other = vl_bytes_in_place(outputs, inputs, "other");
    if (data == NULL || other == NULL)
        return VL_EINTERNAL;
    enum vl_status status = start_gather(&transfers[0], &here, data, here.tag);
    VL_NEXT(status, start_gather(&transfers[1], &here, other, here.tag + 1));
    VL_NEXT(status, drive_and_show(outputs, inputs, transfers, 2));
    return finish_all(transfers, 2, status);
}

/* The early rank: poll must return although nobody answers. */
static enum vl_status poll_alone(struct vl_transfer *transfer, int64_t *early)
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
 * starts after a while: nobody hangs, and it is known that poll waited. */
static enum vl_status poll_early(struct vl_bag *outputs, const struct vl_bag *inputs)
{
    struct vl_here here = vl_here(inputs);
    struct vl_transfer *transfer = NULL;
    void *data = vl_bytes_in_place(outputs, inputs, "data");
    int64_t came_back = 1, early = 0;
    int word = 0;
    enum vl_status status = data != NULL ? VL_OK : VL_EINTERNAL;
    if (here.rank == 0) {
        VL_NEXT(status, start_gather(&transfer, &here, data, here.tag));
        VL_NEXT(status, poll_alone(transfer, &early));
        PMPI_Send(&word, 1, MPI_INT, 1, READY_TAG, here.comm);
    } else {
        int there = 0;
        for (double end = now() + HEAD_START; !there && now() < end; sleep_a_millisecond())
            PMPI_Iprobe(0, READY_TAG, here.comm, &there, MPI_STATUS_IGNORE);
        came_back = there;
        VL_NEXT(status, start_gather(&transfer, &here, data, here.tag));
    }
    VL_NEXT(status, drive_and_show(outputs, inputs, &transfer, 1));
    status = finish_all(&transfer, 1, status);
    if (here.rank == 1)
        PMPI_Recv(&word, 1, MPI_INT, 0, READY_TAG, here.comm, MPI_STATUS_IGNORE);
    return vl_bag_set_int(outputs, "came_back", came_back) &&
                   vl_bag_set_int(outputs, "done_early", early)
               ? status
               : VL_EINTERNAL;
}

VL_CALL(transfer_poll)
{
    if (vl_bag_int(inputs, "alone"))
        return poll_early(outputs, inputs);
    if (!vl_bag_int(inputs, "null"))
        return poll_two(outputs, inputs);
    int done = 0;
    enum vl_status status = vl_transfer_poll(NULL, &done);
    return vl_bag_set_int(outputs, "done", done != 0) ? status : VL_EINTERNAL;
}
