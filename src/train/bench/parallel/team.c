#include "train/bench/parallel/team.h"

#include "comm/span.h"
#include "engine/check.h"

#include <stdlib.h>
#include <time.h>

static enum vl_status make_schedule(struct vl_team *t)
{
    size_t micro = t->model->micro_batches;
    t->schedule =
        (struct vl_schedule){.stages = VL_TEAM_RANKS, .chunks = 1, .micro_batches = micro};
    t->schedule.tasks = calloc(VL_TEAM_RANKS * 3 * micro, sizeof *t->schedule.tasks);
    return t->schedule.tasks != NULL ? t->way->schedule(&t->schedule) : VL_ENOMEM;
}

static int is_alone(const struct vl_team_way *way)
{
    return way->dp * way->tp * way->pp == 1;
}

static enum vl_status make_mesh(struct vl_team *t)
{
    const struct vl_team_way *way = t->way;
    MPI_Comm comm = is_alone(way) ? MPI_COMM_NULL : t->comm;
    VL_CHECK(vl_mesh_create(&t->mesh, comm, way->dp, way->pp, way->tp));
    return t->model->experts.experts > 0 ? vl_mesh_share_experts(&t->mesh, way->ep) : VL_OK;
}

enum vl_status vl_team_open(struct vl_team *t, const struct vl_team_way *way,
                            const struct vl_team_model *model, MPI_Comm comm, const int32_t *tokens)
{
    const struct vl_shape *shape = &model->shape;
    size_t micro = vl_team_micro_batches(way, model), rows = model->rows / (size_t)way->dp;
    *t = (struct vl_team){
        .way = way, .model = model, .comm = comm, .borders = {0, shape->layers / 2, shape->layers}};
    const struct vl_sharing how = {.mesh = &t->mesh,
                                   .zero = way->zero,
                                   .overlap = way->overlap,
                                   .sequence_parallel = way->sequence,
                                   .schedule = &t->schedule,
                                   .borders = t->borders,
                                   .experts = model->experts};
    if (way->schedule != NULL)
        VL_CHECK(make_schedule(t));
    VL_CHECK(make_mesh(t));
    VL_CHECK(vl_replicated_create(&t->part, shape, rows / micro, &how));
    VL_CHECK(vl_replicated_initialise(&t->part, 1));
    const int32_t *mine = tokens + (size_t)t->mesh.replica * rows * shape->sequence;
    const struct vl_model_batch batch = {mine, mine + model->rows * shape->sequence, rows, micro,
                                         model->rows};
    return vl_model_set_part(t->part.model, &batch);
}

void vl_team_close(struct vl_team *t)
{
    vl_replicated_free(&t->part);
    vl_mesh_free(&t->mesh);
    free(t->schedule.tasks);
}

/* A barrier that sleeps while it waits, to leave the machine to the rank that works. */
static void meet_asleep(MPI_Comm comm)
{
    const struct timespec nap = {0, 200000};
    MPI_Request request;
    int done = 0;
    MPI_Ibarrier(comm, &request);
    while (MPI_Test(&request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !done)
        nanosleep(&nap, NULL);
}

static enum vl_status one_step(struct vl_team *t)
{
    const struct vl_adamw settings = {1e-3f, 0.9f, 0.95f, 1e-8f, 0.1f};
    return vl_replicated_step(&t->part, vl_team_micro_batches(t->way, t->model), &settings, 1.0f,
                              ++t->step, &t->result);
}

enum vl_status vl_team_turn(double *seconds, struct vl_team *t)
{
    int rank, together = !is_alone(t->way) || t->way->twin;
    MPI_Comm_rank(t->comm, &rank);
    vl_span_clear();
    meet_asleep(t->comm);
    double begin = vl_span_clock();
    if (rank == 0 || together)
        VL_CHECK(one_step(t));
    if (together)
        MPI_Barrier(t->comm);
    *seconds = vl_span_clock() - begin;
    meet_asleep(t->comm);
    MPI_Bcast(seconds, 1, MPI_DOUBLE, 0, t->comm);
    return VL_OK;
}
