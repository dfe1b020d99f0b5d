/* Communicators made and freed: collectives over the parent, except MPI_Comm_create_group. */
#include "comm/intercept/watch.h"

#define BY_TAG 0x80000000u /* a bit that no count of the parent's children reaches */
#define ROUNDS 4           /* of small collectives, in which the ranks agree on a communicator */

static struct vl_beacon_call enter(uint32_t operation, MPI_Comm parent, const void *address,
                                   double *began)
{
    struct vl_beacon_call call = vl_call_plain(operation, parent, address);
    vl_watch_called(&call);
    for (int round = 0; round < ROUNDS; round++)
        vl_meter_collective(0, vl_members(&call));
    vl_watch_collective(&call);
    *began = vl_watch_enter(&call);
    return call;
}

/* The parent has one child more, even if this rank is not in it. */
static int leave(const struct vl_beacon_call *call, double began, const char *name, int result,
                 MPI_Comm parent, MPI_Comm *made)
{
    vl_watch_leave(began, name);
    struct vl_known *known = vl_known(parent);
    if (result == MPI_SUCCESS && known != NULL)
        vl_known_made(*made, known->number, known->children++, call);
    return result;
}

/* MPI_name makes the communicator *made from comm. */
#define MAKES(name, operation, parameters, arguments)                                              \
    int MPI_##name parameters                                                                      \
    {                                                                                              \
        double began;                                                                              \
        struct vl_beacon_call call = enter(operation, comm, VL_HERE, &began);                      \
        int result = PMPI_##name arguments;                                                        \
        return leave(&call, began, "MPI_" #name, result, comm, made);                              \
    }

MAKES(Comm_dup, VL_OP_COMM_DUP, (MPI_Comm comm, MPI_Comm *made), (comm, made))
MAKES(Comm_dup_with_info, VL_OP_COMM_DUP, (MPI_Comm comm, MPI_Info info, MPI_Comm *made),
      (comm, info, made))
MAKES(Comm_split, VL_OP_COMM_SPLIT, (MPI_Comm comm, int color, int rank_key, MPI_Comm *made),
      (comm, color, rank_key, made))
MAKES(Comm_split_type, VL_OP_COMM_SPLIT_TYPE,
      (MPI_Comm comm, int type, int rank_key, MPI_Info info, MPI_Comm *made),
      (comm, type, rank_key, info, made))
MAKES(Comm_create, VL_OP_COMM_CREATE, (MPI_Comm comm, MPI_Group group, MPI_Comm *made),
      (comm, group, made))
MAKES(Cart_create, VL_OP_CART_CREATE,
      (MPI_Comm comm, int dimensions, const int sizes[], const int periods[], int reorder,
       MPI_Comm *made),
      (comm, dimensions, sizes, periods, reorder, made))
MAKES(Cart_sub, VL_OP_CART_SUB, (MPI_Comm comm, const int remaining[], MPI_Comm *made),
      (comm, remaining, made))
MAKES(Graph_create, VL_OP_GRAPH_CREATE,
      (MPI_Comm comm, int nodes, const int neighbours[], const int edges[], int reorder,
       MPI_Comm *made),
      (comm, nodes, neighbours, edges, reorder, made))
MAKES(Dist_graph_create, VL_OP_DIST_GRAPH_CREATE,
      (MPI_Comm comm, int count, const int sources[], const int degrees[], const int targets[],
       const int weights[], MPI_Info info, int reorder, MPI_Comm *made),
      (comm, count, sources, degrees, targets, weights, info, reorder, made))
MAKES(Dist_graph_create_adjacent, VL_OP_DIST_GRAPH_CREATE_ADJACENT,
      (MPI_Comm comm, int in, const int sources[], const int source_weights[], int out,
       const int targets[], const int target_weights[], MPI_Info info, int reorder, MPI_Comm *made),
      (comm, in, sources, source_weights, out, targets, target_weights, info, reorder, made))

/* Only members call it, so it counts neither among the parent's collectives nor among its
 * children. */
int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made)
{
    struct vl_beacon_call call = vl_call_plain(VL_OP_COMM_CREATE_GROUP, comm, VL_HERE);
    vl_watch_called(&call);
    double began = vl_watch_enter(&call);
    int result = PMPI_Comm_create_group(comm, group, tag, made);
    vl_watch_leave(began, "MPI_Comm_create_group");
    if (result == MPI_SUCCESS)
        vl_known_made(*made, call.communicator, BY_TAG | (uint32_t)tag, &call);
    return result;
}

/* The new communicator becomes known when it is first used. */
int MPI_Comm_idup(MPI_Comm comm, MPI_Comm *made, MPI_Request *request)
{
    double began;
    struct vl_beacon_call call = enter(VL_OP_COMM_DUP, comm, VL_HERE, &began);
    int result = PMPI_Comm_idup(comm, made, request);
    vl_watch_leave(0, NULL);
    if (result != MPI_SUCCESS)
        return result;
    vl_known_promised(*made, vl_known(comm), &call);
    vl_request_open(request, VL_REQUEST_OTHER, &call, comm, NULL, MPI_DATATYPE_NULL, 0);
    return result;
}

int MPI_Comm_disconnect(MPI_Comm *comm)
{
    double began;
    enter(VL_OP_COMM_FREE, *comm, VL_HERE, &began);
    int result = PMPI_Comm_disconnect(comm);
    vl_watch_leave(began, "MPI_Comm_disconnect");
    return result;
}

int MPI_Comm_free(MPI_Comm *comm)
{
    double began;
    enter(VL_OP_COMM_FREE, *comm, VL_HERE, &began);
    int result = PMPI_Comm_free(comm);
    vl_watch_leave(began, "MPI_Comm_free");
    return result;
}
