/*
 * Collectives that reduce, broadcast or only wait, blocking and nonblocking. Bytes are those of the
 * buffers that the caller names: in a broadcast the root gives and the others get; in a reduction
 * every rank gives, and whoever has the result gets.
 */
#include "comm/intercept/collective.h"

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
                                      int root, bool gets, MPI_Comm comm, const void *address)
{
    struct vl_collective c = {
        .call = vl_call_all(operation, comm, root, vl_elements(count), type, address)};
    c.call.reduction = vl_reduction(op);
    c.given = c.call.count * c.call.type_bytes;
    c.got = gets ? c.given : 0;
    return c;
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

/* What this rank gives may lie where the result comes to. */
static struct vl_collective of(const void *sent, const void *received, struct vl_collective c)
{
    c.reduced = sent == MPI_IN_PLACE ? received : sent;
    return c;
}

static struct vl_collective barrier(MPI_Comm comm, const void *address)
{
    return (struct vl_collective){
        .call = vl_call_all(VL_OP_BARRIER, comm, -1, 0, MPI_DATATYPE_NULL, address)};
}

VL_COLLECTIVE(Barrier, Ibarrier, (MPI_Comm comm), (comm), barrier(comm, VL_HERE))
VL_COLLECTIVE(Bcast, Ibcast, (void *data, int count, MPI_Datatype type, int root, MPI_Comm comm),
              (data, count, type, root, comm), broadcast(count, type, root, comm, VL_HERE))

#define REDUCE  const void *sent, void *received, int count, MPI_Datatype type, MPI_Op op
#define REDUCED sent, received, count, type, op

VL_COLLECTIVE(Reduce, Ireduce, (REDUCE, int root, MPI_Comm comm), (REDUCED, root, comm),
              of(sent, received,
                 reduction(VL_OP_REDUCE, count, type, op, root, vl_is_root(comm, root), comm,
                           VL_HERE)))
VL_COLLECTIVE(Allreduce, Iallreduce, (REDUCE, MPI_Comm comm), (REDUCED, comm),
              of(sent, received,
                 reduction(VL_OP_ALLREDUCE, count, type, op, -1, true, comm, VL_HERE)))
VL_COLLECTIVE(Scan, Iscan, (REDUCE, MPI_Comm comm), (REDUCED, comm),
              of(sent, received, reduction(VL_OP_SCAN, count, type, op, -1, true, comm, VL_HERE)))
VL_COLLECTIVE(Exscan, Iexscan, (REDUCE, MPI_Comm comm), (REDUCED, comm),
              of(sent, received, scan_before(count, type, op, comm, VL_HERE)))
VL_COLLECTIVE(Reduce_scatter, Ireduce_scatter,
              (const void *sent, void *received, const int counts[], MPI_Datatype type, MPI_Op op,
               MPI_Comm comm),
              (sent, received, counts, type, op, comm),
              of(sent, received, reduce_scatter(counts, type, op, comm, VL_HERE)))
VL_COLLECTIVE(Reduce_scatter_block, Ireduce_scatter_block, (REDUCE, MPI_Comm comm), (REDUCED, comm),
              of(sent, received, reduce_scatter_block(count, type, op, comm, VL_HERE)))
