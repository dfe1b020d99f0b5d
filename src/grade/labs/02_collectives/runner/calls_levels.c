/*
 * The two levels of lab 02: communicators inside a node and across nodes, and a sum over both.
 */
#include "grade/labs/02_collectives/runner/here.h"

#include "comm/beacon.h"
#include "vialata/collectives.h"

#include <stdbool.h>

/* The members of a communicator, as ranks of the case's communicator. */
static bool add_members(struct vl_bag *outputs, const char *name, MPI_Comm comm)
{
    MPI_Comm all = vl_case_comm();
    MPI_Group whole, part;
    int ranks, size, from[VL_MOST_RANKS], to[VL_MOST_RANKS];
    MPI_Comm_size(all, &ranks);
    int64_t *members = vl_filled_numbers(outputs, name, 1, (size_t)ranks, -1);
    if (members == NULL || comm == MPI_COMM_NULL)
        return members != NULL;
    MPI_Comm_size(comm, &size);
    for (int i = 0; i < size && i < VL_MOST_RANKS; i++)
        from[i] = i;
    PMPI_Comm_group(all, &whole);
    PMPI_Comm_group(comm, &part);
    PMPI_Group_translate_ranks(part, size, from, whole, to);
    for (int i = 0; i < size && i < ranks; i++)
        members[i] = to[i];
    PMPI_Group_free(&whole);
    PMPI_Group_free(&part);
    return true;
}

static void free_made(MPI_Comm *comm)
{
    if (*comm != MPI_COMM_NULL && *comm != MPI_COMM_WORLD)
        MPI_Comm_free(comm);
}

static void free_both(struct vl_levels *levels)
{
    free_made(&levels->across);
    free_made(&levels->inside);
}

VL_CALL(levels_create)
{
    struct vl_levels levels = {MPI_COMM_WORLD, MPI_COMM_WORLD}; /* not the answer by chance */
    int per_node = (int)vl_bag_int(inputs, "ranks_per_node");
    enum vl_status status = vl_levels_create(&levels, vl_case_comm(), per_node);
    if (per_node == 0 && status == VL_EINVAL) /* nor can a node have fewer */
        status = vl_levels_create(&levels, vl_case_comm(), -1);
    int added = status != VL_OK || (add_members(outputs, "inside", levels.inside) &&
                                    add_members(outputs, "across", levels.across));
    status = vl_give_counts(outputs, added ? status : VL_EINTERNAL,
                            {"inside_null", levels.inside == MPI_COMM_NULL},
                            {"across_null", levels.across == MPI_COMM_NULL});
    /* Not by vl_levels_free, which is graded on its own. */
    free_both(&levels);
    return status;
}

static struct vl_levels made_here(const struct vl_bag *inputs)
{
    struct vl_levels levels = {MPI_COMM_NULL, MPI_COMM_NULL};
    MPI_Comm comm = vl_case_comm();
    int rank, per_node = (int)vl_bag_int(inputs, "ranks_per_node");
    MPI_Comm_rank(comm, &rank);
    if (per_node < 1 || vl_bag_int(inputs, "null"))
        return levels;
    MPI_Comm_split(comm, rank / per_node, rank, &levels.inside);
    MPI_Comm_split(comm, rank % per_node, rank, &levels.across);
    return levels;
}

/* Both communicators; or one, the other having been freed before. */
VL_CALL(levels_free)
{
    (void)outputs;
    struct vl_levels levels[3];
    enum vl_status status = VL_OK;
    for (int i = 0; i < 3; i++)
        levels[i] = made_here(inputs);
    free_made(&levels[1].across);
    free_made(&levels[2].inside);
    for (int i = 0; i < 3; i++)
        VL_NEXT(status, vl_levels_free(&levels[i]));
    for (int i = 0; i < 3 && (status == VL_TODO || status == VL_EMISSING); i++)
        free_both(&levels[i]);
    return status;
}

VL_CALL(two_level)
{
    struct vl_levels levels = made_here(inputs);
    float *data = vl_own_row(outputs, inputs, "data", "data", vl_row_floats(inputs, "data"));
    enum vl_status status = VL_EINTERNAL;
    if (data != NULL)
        status = vl_all_reduce_two_level(&levels, data, vl_input_size(inputs, "n"));
    free_both(&levels);
    return status;
}

/* The beacon's ranks are those of the world, and the case's too: these cases are not reversed. */
VL_CALL(two_level_traffic)
{
    enum vl_status status = vl_call_two_level(outputs, inputs);
    const struct vl_beacon *beacon = vl_beacon_mine();
    int rank, per_node = (int)vl_bag_int(inputs, "ranks_per_node");
    uint64_t bytes = 0;
    MPI_Comm_rank(vl_case_comm(), &rank);
    for (uint32_t i = 0; i < beacon->channels_used && i < VL_BEACON_CHANNELS; i++)
        if (beacon->channel[i].peer / per_node != rank / per_node)
            bytes += beacon->channel[i].received_bytes;
    return vl_give_counts(outputs, status, {"from_other_nodes", bytes});
}
