#include "wire/beacon.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define MAKER_NAME(operation, call) [VL_OP_##operation] = "MPI_" #call,
static const char *const names[VL_OPERATIONS] = {
    [VL_OP_NONE] = "",
    [VL_OP_SEND] = "MPI_Send",
    [VL_OP_SSEND] = "MPI_Ssend",
    [VL_OP_RECV] = "MPI_Recv",
    [VL_OP_SENDRECV] = "MPI_Sendrecv",
    [VL_OP_ISEND] = "MPI_Isend",
    [VL_OP_IRECV] = "MPI_Irecv",
    [VL_OP_WAIT] = "MPI_Wait",
    [VL_OP_WAITALL] = "MPI_Waitall",
    [VL_OP_WAITANY] = "MPI_Waitany",
    [VL_OP_TEST] = "MPI_Test",
    [VL_OP_PROBE] = "MPI_Probe",
    [VL_OP_BARRIER] = "MPI_Barrier",
    [VL_OP_BCAST] = "MPI_Bcast",
    [VL_OP_REDUCE] = "MPI_Reduce",
    [VL_OP_ALLREDUCE] = "MPI_Allreduce",
    [VL_OP_GATHER] = "MPI_Gather",
    [VL_OP_SCATTER] = "MPI_Scatter",
    [VL_OP_ALLGATHER] = "MPI_Allgather",
    [VL_OP_REDUCE_SCATTER] = "MPI_Reduce_scatter",
    [VL_OP_ALLTOALL] = "MPI_Alltoall",
    [VL_OP_SCAN] = "MPI_Scan",
    [VL_OP_COMM_DUP] = "MPI_Comm_dup",
    [VL_OP_COMM_CREATE] = "MPI_Comm_create",
    [VL_OP_COMM_CREATE_GROUP] = "MPI_Comm_create_group",
    [VL_OP_COMM_SPLIT] = "MPI_Comm_split",
    [VL_OP_COMM_SPLIT_TYPE] = "MPI_Comm_split_type",
    [VL_OP_CART_CREATE] = "MPI_Cart_create",
    [VL_OP_CART_SUB] = "MPI_Cart_sub",
    [VL_OP_GRAPH_CREATE] = "MPI_Graph_create",
    [VL_OP_DIST_GRAPH_CREATE] = "MPI_Dist_graph_create",
    [VL_OP_DIST_GRAPH_CREATE_ADJACENT] = "MPI_Dist_graph_create_adjacent",
    [VL_OP_WIN_CREATE] = "MPI_Win_create",
    [VL_OP_WIN_CREATE_DYNAMIC] = "MPI_Win_create_dynamic",
    [VL_OP_WIN_ALLOCATE] = "MPI_Win_allocate",
    [VL_OP_WIN_ALLOCATE_SHARED] = "MPI_Win_allocate_shared",
    [VL_OP_WIN_FENCE] = "MPI_Win_fence",
    [VL_OP_WIN_FREE] = "MPI_Win_free",
    [VL_OP_COMM_FREE] = "MPI_Comm_free",
    [VL_OP_OTHER] = "MPI",
    [VL_OP_VL_SEND] = "vl_send_start",
    [VL_OP_VL_RECEIVE] = "vl_receive_start",
    [VL_OP_VL_BROADCAST] = "vl_broadcast",
    [VL_OP_VL_REDUCE_SCATTER] = "vl_reduce_scatter_start",
    [VL_OP_VL_ALL_GATHER] = "vl_all_gather_start",
    [VL_OP_VL_ALL_REDUCE] = "vl_all_reduce_start",
    [VL_OP_VL_ALL_TO_ALL] = "vl_all_to_all",
    [VL_OP_VL_FINISH] = "vl_transfer_finish",
    [VL_OP_VL_POLL] = "vl_transfer_poll",
    VL_MAKERS(MAKER_NAME)[VL_OP_ALLOCATE] = "malloc",
};
#undef MAKER_NAME

const char *vl_operation_name(uint32_t operation)
{
    return operation < VL_OPERATIONS && names[operation] != NULL ? names[operation] : "?";
}

bool vl_operation_is_collective(uint32_t operation)
{
    return (operation >= VL_OP_BARRIER && operation <= VL_OP_COMM_FREE) ||
           (operation >= VL_OP_VL_BROADCAST && operation <= VL_OP_VL_ALL_TO_ALL);
}

const char *vl_call_name(char text[VL_CALL_NAME], const struct vl_beacon_call *call)
{
    static const char prefix[] = "MPI_";
    const size_t length = sizeof prefix - 1;
    const char *name = vl_operation_name(call->operation);
    uint32_t form = strncmp(name, prefix, length) == 0 ? call->form : 0;
    if ((form & VL_FORM_BEFORE) != 0)
        name = "MPI_Exscan";
    bool started = (form & VL_FORM_STARTED) != 0;
    snprintf(text, VL_CALL_NAME, "%s%s%s%s%s", started ? "MPI_I" : "",
             name + (started ? length : 0), (form & VL_FORM_UNEVEN) != 0 ? "v" : "",
             (form & VL_FORM_TYPED) != 0 ? "w" : "", (form & VL_FORM_BLOCK) != 0 ? "_block" : "");
    if (started)
        text[length + 1] = (char)tolower((unsigned char)text[length + 1]);
    return text;
}

uint32_t vl_beacon_heap_of(uint32_t communicator, int32_t from, int32_t to, int32_t tag)
{
    const uint32_t ends = (uint32_t)from * 64u + (uint32_t)to;
    uint32_t mixed = (communicator * 0x9e3779b1u ^ ends) * 0x85ebca6bu ^ (uint32_t)tag;
    mixed ^= mixed >> 16;
    mixed *= 0xc2b2ae35u;
    return (mixed ^ mixed >> 15) % VL_BEACON_HEAPS;
}
