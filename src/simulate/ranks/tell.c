#include "simulate/ranks/tell.h"

#include <mpi.h>
#include <stdlib.h>

enum { NUMBERS = sizeof(struct vl_simulated_rank) / sizeof(double) };

static const char *const names[NUMBERS] = {"seconds", "busy", "inner_bytes", "outer_bytes",
                                           "messages"};

static json_t *list_of(const double *all, int ranks, int number)
{
    json_t *list = json_array();
    for (int rank = 0; rank < ranks; rank++)
        json_array_append_new(list, json_real(all[rank * NUMBERS + number]));
    return list;
}

json_t *vl_simulate_tell(const struct vl_simulated_rank *own, const struct vl_simulate_task *task)
{
    int rank, ranks = vl_simulate_ranks(task);
    json_t *told = NULL;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double *all = rank == 0 ? calloc((size_t)ranks * NUMBERS, sizeof *all) : NULL;
    PMPI_Gather(own, NUMBERS, MPI_DOUBLE, all, NUMBERS, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (all == NULL)
        return NULL;
    told = json_object();
    for (int i = 0; i < NUMBERS; i++)
        json_object_set_new(told, names[i], list_of(all, ranks, i));
    free(all);
    return told;
}
