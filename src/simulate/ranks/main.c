/*
 * vialata-simulator: one step of the engine on phantom kernels. SimGrid's smpimain runs this main as
 * every rank; its only argument is the task (simulate/task.h). The first rank writes JSON lines, of
 * which `vialata simulate` shows the second to the person:
 *
 *   {"began": {}}            every rank is there
 *   {"seconds": [...], ...}  what the step took, and what every rank did; or
 *   {"failed": "shape"}      a status, from any rank
 *
 * watch.h has the others.
 */
#include "simulate/ranks/state.h"
#include "simulate/ranks/step.h"
#include "simulate/ranks/tell.h"
#include "simulate/ranks/watch.h"

#include <mpi.h>
#include <stdio.h>

static enum vl_status simulate(const char *text, int ranks, json_t **told)
{
    struct vl_simulate_task task;
    json_t *object = json_loads(text, 0, NULL);
    struct vl_simulated_rank own = {0};
    enum vl_status status = vl_simulate_task_read(&task, object);
    if (status == VL_OK && vl_simulate_ranks(&task) != ranks)
        status = VL_ESHAPE;
    if (status == VL_OK)
        status = vl_simulate_step(&own, &task);
    if (status == VL_OK)
        *told = vl_simulate_tell(&own, &task);
    json_decref(object);
    return status;
}

int main(int argc, char **argv)
{
    int rank, ranks;
    json_t *told = NULL;
    MPI_Init(&argc, &argv);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
    enum vl_status status = vl_rank_state_begin(ranks);
    if (status == VL_OK)
        status = vl_watch_begin();
    if (rank == 0) {
        puts("{\"began\": {}}");
        fflush(stdout);
    }
    if (status == VL_OK)
        status = simulate(argc > 1 ? argv[1] : "", ranks, &told);
    if (status != VL_OK) { /* the first rank that fails may be another one */
        printf("{\"failed\": \"%s\"}\n", vl_status_code(status));
    } else if (told != NULL) {
        json_dumpf(told, stdout, JSON_COMPACT);
        putchar('\n');
    }
    fflush(stdout);
    json_decref(told);
    if (status != VL_OK) /* the others may wait for this one */
        MPI_Abort(MPI_COMM_WORLD, 4);
    MPI_Finalize();
    return 0;
}
