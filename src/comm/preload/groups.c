/* Groups made and freed. */
#include "comm/intercept/watch.h"
#include "comm/preload/made.h"

/* MPI_GROUP_EMPTY is nobody's: it need not be freed. */
static int made_by(int result, uint32_t operation, const MPI_Group *made, const void *address)
{
    if (result == MPI_SUCCESS && *made != MPI_GROUP_EMPTY && *made != MPI_GROUP_NULL)
        vl_made(VL_MADE_GROUP, (uintptr_t)*made, made, operation, address);
    return result;
}

/* ---- of what has ranks ---- */

int MPI_Comm_group(MPI_Comm comm, MPI_Group *made)
{
    return made_by(PMPI_Comm_group(comm, made), VL_OP_COMM_GROUP, made, VL_HERE);
}

int MPI_Comm_remote_group(MPI_Comm comm, MPI_Group *made)
{
    return made_by(PMPI_Comm_remote_group(comm, made), VL_OP_COMM_REMOTE_GROUP, made, VL_HERE);
}

int MPI_Win_get_group(MPI_Win window, MPI_Group *made)
{
    return made_by(PMPI_Win_get_group(window, made), VL_OP_WIN_GROUP, made, VL_HERE);
}

/* ---- of groups ---- */

int MPI_Group_incl(MPI_Group group, int count, const int ranks[], MPI_Group *made)
{
    return made_by(PMPI_Group_incl(group, count, ranks, made), VL_OP_GROUP_INCL, made, VL_HERE);
}

int MPI_Group_excl(MPI_Group group, int count, const int ranks[], MPI_Group *made)
{
    return made_by(PMPI_Group_excl(group, count, ranks, made), VL_OP_GROUP_EXCL, made, VL_HERE);
}

int MPI_Group_range_incl(MPI_Group group, int count, int ranges[][3], MPI_Group *made)
{
    int result = PMPI_Group_range_incl(group, count, ranges, made);
    return made_by(result, VL_OP_GROUP_RANGE_INCL, made, VL_HERE);
}

int MPI_Group_range_excl(MPI_Group group, int count, int ranges[][3], MPI_Group *made)
{
    int result = PMPI_Group_range_excl(group, count, ranges, made);
    return made_by(result, VL_OP_GROUP_RANGE_EXCL, made, VL_HERE);
}

int MPI_Group_union(MPI_Group one, MPI_Group other, MPI_Group *made)
{
    return made_by(PMPI_Group_union(one, other, made), VL_OP_GROUP_UNION, made, VL_HERE);
}

int MPI_Group_intersection(MPI_Group one, MPI_Group other, MPI_Group *made)
{
    int result = PMPI_Group_intersection(one, other, made);
    return made_by(result, VL_OP_GROUP_INTERSECTION, made, VL_HERE);
}

int MPI_Group_difference(MPI_Group one, MPI_Group other, MPI_Group *made)
{
    return made_by(PMPI_Group_difference(one, other, made), VL_OP_GROUP_DIFFERENCE, made, VL_HERE);
}

int MPI_Group_free(MPI_Group *group)
{
    MPI_Group was = *group;
    int result = PMPI_Group_free(group);
    if (result == MPI_SUCCESS)
        vl_freed(VL_MADE_GROUP, (uintptr_t)was, group);
    return result;
}
