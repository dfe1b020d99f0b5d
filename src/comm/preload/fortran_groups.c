/* Fortran: groups made and freed. */
#include "comm/preload/fortran.h"

#define ENTRY(name, parameters, call)                                                              \
    VL_ENTRY_FILLS(MPI_Group, MPI_GROUP_NULL, PMPI_Group_c2f, name, parameters, call)

ENTRY(comm_group, (vl_in comm, vl_out handle, vl_out error), MPI_Comm_group(vl_comm(comm), &made))
ENTRY(comm_remote_group, (vl_in comm, vl_out handle, vl_out error),
      MPI_Comm_remote_group(vl_comm(comm), &made))
ENTRY(win_get_group, (vl_in window, vl_out handle, vl_out error),
      MPI_Win_get_group(PMPI_Win_f2c(*window), &made))

#define SOME   vl_in group, vl_in count, vl_in ranks, vl_out handle, vl_out error
#define CHOSEN PMPI_Group_f2c(*group), *count, ranks, &made
/* ranges(3, count): three integers follow one another in C's array as well. */
#define RANGES PMPI_Group_f2c(*group), *count, (int(*)[3])ranks, &made

ENTRY(group_incl, (SOME), MPI_Group_incl(CHOSEN))
ENTRY(group_excl, (SOME), MPI_Group_excl(CHOSEN))
ENTRY(group_range_incl, (SOME), MPI_Group_range_incl(RANGES))
ENTRY(group_range_excl, (SOME), MPI_Group_range_excl(RANGES))

#define TWO  vl_in one, vl_in other, vl_out handle, vl_out error
#define BOTH PMPI_Group_f2c(*one), PMPI_Group_f2c(*other), &made

ENTRY(group_union, (TWO), MPI_Group_union(BOTH))
ENTRY(group_intersection, (TWO), MPI_Group_intersection(BOTH))
ENTRY(group_difference, (TWO), MPI_Group_difference(BOTH))

static int let_go(vl_out handle)
{
    MPI_Group known = PMPI_Group_f2c(*handle);
    int result = MPI_Group_free(&known);
    if (result == MPI_SUCCESS)
        *handle = PMPI_Group_c2f(known);
    return result;
}

VL_ENTRY_CHANGES(group_free, (vl_out handle, vl_out error), let_go(handle))
