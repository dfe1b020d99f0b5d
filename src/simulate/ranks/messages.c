/*
 * Wrappers around MPI's calls: they count what each rank sends, and mend what SimGrid 3.32 does.
 *
 * MPI_Test of a null request leaves its flag as it was if the status is ignored. MPI_Test of an open
 * request takes no simulated time, so a loop of nothing else would never end: such a loop is told
 * from polling by its length, and then it waits for its request.
 */
#include "simulate/ranks/state.h"

#include <mpi.h>

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
    MPI_Status own;
    if (*request == MPI_REQUEST_NULL) {
        *flag = 1;
        return MPI_SUCCESS;
    }
    return PMPI_Test(request, flag, status != MPI_STATUS_IGNORE ? status : &own);
}
