/* Fortran: the collectives that have a type for every rank. */
#include "comm/preload/fortran.h"

#include <stdlib.h>
#include <string.h>

/* MPI may look at an array of types until its call is done, long after it has returned. So an array that was
 * given to it is kept; a program that gives the same types again gets the same one. */
struct array {
    struct array *next;
    size_t bytes;
    MPI_Datatype type[];
};
static _Thread_local struct array *kept;

static struct array *keep(struct array *one)
{
    for (struct array *known = kept; known != NULL; known = known->next)
        if (known->bytes == one->bytes && memcmp(known->type, one->type, one->bytes) == 0) {
            free(one);
            return known;
        }
    one->next = kept;
    return kept = one;
}

/* As vl_ranks says it, which knows nothing in a thread that is not watched; none in MPI_COMM_NULL, which MPI will
 * refuse. */
static int ranks_of(MPI_Comm comm)
{
    int across = 0, ranks = 0;
    if (comm == MPI_COMM_NULL)
        return 0;
    PMPI_Comm_test_inter(comm, &across);
    if (across)
        PMPI_Comm_remote_size(comm, &ranks);
    else
        PMPI_Comm_size(comm, &ranks);
    return ranks;
}

/* NULL without memory. */
static const MPI_Datatype *types_of(vl_in types, MPI_Comm comm)
{
    int ranks = ranks_of(comm);
    size_t bytes = (size_t)ranks * sizeof(MPI_Datatype);
    struct array *one = malloc(sizeof *one + bytes);
    if (one == NULL)
        return NULL;
    one->bytes = bytes;
    for (int i = 0; i < ranks; i++)
        one->type[i] = vl_type(&types[i]);
    return keep(one)->type;
}

/* Both calls; 'started' is NULL for the one that waits. */
static int exchange(void *sent, vl_in counts, vl_in places, vl_in types, void *received,
                    vl_in get_counts, vl_in get_places, vl_in get_types, vl_in number,
                    MPI_Request *started)
{
    MPI_Comm comm = vl_comm(number);
    sent = vl_share(sent);
    received = vl_bottom(received);
    const MPI_Datatype *get = types_of(get_types, comm);
    const MPI_Datatype *give = sent == MPI_IN_PLACE ? get : types_of(types, comm);
    if (get == NULL || give == NULL) {
        PMPI_Comm_call_errhandler(comm, MPI_ERR_NO_MEM);
        return MPI_ERR_NO_MEM;
    }
    if (started == NULL)
        return MPI_Alltoallw(sent, counts, places, give, received, get_counts, get_places, get,
                             comm);
    return MPI_Ialltoallw(sent, counts, places, give, received, get_counts, get_places, get, comm,
                          started);
}

#define EXCHANGE                                                                                   \
    void *sent, vl_in counts, vl_in places, vl_in types, void *received, vl_in get_counts,         \
        vl_in get_places, vl_in get_types, vl_in comm
#define EXCHANGED sent, counts, places, types, received, get_counts, get_places, get_types, comm

VL_ENTRY(alltoallw, (EXCHANGE, vl_out error), exchange(EXCHANGED, NULL))
VL_ENTRY_STARTS(ialltoallw, (EXCHANGE, vl_out request, vl_out error), exchange(EXCHANGED, &started))
