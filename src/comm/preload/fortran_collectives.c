/* Fortran: collectives, each in both kinds: the call that waits and the one that starts. */
#include "comm/preload/fortran.h"

#define OPEN(...) __VA_ARGS__

#define BOTH(name, Name, parameters, arguments)                                                    \
    VL_ENTRY(name, (OPEN parameters, vl_out error), MPI_##Name(OPEN arguments))                    \
    VL_ENTRY_STARTS(i##name, (OPEN parameters, vl_out request, vl_out error),                      \
                    MPI_I##name(OPEN arguments, &started))

BOTH(barrier, Barrier, (vl_in comm), (vl_comm(comm)))
BOTH(bcast, Bcast, (void *data, vl_in count, vl_in type, vl_in root, vl_in comm),
     (vl_bottom(data), *count, vl_type(type), *root, vl_comm(comm)))

/* ---- what is added up ---- */

#define REDUCE  void *sent, void *received, vl_in count, vl_in type, vl_in op
#define REDUCED vl_share(sent), vl_bottom(received), *count, vl_type(type), PMPI_Op_f2c(*op)

BOTH(reduce, Reduce, (REDUCE, vl_in root, vl_in comm), (REDUCED, *root, vl_comm(comm)))
BOTH(allreduce, Allreduce, (REDUCE, vl_in comm), (REDUCED, vl_comm(comm)))
BOTH(scan, Scan, (REDUCE, vl_in comm), (REDUCED, vl_comm(comm)))
BOTH(exscan, Exscan, (REDUCE, vl_in comm), (REDUCED, vl_comm(comm)))
BOTH(reduce_scatter_block, Reduce_scatter_block, (REDUCE, vl_in comm), (REDUCED, vl_comm(comm)))
BOTH(reduce_scatter, Reduce_scatter,
     (void *sent, void *received, vl_in counts, vl_in type, vl_in op, vl_in comm),
     (vl_share(sent), vl_bottom(received), counts, vl_type(type), PMPI_Op_f2c(*op), vl_comm(comm)))

/* ---- what is put together, or divided ---- */

#define GIVE  void *sent, vl_in count, vl_in type
#define GIVEN vl_share(sent), *count, vl_type(type)
#define GET   void *received, vl_in get_count, vl_in get_type
#define GOT   vl_share(received), *get_count, vl_type(get_type)
/* of several sizes, at several places */
#define GIVE_V  void *sent, vl_in counts, vl_in places, vl_in type
#define GIVEN_V vl_share(sent), counts, places, vl_type(type)
#define GET_V   void *received, vl_in get_counts, vl_in get_places, vl_in get_type
#define GOT_V   vl_share(received), get_counts, get_places, vl_type(get_type)

BOTH(gather, Gather, (GIVE, GET, vl_in root, vl_in comm), (GIVEN, GOT, *root, vl_comm(comm)))
BOTH(gatherv, Gatherv, (GIVE, GET_V, vl_in root, vl_in comm), (GIVEN, GOT_V, *root, vl_comm(comm)))
BOTH(scatter, Scatter, (GIVE, GET, vl_in root, vl_in comm), (GIVEN, GOT, *root, vl_comm(comm)))
BOTH(scatterv, Scatterv, (GIVE_V, GET, vl_in root, vl_in comm),
     (GIVEN_V, GOT, *root, vl_comm(comm)))
BOTH(allgather, Allgather, (GIVE, GET, vl_in comm), (GIVEN, GOT, vl_comm(comm)))
BOTH(allgatherv, Allgatherv, (GIVE, GET_V, vl_in comm), (GIVEN, GOT_V, vl_comm(comm)))
BOTH(alltoall, Alltoall, (GIVE, GET, vl_in comm), (GIVEN, GOT, vl_comm(comm)))
BOTH(alltoallv, Alltoallv, (GIVE_V, GET_V, vl_in comm), (GIVEN_V, GOT_V, vl_comm(comm)))
