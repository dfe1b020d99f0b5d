/*
 * Runs inside SimGrid: how long one message between the first two ranks takes, and how long a ring
 * all-reduce of all ranks takes, with the reference of the collectives.
 *
 *   smpi_roads MESSAGE_BYTES RING_ELEMENTS    prints both, in seconds
 */
#include "vialata/collectives.h"

#include <simgrid/actor.h>
#include <stdio.h>
#include <stdlib.h>

/* SimGrid 3.32 leaves the flag as it was for a null request whose status is ignored. */
int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    MPI_Status own;
    *flag = *request == MPI_REQUEST_NULL;
    return *flag ? MPI_SUCCESS
                 : PMPI_Test(request, flag, status != MPI_STATUS_IGNORE ? status : &own);
}

/* The ranks leave a barrier one after the other, so all wait for one moment. */
static double begin_together(void)
{
    double now = PMPI_Wtime(), latest;
    PMPI_Allreduce(&now, &latest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    sg_actor_sleep_until(latest + 1);
    return PMPI_Wtime();
}

static double message(int rank, char *data, size_t bytes)
{
    struct vl_transfer *transfer = NULL;
    double begin = begin_together();
    if (rank == 0)
        vl_send_start(&transfer, MPI_COMM_WORLD, data, bytes, 1, 0);
    else if (rank == 1)
        vl_receive_start(&transfer, MPI_COMM_WORLD, data, bytes, 0, 0);
    vl_transfer_finish(transfer);
    return PMPI_Wtime() - begin;
}

static double ring(float *data, size_t n)
{
    double begin = begin_together(), own, last;
    if (vl_all_reduce(MPI_COMM_WORLD, data, n) != VL_OK)
        MPI_Abort(MPI_COMM_WORLD, 1);
    own = PMPI_Wtime() - begin;
    PMPI_Allreduce(&own, &last, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return last;
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    size_t bytes = argc > 1 ? strtoul(argv[1], NULL, 10) : 0,
           n = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
    char *data = calloc(bytes + 1, 1);
    float *floats = calloc(n + 1, sizeof *floats);
    double one = message(rank, data, bytes), all = ring(floats, n);
    /* Every rank had 0 or 1, so that the sum shows that the ring really ran. */
    for (size_t i = 0; i < n; i++)
        floats[i] = 1;
    vl_all_reduce(MPI_COMM_WORLD, floats, n);
    if (rank == 1)
        printf("%.17g %.17g %d\n", one, all, n > 0 && floats[0] == (float)ranks);
    free(floats);
    free(data);
    MPI_Finalize();
    return 0;
}
