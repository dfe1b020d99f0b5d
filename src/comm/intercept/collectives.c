/*
 * Collectives that reduce, broadcast or only wait, blocking and nonblocking. Bytes are those of the
 * buffers that the caller names: in a broadcast the root gives and the others get; in a reduction
 * every rank gives, and whoever has the result gets.
 */
#include "comm/intercept/watch.h"

static struct vl_collective broadcast(int count, MPI_Datatype type, int root, MPI_Comm comm,
                                      const void *address)
{
    struct vl_collective c = {
        .call = vl_call_all(VL_OP_BCAST, comm, root, vl_elements(count), type, address)};
    uint64_t bytes = c.call.count * c.call.type_bytes;
    *(vl_is_root(comm, root) ? &c.given : &c.got) = bytes;
    return c;
}

/* Every rank gives count elements, and gets as many if 'gets'. */
static struct vl_collective reduction(uint32_t operation, int count, MPI_Datatype type, MPI_Op op,
                                      int root, int gets, MPI_Comm comm, const void *address)
{
    struct vl_collective c = {
        .call = vl_call_all(operation, comm, root, vl_elements(count), type, address)};
    c.call.reduction = vl_reduction(op);
    c.given = c.call.count * c.call.type_bytes;
    c.got = gets ? c.given : 0;
    return c;
}

static struct vl_collective reduce(int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm,
                                   const void *address)
{
    return reduction(VL_OP_REDUCE, count, type, op, root, vl_is_root(comm, root), comm, address);
}

static struct vl_collective all_reduce(int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                                       const void *address)
{
    return reduction(VL_OP_ALLREDUCE, count, type, op, -1, 1, comm, address);
}

static struct vl_collective scan(int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                                 const void *address)
{
    return reduction(VL_OP_SCAN, count, type, op, -1, 1, comm, address);
}

static struct vl_collective scan_before(int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                                        const void *address)
{
    struct vl_collective c =
        reduction(VL_OP_SCAN, count, type, op, -1, !vl_is_root(comm, 0), comm, address);
    c.call.form |= VL_FORM_BEFORE;
    return c;
}

static struct vl_collective reduce_scatter(const int counts[], MPI_Datatype type, MPI_Op op,
                                           MPI_Comm comm, const void *address)
{
    uint64_t all = vl_elements_of_all(counts, comm);
    struct vl_collective c = {.call =
                                  vl_call_all(VL_OP_REDUCE_SCATTER, comm, -1, all, type, address)};
    c.call.reduction = vl_reduction(op);
    c.given = all * c.call.type_bytes;
    c.got = vl_elements(vl_count_of_own(counts, comm)) * c.call.type_bytes;
    return c;
}

static struct vl_collective reduce_scatter_block(int count, MPI_Datatype type, MPI_Op op,
                                                 MPI_Comm comm, const void *address)
{
    uint64_t ranks = (uint64_t)vl_ranks(comm);
    struct vl_collective c = {.call = vl_call_all(VL_OP_REDUCE_SCATTER, comm, -1,
                                                  vl_elements(count) * ranks, type, address)};
    c.call.reduction = vl_reduction(op);
    c.given = c.call.count * c.call.type_bytes;
    c.got = vl_elements(count) * c.call.type_bytes;
    c.call.form |= VL_FORM_BLOCK;
    return c;
}

static struct vl_collective barrier(MPI_Comm comm, const void *address)
{
    return (struct vl_collective){
        .call = vl_call_all(VL_OP_BARRIER, comm, -1, 0, MPI_DATATYPE_NULL, address)};
}

int MPI_Barrier(MPI_Comm comm)
{
    struct vl_collective c = barrier(comm, VL_HERE);
    double began = vl_collective_enter(&c);
    int result = PMPI_Barrier(comm);
    vl_watch_leave(began, "MPI_Barrier");
    return result;
}

int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request)
{
    struct vl_collective c = barrier(comm, VL_HERE);
    vl_collective_begin(&c);
    return vl_collective_started(&c, PMPI_Ibarrier(comm, request), comm, request);
}

int MPI_Bcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    struct vl_collective c = broadcast(count, type, root, comm, VL_HERE);
    double began = vl_collective_enter(&c);
    int result = PMPI_Bcast(data, count, type, root, comm);
    vl_watch_leave(began, "MPI_Bcast");
    return result;
}

int MPI_Ibcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm comm,
               MPI_Request *request)
{
    struct vl_collective c = broadcast(count, type, root, comm, VL_HERE);
    vl_collective_begin(&c);
    return vl_collective_started(&c, PMPI_Ibcast(data, count, type, root, comm, request), comm,
                                 request);
}

