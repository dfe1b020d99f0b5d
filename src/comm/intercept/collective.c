/* What all wrappers of collectives do. */
#include "comm/intercept/watch.h"
#include "comm/senders.h"

#include <stdbool.h>

#define MOST_MEMBERS 32 /* where they are not known */

uint32_t vl_reduction(MPI_Op op)
{
    const MPI_Op ops[] = {MPI_OP_NULL, MPI_SUM,  MPI_PROD, MPI_MAX,  MPI_MIN,    MPI_LAND,  MPI_LOR,
                          MPI_LXOR,    MPI_BAND, MPI_BOR,  MPI_BXOR, MPI_MAXLOC, MPI_MINLOC};
    const uint32_t known = sizeof ops / sizeof *ops;
    uint32_t number = 0;
    while (number < known && ops[number] != op)
        number++;
    return number; /* all operations that a program defines itself share one number */
}

struct vl_beacon_call vl_call_all(uint32_t operation, MPI_Comm comm, int root, uint64_t count,
                                  MPI_Datatype type, const void *address)
{
    struct vl_beacon_call call = vl_call_plain(operation, comm, address);
    if (root >= 0)
        call.root = vl_known_peer(vl_known(comm), root);
    call.type_bytes = vl_type_bytes(type);
    call.type = vl_element_type(type);
    call.count = count;
    return call;
}

int vl_ranks(MPI_Comm comm)
{
    const struct vl_known *known = vl_known(comm);
    return known != NULL ? known->size : 0;
}

bool vl_is_root(MPI_Comm comm, int root)
{
    const struct vl_known *known = vl_known(comm);
    return known != NULL && (root == MPI_ROOT || known->rank == root);
}

uint64_t vl_elements(int count)
{
    return count > 0 ? (uint64_t)count : 0;
}

uint64_t vl_elements_of_all(const int counts[], MPI_Comm comm)
{
    uint64_t all = 0;
    for (int i = 0; i < vl_ranks(comm); i++)
        all += vl_elements(counts[i]);
    return all;
}

int vl_count_of_own(const int counts[], MPI_Comm comm)
{
    const struct vl_known *known = vl_known(comm);
    return known != NULL && known->rank < known->size ? counts[known->rank] : 0;
}

int vl_members(const struct vl_beacon_call *call)
{
    return call->members != 0 ? __builtin_popcount(call->members) : MOST_MEMBERS;
}

double vl_collective_enter(struct vl_collective *c)
{
    if (!vl_thread_is_watched())
        return 0;
    vl_meter_count(&(struct vl_meter_row){.communicator = c->call.communicator,
                                          .operation = c->call.operation,
                                          .calls = 1,
                                          .sent_bytes = c->given,
                                          .received_bytes = c->got});
    vl_meter_collective(c->given, vl_members(&c->call));
    vl_sender_count(&c->call, vl_contract_at_work(), c->given);
    vl_watch_collective(&c->call);
    if (c->reduced != NULL && vl_strict_looks_twice())
        vl_early_look(c->reduced, &c->call);
    return vl_watch_enter(&c->call);
}

void vl_collective_meet(const struct vl_collective *c, MPI_Comm comm)
{
    /* In the labs the bytes of a barrier would have to be metered. And another rank may make the same call in a thread that
     * is not watched. */
    bool meets = vl_beacon_on_init != NULL && vl_strict_looks_twice() &&
                 !vl_thread_is_one_of_several() && comm != MPI_COMM_NULL &&
                 (c->call.form & VL_FORM_ACROSS) == 0;
    if (meets)
        PMPI_Barrier(comm);
}

void vl_collective_begin(struct vl_collective *c)
{
    c->call.form |= VL_FORM_STARTED;
    vl_collective_enter(c);
}

int vl_collective_started(const struct vl_collective *c, int result, MPI_Comm comm,
                          MPI_Request *request)
{
    vl_watch_leave(0, NULL);
    if (result == MPI_SUCCESS)
        vl_request_open(request, VL_REQUEST_OTHER, &c->call, comm, NULL, MPI_DATATYPE_NULL, 0);
    return result;
}
