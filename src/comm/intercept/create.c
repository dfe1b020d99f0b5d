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

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *made)
{
    double began;
    struct vl_beacon_call call = enter(VL_OP_COMM_DUP, comm, VL_HERE, &began);
    return leave(&call, began, "MPI_Comm_dup", PMPI_Comm_dup(comm, made), comm, made);
}

int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *made)
{
    double began;
    struct vl_beacon_call call = enter(VL_OP_COMM_DUP, comm, VL_HERE, &began);
    int result = PMPI_Comm_dup_with_info(comm, info, made);
    return leave(&call, began, "MPI_Comm_dup_with_info", result, comm, made);
}

int MPI_Comm_split(MPI_Comm comm, int color, int rank_key, MPI_Comm *made)
{
    double began;
    struct vl_beacon_call call = enter(VL_OP_COMM_CREATE, comm, VL_HERE, &began);
    int result = PMPI_Comm_split(comm, color, rank_key, made);
    return leave(&call, began, "MPI_Comm_split", result, comm, made);
}

int MPI_Comm_split_type(MPI_Comm comm, int type, int rank_key, MPI_Info info, MPI_Comm *made)
{
    double began;
    struct vl_beacon_call call = enter(VL_OP_COMM_CREATE, comm, VL_HERE, &began);
    int result = PMPI_Comm_split_type(comm, type, rank_key, info, made);
    return leave(&call, began, "MPI_Comm_split_type", result, comm, made);
}

int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *made)
{
    double began;
    struct vl_beacon_call call = enter(VL_OP_COMM_CREATE, comm, VL_HERE, &began);
    int result = PMPI_Comm_create(comm, group, made);
    return leave(&call, began, "MPI_Comm_create", result, comm, made);
}

int MPI_Cart_create(MPI_Comm comm, int dimensions, const int sizes[], const int periods[],
                    int reorder, MPI_Comm *made)
{
    double began;
    struct vl_beacon_call call = enter(VL_OP_COMM_CREATE, comm, VL_HERE, &began);
    int result = PMPI_Cart_create(comm, dimensions, sizes, periods, reorder, made);
    return leave(&call, began, "MPI_Cart_create", result, comm, made);
}

int MPI_Cart_sub(MPI_Comm comm, const int remaining[], MPI_Comm *made)
{
    double began;
    struct vl_beacon_call call = enter(VL_OP_COMM_CREATE, comm, VL_HERE, &began);
    int result = PMPI_Cart_sub(comm, remaining, made);
    return leave(&call, began, "MPI_Cart_sub", result, comm, made);
}

/* Only members call it, so it counts neither among the parent's collectives nor among its
 * children. */
int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made)
{
    struct vl_beacon_call call = vl_call_plain(VL_OP_COMM_CREATE, comm, VL_HERE);
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
    if (result == MPI_SUCCESS)
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