int MPI_Reduce(const void *sent, void *received, int count, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm)
{
    struct vl_collective c = reduce(count, type, op, root, comm, VL_HERE);
    double began = vl_collective_enter(&c);
    int result = PMPI_Reduce(sent, received, count, type, op, root, comm);
    vl_watch_leave(began, "MPI_Reduce");
    return result;
}

int MPI_Ireduce(const void *sent, void *received, int count, MPI_Datatype type, MPI_Op op, int root,
                MPI_Comm comm, MPI_Request *request)
{
    struct vl_collective c = reduce(count, type, op, root, comm, VL_HERE);
    vl_collective_begin(&c);
    return vl_collective_started(
        &c, PMPI_Ireduce(sent, received, count, type, op, root, comm, request), comm, request);
}

int MPI_Allreduce(const void *sent, void *received, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm)
{
    struct vl_collective c = all_reduce(count, type, op, comm, VL_HERE);
    double began = vl_collective_enter(&c);
    int result = PMPI_Allreduce(sent, received, count, type, op, comm);
    vl_watch_leave(began, "MPI_Allreduce");
    return result;
}

int MPI_Iallreduce(const void *sent, void *received, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm, MPI_Request *request)
{
    struct vl_collective c = all_reduce(count, type, op, comm, VL_HERE);
    vl_collective_begin(&c);
    return vl_collective_started(
        &c, PMPI_Iallreduce(sent, received, count, type, op, comm, request), comm, request);
}

int MPI_Scan(const void *sent, void *received, int count, MPI_Datatype type, MPI_Op op,
             MPI_Comm comm)
{
    struct vl_collective c = scan(count, type, op, comm, VL_HERE);
    double began = vl_collective_enter(&c);
    int result = PMPI_Scan(sent, received, count, type, op, comm);
    vl_watch_leave(began, "MPI_Scan");
    return result;
}

int MPI_Iscan(const void *sent, void *received, int count, MPI_Datatype type, MPI_Op op,
              MPI_Comm comm, MPI_Request *request)
{
    struct vl_collective c = scan(count, type, op, comm, VL_HERE);
    vl_collective_begin(&c);
    return vl_collective_started(&c, PMPI_Iscan(sent, received, count, type, op, comm, request),
                                 comm, request);
}

int MPI_Exscan(const void *sent, void *received, int count, MPI_Datatype type, MPI_Op op,
               MPI_Comm comm)
{
    struct vl_collective c = scan_before(count, type, op, comm, VL_HERE);
    double began = vl_collective_enter(&c);
    int result = PMPI_Exscan(sent, received, count, type, op, comm);
    vl_watch_leave(began, "MPI_Exscan");
    return result;
}

int MPI_Iexscan(const void *sent, void *received, int count, MPI_Datatype type, MPI_Op op,
                MPI_Comm comm, MPI_Request *request)
{
    struct vl_collective c = scan_before(count, type, op, comm, VL_HERE);
    vl_collective_begin(&c);
    return vl_collective_started(&c, PMPI_Iexscan(sent, received, count, type, op, comm, request),
                                 comm, request);
}

int MPI_Reduce_scatter(const void *sent, void *received, const int counts[], MPI_Datatype type,
                       MPI_Op op, MPI_Comm comm)
{
    struct vl_collective c = reduce_scatter(counts, type, op, comm, VL_HERE);
    double began = vl_collective_enter(&c);
    int result = PMPI_Reduce_scatter(sent, received, counts, type, op, comm);
    vl_watch_leave(began, "MPI_Reduce_scatter");
    return result;
}

int MPI_Ireduce_scatter(const void *sent, void *received, const int counts[], MPI_Datatype type,
                        MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
    struct vl_collective c = reduce_scatter(counts, type, op, comm, VL_HERE);
    vl_collective_begin(&c);
    return vl_collective_started(
        &c, PMPI_Ireduce_scatter(sent, received, counts, type, op, comm, request), comm, request);
}

int MPI_Reduce_scatter_block(const void *sent, void *received, int count, MPI_Datatype type,
                             MPI_Op op, MPI_Comm comm)
{
    struct vl_collective c = reduce_scatter_block(count, type, op, comm, VL_HERE);
    double began = vl_collective_enter(&c);
    int result = PMPI_Reduce_scatter_block(sent, received, count, type, op, comm);
    vl_watch_leave(began, "MPI_Reduce_scatter_block");
    return result;
}

int MPI_Ireduce_scatter_block(const void *sent, void *received, int count, MPI_Datatype type,
                              MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
    struct vl_collective c = reduce_scatter_block(count, type, op, comm, VL_HERE);
    vl_collective_begin(&c);
    return vl_collective_started(
        &c, PMPI_Ireduce_scatter_block(sent, received, count, type, op, comm, request), comm,
        request);
}
