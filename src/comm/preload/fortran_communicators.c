/* Fortran: beginning and end of MPI, communicators made and freed. */
#include "comm/preload/fortran.h"

/* ---- MPI itself ---- */

/* The words of the command line are Fortran's own affair. */
static int begin(void)
{
    int argc = 0;
    char **argv = NULL;
    return MPI_Init(&argc, &argv);
}

static int begin_with_threads(vl_in required, vl_out provided)
{
    int argc = 0;
    char **argv = NULL;
    return MPI_Init_thread(&argc, &argv, *required, provided);
}

VL_ENTRY(init, (vl_out error), begin())
VL_ENTRY(init_thread, (vl_in required, vl_out provided, vl_out error),
         begin_with_threads(required, provided))
VL_ENTRY(finalize, (vl_out error), MPI_Finalize())
VL_ENTRY(abort, (vl_in comm, vl_in code, vl_out error), MPI_Abort(vl_comm(comm), *code))

/* ---- communicators ---- */

VL_ENTRY_MAKES(comm_dup, (vl_in comm, vl_out handle, vl_out error),
               MPI_Comm_dup(vl_comm(comm), &made))
VL_ENTRY_MAKES(comm_dup_with_info, (vl_in comm, vl_in info, vl_out handle, vl_out error),
               MPI_Comm_dup_with_info(vl_comm(comm), PMPI_Info_f2c(*info), &made))
VL_ENTRY_MAKES(comm_split, (vl_in comm, vl_in color, vl_in key, vl_out handle, vl_out error),
               MPI_Comm_split(vl_comm(comm), *color, *key, &made))
VL_ENTRY_MAKES(comm_split_type,
               (vl_in comm, vl_in type, vl_in key, vl_in info, vl_out handle, vl_out error),
               MPI_Comm_split_type(vl_comm(comm), *type, *key, PMPI_Info_f2c(*info), &made))
VL_ENTRY_MAKES(comm_create, (vl_in comm, vl_in group, vl_out handle, vl_out error),
               MPI_Comm_create(vl_comm(comm), PMPI_Group_f2c(*group), &made))
VL_ENTRY_MAKES(comm_create_group, (vl_in comm, vl_in group, vl_in tag, vl_out handle, vl_out error),
               MPI_Comm_create_group(vl_comm(comm), PMPI_Group_f2c(*group), *tag, &made))

/* A LOGICAL of gfortran is 1 or 0, in as much memory as an int. */
VL_ENTRY_MAKES(cart_create,
               (vl_in comm, vl_in dimensions, vl_in sizes, vl_in periods, vl_in reorder,
                vl_out handle, vl_out error),
               MPI_Cart_create(vl_comm(comm), *dimensions, sizes, periods, *reorder, &made))
VL_ENTRY_MAKES(cart_sub, (vl_in comm, vl_in remaining, vl_out handle, vl_out error),
               MPI_Cart_sub(vl_comm(comm), remaining, &made))
VL_ENTRY_MAKES(graph_create,
               (vl_in comm, vl_in nodes, vl_in neighbours, vl_in edges, vl_in reorder,
                vl_out handle, vl_out error),
               MPI_Graph_create(vl_comm(comm), *nodes, neighbours, edges, *reorder, &made))
VL_ENTRY_MAKES(dist_graph_create,
               (vl_in comm, vl_in count, vl_in sources, vl_in degrees, vl_in targets, vl_in weights,
                vl_in info, vl_in reorder, vl_out handle, vl_out error),
               MPI_Dist_graph_create(vl_comm(comm), *count, sources, degrees, targets,
                                     vl_weights(weights), PMPI_Info_f2c(*info), *reorder, &made))
VL_ENTRY_MAKES(dist_graph_create_adjacent,
               (vl_in comm, vl_in in, vl_in sources, vl_in source_weights, vl_in out, vl_in targets,
                vl_in target_weights, vl_in info, vl_in reorder, vl_out handle, vl_out error),
               MPI_Dist_graph_create_adjacent(vl_comm(comm), *in, sources,
                                              vl_weights(source_weights), *out, targets,
                                              vl_weights(target_weights), PMPI_Info_f2c(*info),
                                              *reorder, &made))

/* The handle is known at once, though the communicator is not ready. */
static int copy_later(vl_in comm, vl_out handle, MPI_Request *started)
{
    MPI_Comm made = MPI_COMM_NULL;
    int result = MPI_Comm_idup(vl_comm(comm), &made, started);
    if (result == MPI_SUCCESS)
        *handle = PMPI_Comm_c2f(made);
    return result;
}

VL_ENTRY_STARTS(comm_idup, (vl_in comm, vl_out handle, vl_out request, vl_out error),
                copy_later(comm, handle, &started))

static int let_go(int (*library)(MPI_Comm *), vl_out comm)
{
    MPI_Comm known = vl_comm(comm);
    int result = library(&known);
    if (result == MPI_SUCCESS)
        *comm = PMPI_Comm_c2f(known);
    return result;
}

VL_ENTRY(comm_free, (vl_out comm, vl_out error), let_go(MPI_Comm_free, comm))
VL_ENTRY(comm_disconnect, (vl_out comm, vl_out error), let_go(MPI_Comm_disconnect, comm))
