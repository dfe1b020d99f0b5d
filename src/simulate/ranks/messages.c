/*
 * Wrappers around MPI's calls: they count what each rank sends, and mend what SimGrid 3.32 does.
 *
 * MPI_Test of a null request leaves its flag as it was if the status is ignored. And an MPI_Test that
 * succeeds leaves the message in a list that every later message searches, so each takes longer than
 * the one before. MPI_Waitany does not. Inside vl_transfer_finish, which will wait in any case, a
 * test therefore says no, so that the wait completes the request. Code that never waits gets a real
 * answer in the end.
 */
#include "simulate/ranks/state.h"

#include <mpi.h>
#include <simgrid/actor.h>

#define MOST_REFUSED 256  /* tests in a row */
#define PAUSE        1e-6 /* seconds */

static int domain = 1;

void vl_domain_set(int ranks)
{
    domain = ranks;
}

static int world_rank(MPI_Comm comm, int rank)
{
    MPI_Group here, everybody;
    int found = rank;
    if (comm == MPI_COMM_WORLD)
        return rank;
    PMPI_Comm_group(comm, &here);
    PMPI_Comm_group(MPI_COMM_WORLD, &everybody);
    PMPI_Group_translate_ranks(here, 1, &rank, everybody, &found);
    PMPI_Group_free(&here);
    PMPI_Group_free(&everybody);
    return found;
}

static void count(int number, MPI_Datatype type, int to, MPI_Comm comm)
{
    struct vl_sent *sent = &vl_rank_state()->sent;
    int own, bytes;
    if (to == MPI_PROC_NULL)
        return;
    PMPI_Comm_rank(MPI_COMM_WORLD, &own);
    PMPI_Type_size(type, &bytes);
    double all = (double)number * bytes;
    sent->messages++;
    if (own / domain == world_rank(comm, to) / domain)
        sent->inner_bytes += all;
    else
        sent->outer_bytes += all;
}

int MPI_Isend(const void *data, int number, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    count(number, type, to, comm);
    return PMPI_Isend(data, number, type, to, tag, comm, request);
}

int MPI_Send(const void *data, int number, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    count(number, type, to, comm);
    return PMPI_Send(data, number, type, to, tag, comm);
}

int MPI_Sendrecv(const void *sent, int send_count, MPI_Datatype send_type, int to, int send_tag,
                 void *received, int receive_count, MPI_Datatype receive_type, int from,
                 int receive_tag, MPI_Comm comm, MPI_Status *status)
{
    count(send_count, send_type, to, comm);
    return PMPI_Sendrecv(sent, send_count, send_type, to, send_tag, received, receive_count,
                         receive_type, from, receive_tag, comm, status);
}

int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    struct vl_rank_state *state = vl_rank_state();
    MPI_Status own;
    if (*request == MPI_REQUEST_NULL) {
        *flag = 1;
        return MPI_SUCCESS;
    }
    *flag = 0;
    if (state->finishes > 0 && state->refused++ < MOST_REFUSED)
        return MPI_SUCCESS;
    if (state->finishes > 0)
        sg_actor_sleep_for(PAUSE); /* a loop of nothing but tests would stop the simulated time */
    return PMPI_Test(request, flag, status != MPI_STATUS_IGNORE ? status : &own);
}

int MPI_Waitany(int number, MPI_Request requests[], int *index, MPI_Status *status)
{
    vl_rank_state()->refused = 0;
    return PMPI_Waitany(number, requests, index, status);
}

int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    vl_rank_state()->refused = 0;
    return PMPI_Wait(request, status);
}

int MPI_Waitall(int number, MPI_Request requests[], MPI_Status statuses[])
{
    vl_rank_state()->refused = 0;
    return PMPI_Waitall(number, requests, statuses);
}
