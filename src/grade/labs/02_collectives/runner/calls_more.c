/*
 * Calls of lab 02 that need more than a line: poll, the two levels, and what is predicted.
 */
#include "grade/labs/02_collectives/runner/roads.h"

#include "vialata/collectives.h"
#include "vialata/road_cost.h"

#include <time.h>

/* ---- poll ---- */

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

static void doze(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static int odd_rank(void)
{
    int rank;
    MPI_Comm_rank(vl_case_comm(), &rank);
    return rank % 2;
}

/* Poll all until each says done, and at most so long. Ranks that are odd begin with the other one:
 * messages of two transfers are told apart by their tags, not by their order. */
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

/* What stands there the moment poll says done, before finish could still do something. */
static enum vl_status drive_and_show(struct vl_bag *outputs, const struct vl_bag *inputs,
                                     struct vl_transfer *const *transfers, int count)
{
    int64_t all_done = 0;
    enum vl_status status = drive(transfers, count, &all_done);
    vl_road_show(outputs, inputs, "data");
    if (count > 1)
        vl_road_show(outputs, inputs, "other");
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

static enum vl_status start(struct vl_transfer **transfer, const struct vl_road_here *here,
                            void *data, int tag)
{
    return vl_all_gather_start(transfer, here->comm, data, here->n, here->element_bytes, tag);
}

static enum vl_status poll_two(struct vl_bag *outputs, const struct vl_bag *inputs)
{
    struct vl_road_here here = vl_road_here(inputs);
    struct vl_transfer *transfers[2] = {NULL, NULL};
    void *data = vl_road_bytes_in_place(outputs, inputs, "data");
    void *other = vl_road_bytes_in_place(outputs, inputs, "other");
    if (data == NULL || other == NULL)
        return VL_EINTERNAL;
    enum vl_status status = start(&transfers[0], &here, data, here.tag);
    if (status == VL_OK)
        status = start(&transfers[1], &here, other, here.tag + 1);
    if (status == VL_OK)
        status = drive_and_show(outputs, inputs, transfers, 2);
    return finish_all(transfers, 2, status);
}

/* The rank that is early: it must get away from poll although nobody answers. */
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

/*
 * Rank 0 starts and polls while rank 1 waits for its word that poll came back. If no word comes,
 * rank 1 goes on after a while: then nobody hangs, and it is known that poll waited.
 */
static enum vl_status poll_early(struct vl_bag *outputs, const struct vl_bag *inputs)
{
    struct vl_road_here here = vl_road_here(inputs);
    struct vl_transfer *transfer = NULL;
    void *data = vl_road_bytes_in_place(outputs, inputs, "data");
    int64_t came_back = 1, early = 0;
    int word = 0;
    enum vl_status status = data != NULL ? VL_OK : VL_EINTERNAL;
    if (here.rank == 0) {
        if (status == VL_OK)
            status = start(&transfer, &here, data, here.tag);
        if (status == VL_OK)
            status = poll_alone(transfer, &early);
        PMPI_Send(&word, 1, MPI_INT, 1, READY_TAG, here.comm);
    } else {
        int there = 0;
        for (double end = now() + HEAD_START; !there && now() < end; doze())
            PMPI_Iprobe(0, READY_TAG, here.comm, &there, MPI_STATUS_IGNORE);
        came_back = there;
        if (status == VL_OK)
            status = start(&transfer, &here, data, here.tag);
    }
    if (status == VL_OK)
        status = drive_and_show(outputs, inputs, &transfer, 1);
    status = finish_all(&transfer, 1, status);
    if (here.rank == 1)
        PMPI_Recv(&word, 1, MPI_INT, 0, READY_TAG, here.comm, MPI_STATUS_IGNORE);
    return vl_bag_set_int(outputs, "came_back", came_back) &&
                   vl_bag_set_int(outputs, "done_early", early)
               ? status
               : VL_EINTERNAL;
}

enum vl_status vl_call_transfer_poll(struct vl_bag *outputs, const struct vl_bag *inputs)
{
    if (vl_road_number(inputs, "alone"))
        return poll_early(outputs, inputs);
    if (!vl_road_number(inputs, "null"))
        return poll_two(outputs, inputs);
    int done = 0;
    enum vl_status status = vl_transfer_poll(NULL, &done);
    return vl_bag_set_int(outputs, "done", done != 0) ? status : VL_EINTERNAL;
}

/* ---- two levels ---- */

/* The members of a communicator, as ranks of the case's. */
static int add_members(struct vl_bag *outputs, const char *name, MPI_Comm comm)
{
    MPI_Comm all = vl_case_comm();
    MPI_Group whole, part;
    int ranks, size, from[VL_ROAD_RANKS], to[VL_ROAD_RANKS];
    MPI_Comm_size(all, &ranks);
    int64_t *members = vl_road_whole(outputs, name, (size_t)ranks);
    for (int i = 0; members != NULL && i < ranks; i++)
        members[i] = -1;
    if (members == NULL || comm == MPI_COMM_NULL)
        return members != NULL;
    MPI_Comm_size(comm, &size);
    for (int i = 0; i < size && i < VL_ROAD_RANKS; i++)
        from[i] = i;
    PMPI_Comm_group(all, &whole);
    PMPI_Comm_group(comm, &part);
    PMPI_Group_translate_ranks(part, size, from, whole, to);
    for (int i = 0; i < size && i < ranks; i++)
        members[i] = to[i];
    PMPI_Group_free(&whole);
    PMPI_Group_free(&part);
    return 1;
}

static void free_here(MPI_Comm *comm)
{
    if (*comm != MPI_COMM_NULL)
        MPI_Comm_free(comm);
}

enum vl_status vl_call_levels_create(struct vl_bag *outputs, const struct vl_bag *inputs)
{
    struct vl_levels levels = {MPI_COMM_NULL, MPI_COMM_NULL};
    enum vl_status status =
        vl_levels_create(&levels, vl_case_comm(), vl_road_number(inputs, "ranks_per_node"));
    int added = vl_bag_set_int(outputs, "inside_null", levels.inside == MPI_COMM_NULL) &&
                vl_bag_set_int(outputs, "across_null", levels.across == MPI_COMM_NULL);
    if (status == VL_OK)
        added &= add_members(outputs, "inside", levels.inside) &&
                 add_members(outputs, "across", levels.across);
    /* Not by vl_levels_free: each function earns for itself. */
    free_here(&levels.across);
    free_here(&levels.inside);
    return added ? status : VL_EINTERNAL;
}

static struct vl_levels made_here(const struct vl_bag *inputs)
{
    struct vl_levels levels = {MPI_COMM_NULL, MPI_COMM_NULL};
    MPI_Comm comm = vl_case_comm();
    int rank, per_node = vl_road_number(inputs, "ranks_per_node");
    MPI_Comm_rank(comm, &rank);
    if (per_node < 1 || vl_road_number(inputs, "null"))
        return levels;
    MPI_Comm_split(comm, rank / per_node, rank, &levels.inside);
    MPI_Comm_split(comm, rank % per_node, rank, &levels.across);
    return levels;
}

enum vl_status vl_call_levels_free(struct vl_bag *outputs, const struct vl_bag *inputs)
{
    (void)outputs;
    struct vl_levels levels = made_here(inputs);
    enum vl_status status = vl_levels_free(&levels);
    if (status == VL_TODO || status == VL_EMISSING) {
        free_here(&levels.across);
        free_here(&levels.inside);
    }
    return status;
}

enum vl_status vl_call_two_level(struct vl_bag *outputs, const struct vl_bag *inputs)
{
    struct vl_levels levels = made_here(inputs);
    float *data = vl_road_floats_in_place(outputs, inputs, "data");
    enum vl_status status = data != NULL ? VL_OK : VL_EINTERNAL;
    if (status == VL_OK)
        status = vl_all_reduce_two_level(&levels, data, vl_road_size(inputs, "n"));
    free_here(&levels.across);
    free_here(&levels.inside);
    return status;
}

/* Ranks of the world and of the case are the same here: these cases are never reversed. */
enum vl_status vl_call_two_level_traffic(struct vl_bag *outputs, const struct vl_bag *inputs)
{
    enum vl_status status = vl_call_two_level(outputs, inputs);
    const struct vl_beacon *beacon = vl_beacon_mine();
    int rank, per_node = vl_road_number(inputs, "ranks_per_node");
    int64_t bytes = 0;
    MPI_Comm_rank(vl_case_comm(), &rank);
    for (uint32_t i = 0; i < beacon->channels_used && i < VL_BEACON_CHANNELS; i++)
        if (beacon->channel[i].peer / per_node != rank / per_node)
            bytes += (int64_t)beacon->channel[i].received_bytes;
    return vl_bag_set_int(outputs, "from_other_nodes", bytes) ? status : VL_EINTERNAL;
}

/* ---- predictions ---- */

typedef enum vl_status (*cost_fn)(double *seconds, const struct vl_road *road, int ranks,
                                  double bytes);

/* One answer for each item of the lists. */
static enum vl_status ask(struct vl_bag *outputs, const struct vl_bag *inputs, cost_fn cost)
{
    const struct vl_tensor_entry *ranks = vl_bag_find(inputs, "ranks");
    const struct vl_tensor_entry *nodes = vl_bag_find(inputs, "nodes");
    const double *bytes = vl_bag_f64(inputs, "bytes");
    struct vl_road road = {vl_bag_real(inputs, "alpha"), vl_bag_real(inputs, "beta")};
    struct vl_road across = {vl_bag_real(inputs, "across_alpha"),
                             vl_bag_real(inputs, "across_beta")};
    double *seconds = vl_bag_add_f64(outputs, "seconds", 1, ranks->count);
    vl_bag_poison(outputs, "seconds");
    enum vl_status status = seconds != NULL ? VL_OK : VL_EINTERNAL;
    for (size_t i = 0; status == VL_OK && i < ranks->count; i++) {
        int count = (int)((const int64_t *)ranks->data)[i];
        if (cost != NULL)
            status = cost(&seconds[i], &road, count, bytes[i]);
        else
            status = vl_two_level_seconds(&seconds[i], &road, &across,
                                          (int)((const int64_t *)nodes->data)[i], count, bytes[i]);
    }
    return status;
}

enum vl_status vl_call_broadcast_seconds(struct vl_bag *outputs, const struct vl_bag *inputs)
{
    return ask(outputs, inputs, vl_broadcast_seconds);
}

enum vl_status vl_call_reduce_scatter_seconds(struct vl_bag *outputs, const struct vl_bag *inputs)
{
    return ask(outputs, inputs, vl_reduce_scatter_seconds);
}

enum vl_status vl_call_all_gather_seconds(struct vl_bag *outputs, const struct vl_bag *inputs)
{
    return ask(outputs, inputs, vl_all_gather_seconds);
}

enum vl_status vl_call_all_reduce_seconds(struct vl_bag *outputs, const struct vl_bag *inputs)
{
    return ask(outputs, inputs, vl_all_reduce_seconds);
}

enum vl_status vl_call_two_level_seconds(struct vl_bag *outputs, const struct vl_bag *inputs)
{
    return ask(outputs, inputs, NULL);
}

enum vl_status vl_call_predict_collectives(struct vl_bag *outputs, const struct vl_bag *inputs)
{
    (void)inputs;
    struct vl_collectives_prediction sealed = {0, 0, 0};
    enum vl_status status = vl_predict_collectives(&sealed);
    return vl_bag_set_int(outputs, "ring_sent_bytes", (int64_t)sealed.ring_sent_bytes) &&
                   vl_bag_set_int(outputs, "tree_root_messages",
                                  (int64_t)sealed.tree_root_messages) &&
                   vl_bag_set_real(outputs, "break_even_bytes", sealed.break_even_bytes)
               ? status
               : VL_EINTERNAL;
}
