#include "runner/case_comm.h"

#include "comm/beacon.h"
#include "runner/call.h"
#include "runner/trace.h"

#include <time.h>

#define HELD_LOOKS       100 /* at a communicator that is still held, and how long between two */
#define HELD_NANOSECONDS 500000
#define WAIT_NANOSECONDS 50000

static MPI_Comm case_comm = MPI_COMM_NULL;

MPI_Comm vl_case_comm(void)
{
    return case_comm;
}

/* The communicator is only lent: freeing it is reported at once, not by what breaks later. */
static int was_freed(MPI_Comm comm, int key, void *attribute, void *extra)
{
    struct vl_beacon *beacon = vl_beacon_mine();
    (void)comm;
    (void)key;
    (void)attribute;
    (void)extra;
    if (beacon->phase != VL_PHASE_INSIDE)
        return MPI_SUCCESS;
    beacon->error_call = beacon->call;
    __atomic_store_n(&beacon->error, VL_REFUSED_COMMUNICATOR, __ATOMIC_RELEASE);
    vl_trace_stay();
    return MPI_ERR_COMM;
}

static void watch_comm(void)
{
    static int key = MPI_KEYVAL_INVALID;
    if (key == MPI_KEYVAL_INVALID)
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, was_freed, &key, NULL);
    MPI_Comm_set_attr(case_comm, key, &key);
}

void vl_case_comm_open(bool reversed)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (reversed)
        MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &case_comm);
    else
        MPI_Comm_dup(MPI_COMM_WORLD, &case_comm);
    watch_comm();
}

/* The number that a new communicator gets, in Open MPI the first that is free. That of one which was
 * freed is free again once nothing holds it any more. */
static MPI_Fint next_number(void)
{
    MPI_Comm probe;
    PMPI_Comm_dup(MPI_COMM_SELF, &probe);
    MPI_Fint number = MPI_Comm_c2f(probe);
    PMPI_Comm_free(&probe);
    return number;
}

static void pause_for(long nanoseconds)
{
    nanosleep(&(struct timespec){.tv_nsec = nanoseconds}, NULL);
}

/* A barrier in which those who are back early leave the processor to the others. */
static void wait_for_all(void)
{
    MPI_Request all;
    int here = 0;
    PMPI_Ibarrier(MPI_COMM_WORLD, &all);
    while (PMPI_Test(&all, &here, MPI_STATUS_IGNORE) == MPI_SUCCESS && !here)
        pause_for(WAIT_NANOSECONDS);
}

/* All this is past the wrappers, as it is not the submission's. */
bool vl_case_comm_close(void)
{
    MPI_Fint number = MPI_Comm_c2f(case_comm);
    int any, looks = 0;
    wait_for_all();
    PMPI_Comm_free(&case_comm);
    while (next_number() > number && looks++ < HELD_LOOKS) {
        PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &any, MPI_STATUS_IGNORE);
        pause_for(HELD_NANOSECONDS);
    }
    return looks > HELD_LOOKS;
}

void vl_case_comm_use_world(void)
{
    case_comm = MPI_COMM_WORLD;
}
