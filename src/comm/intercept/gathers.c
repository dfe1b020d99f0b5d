/*
 * Collectives that move data to or from a root without adding it, blocking and nonblocking. With
 * MPI_IN_PLACE a rank's own share still counts, by the arguments that describe it. In the beacon
 * the count is 0 where ranks may legally pass different ones.
 */
#include "comm/intercept/collective.h"

/* A gather: every rank gives 'count' elements and the root gets 'all'. A scatter: the reverse. */
static struct vl_collective rooted(uint32_t operation, int count, MPI_Datatype type, uint64_t all,
                                   MPI_Datatype all_type, int shown, int root, MPI_Comm comm,
                                   const void *address)
{
    struct vl_collective c = {
        .call = vl_call_all(operation, comm, root, shown ? vl_elements(count) : 0, type, address)};
    uint64_t share = vl_elements(count) * c.call.type_bytes;
    uint64_t whole = vl_is_root(comm, root) ? all * vl_type_bytes(all_type) : 0;
    c.given = operation == VL_OP_GATHER ? share : whole;
    c.got = operation == VL_OP_GATHER ? whole : share;
    /* The root says twice how much comes from a rank, or goes to it. What it says of each of them is compared. */
    if (shown && vl_is_root(comm, root) && vl_ranks(comm) > 0) {
        c.call.count = all / (uint64_t)vl_ranks(comm);
        c.call.type_bytes = vl_type_bytes(all_type);
        c.call.type = vl_element_type(all_type);
    }
    if (!shown)
        c.call.form |= VL_FORM_UNEVEN;
    return c;
}

/* 'own' is the buffer of this rank's share. */
static struct vl_collective even(uint32_t operation, const void *own, int count, MPI_Datatype type,
                                 int all_count, MPI_Datatype all_type, int root, MPI_Comm comm,
                                 const void *address)
{
    if (own == MPI_IN_PLACE) {
        count = all_count;
        type = all_type;
    }
    uint64_t all = vl_is_root(comm, root) ? vl_elements(all_count) * (uint64_t)vl_ranks(comm) : 0;
    return rooted(operation, count, type, all, all_type, 1, root, comm, address);
}

static struct vl_collective uneven(uint32_t operation, const void *own, int count,
                                   MPI_Datatype type, const int all_counts[], MPI_Datatype all_type,
                                   int root, MPI_Comm comm, const void *address)
{
    if (own == MPI_IN_PLACE) {
        count = vl_count_of_own(all_counts, comm);
        type = all_type;
    }
    uint64_t all = vl_is_root(comm, root) ? vl_elements_of_all(all_counts, comm) : 0;
    return rooted(operation, count, type, all, all_type, 0, root, comm, address);
}

VL_COLLECTIVE(Gather, Igather,
              (const void *sent, int count, MPI_Datatype type, void *received, int all_count,
               MPI_Datatype all_type, int root, MPI_Comm comm),
              (sent, count, type, received, all_count, all_type, root, comm),
              even(VL_OP_GATHER, sent, count, type, all_count, all_type, root, comm, VL_HERE))

VL_COLLECTIVE(Gatherv, Igatherv,
              (const void *sent, int count, MPI_Datatype type, void *received,
               const int all_counts[], const int places[], MPI_Datatype all_type, int root,
               MPI_Comm comm),
              (sent, count, type, received, all_counts, places, all_type, root, comm),
              uneven(VL_OP_GATHER, sent, count, type, all_counts, all_type, root, comm, VL_HERE))

VL_COLLECTIVE(Scatter, Iscatter,
              (const void *sent, int all_count, MPI_Datatype all_type, void *received, int count,
               MPI_Datatype type, int root, MPI_Comm comm),
              (sent, all_count, all_type, received, count, type, root, comm),
              even(VL_OP_SCATTER, received, count, type, all_count, all_type, root, comm, VL_HERE))

VL_COLLECTIVE(Scatterv, Iscatterv,
              (const void *sent, const int all_counts[], const int places[], MPI_Datatype all_type,
               void *received, int count, MPI_Datatype type, int root, MPI_Comm comm),
              (sent, all_counts, places, all_type, received, count, type, root, comm),
              uneven(VL_OP_SCATTER, received, count, type, all_counts, all_type, root, comm,
                     VL_HERE))
