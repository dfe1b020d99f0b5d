/*
 * Collectives that move data from all ranks to all without adding it, blocking and nonblocking.
 * With MPI_IN_PLACE a rank's own share still counts, by the arguments that describe it. In the
 * beacon the count is 0 where ranks may legally pass different ones.
 */
#include "comm/intercept/collective.h"

static struct vl_collective all_gather(const void *sent, int count, MPI_Datatype type,
                                       int all_count, MPI_Datatype all_type, MPI_Comm comm,
                                       const void *address)
{
    struct vl_collective c = {
        .call = vl_call_all(VL_OP_ALLGATHER, comm, -1, vl_elements(all_count), all_type, address)};
    uint64_t share = c.call.count * c.call.type_bytes;
    c.given = sent == MPI_IN_PLACE ? share : vl_elements(count) * vl_type_bytes(type);
    c.got = share * (uint64_t)vl_ranks(comm);
    return c;
}

static struct vl_collective all_gather_uneven(const void *sent, int count, MPI_Datatype type,
                                              const int all_counts[], MPI_Datatype all_type,
                                              MPI_Comm comm, const void *address)
{
    struct vl_collective c = {.call = vl_call_all(VL_OP_ALLGATHER, comm, -1,
                                                  vl_elements_of_all(all_counts, comm), all_type,
                                                  address)};
    c.given = sent == MPI_IN_PLACE
                  ? vl_elements(vl_count_of_own(all_counts, comm)) * c.call.type_bytes
                  : vl_elements(count) * vl_type_bytes(type);
    c.got = c.call.count * c.call.type_bytes;
    c.call.form |= VL_FORM_UNEVEN;
    return c;
}

static struct vl_collective all_to_all(const void *sent, int count, MPI_Datatype type,
                                       int receive_count, MPI_Datatype receive_type, MPI_Comm comm,
                                       const void *address)
{
    uint64_t ranks = (uint64_t)vl_ranks(comm);
    struct vl_collective c = {.call =
                                  vl_call_all(VL_OP_ALLTOALL, comm, -1, vl_elements(receive_count),
                                              receive_type, address)};
    c.got = c.call.count * c.call.type_bytes * ranks;
    c.given = sent == MPI_IN_PLACE ? c.got : vl_elements(count) * vl_type_bytes(type) * ranks;
    return c;
}

static struct vl_collective all_to_all_uneven(const void *sent, const int counts[],
                                              MPI_Datatype type, const int receive_counts[],
                                              MPI_Datatype receive_type, MPI_Comm comm,
                                              const void *address)
{
    struct vl_collective c = {.call =
                                  vl_call_all(VL_OP_ALLTOALL, comm, -1, 0, receive_type, address)};
    c.got = vl_elements_of_all(receive_counts, comm) * c.call.type_bytes;
    c.given = sent == MPI_IN_PLACE ? c.got : vl_elements_of_all(counts, comm) * vl_type_bytes(type);
    c.call.form |= VL_FORM_UNEVEN;
    return c;
}

static struct vl_collective all_to_all_typed(const void *sent, const int counts[],
                                             const MPI_Datatype types[], const int receive_counts[],
                                             const MPI_Datatype receive_types[], MPI_Comm comm,
                                             const void *address)
{
    struct vl_collective c = {
        .call = vl_call_all(VL_OP_ALLTOALL, comm, -1, 0, MPI_DATATYPE_NULL, address)};
    for (int i = 0; i < vl_ranks(comm); i++)
        c.got += vl_elements(receive_counts[i]) * vl_type_bytes(receive_types[i]);
    if (sent == MPI_IN_PLACE)
        c.given = c.got;
    else
        for (int i = 0; i < vl_ranks(comm); i++)
            c.given += vl_elements(counts[i]) * vl_type_bytes(types[i]);
    c.call.form |= VL_FORM_TYPED;
    return c;
}

VL_COLLECTIVE(Allgather, Iallgather,
              (const void *sent, int count, MPI_Datatype type, void *received, int all_count,
               MPI_Datatype all_type, MPI_Comm comm),
              (sent, count, type, received, all_count, all_type, comm),
              all_gather(sent, count, type, all_count, all_type, comm, VL_HERE))

VL_COLLECTIVE(Allgatherv, Iallgatherv,
              (const void *sent, int count, MPI_Datatype type, void *received,
               const int all_counts[], const int places[], MPI_Datatype all_type, MPI_Comm comm),
              (sent, count, type, received, all_counts, places, all_type, comm),
              all_gather_uneven(sent, count, type, all_counts, all_type, comm, VL_HERE))

VL_COLLECTIVE(Alltoall, Ialltoall,
              (const void *sent, int count, MPI_Datatype type, void *received, int receive_count,
               MPI_Datatype receive_type, MPI_Comm comm),
              (sent, count, type, received, receive_count, receive_type, comm),
              all_to_all(sent, count, type, receive_count, receive_type, comm, VL_HERE))

VL_COLLECTIVE(Alltoallv, Ialltoallv,
              (const void *sent, const int counts[], const int places[], MPI_Datatype type,
               void *received, const int receive_counts[], const int receive_places[],
               MPI_Datatype receive_type, MPI_Comm comm),
              (sent, counts, places, type, received, receive_counts, receive_places, receive_type,
               comm),
              all_to_all_uneven(sent, counts, type, receive_counts, receive_type, comm, VL_HERE))

VL_COLLECTIVE(Alltoallw, Ialltoallw,
              (const void *sent, const int counts[], const int places[], const MPI_Datatype types[],
               void *received, const int receive_counts[], const int receive_places[],
               const MPI_Datatype receive_types[], MPI_Comm comm),
              (sent, counts, places, types, received, receive_counts, receive_places, receive_types,
               comm),
              all_to_all_typed(sent, counts, types, receive_counts, receive_types, comm, VL_HERE))
