#include "train/bench/bench_parallel.h"

#include "base/random.h"
#include "comm/span.h"
#include "engine/check.h"
#include "engine/mesh/replicated.h"
#include "engine/schedule/schedule.h"
#include "train/bench/bench_roads.h"
#include "train/bench/busy.h"
#include "train/bench/planned_step.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

enum { ROWS = 8, MICRO = 8, ROUNDS = 6, RANKS = 2, SPANS = 1 << 14 };

static const struct vl_shape shape = {
    .layers = 6, .width = 512, .heads = 8, .ff = 1376, .vocabulary = 4096, .sequence = 256};

/* How the two ranks work together. */
static const struct way {
    const char *name;
    int dp, tp, pp, sequence;
    enum vl_status (*schedule)(struct vl_schedule *schedule);
    int planned; /* the planner has a model of it */
} ways[VL_PARALLEL_WAYS] = {{"alone", 1, 1, 1, 0, NULL, 1},
                            {"tp", 1, 2, 1, 0, NULL, 1},
                            {"tp sequence", 1, 2, 1, 1, NULL, 1},
                            {"pp 1f1b", 1, 1, 2, 0, vl_schedule_1f1b, 1},
                            {"pp zb-h1", 1, 1, 2, 0, vl_schedule_zb_h1, 0},
                            {"dp", 2, 1, 1, 0, NULL, 1}};

struct team {
    const struct way *way;
    MPI_Comm comm;
    struct vl_mesh mesh;
    struct vl_schedule schedule;
    struct vl_replicated part;
    uint64_t step;
    double shortest;
    struct vl_busy_shares shares; /* of the shortest step */
};

static enum vl_status make_schedule(struct team *t)
{
    t->schedule = (struct vl_schedule){.stages = RANKS, .chunks = 1, .micro_batches = MICRO};
    t->schedule.tasks = calloc((size_t)RANKS * 3 * MICRO, sizeof *t->schedule.tasks);
    return t->schedule.tasks != NULL ? t->way->schedule(&t->schedule) : VL_ENOMEM;
}

static enum vl_status open_team(struct team *t, const struct way *way, MPI_Comm comm,
                                const int32_t *tokens)
{
    static const size_t borders[] = {0, 3, 6};
    int alone = way->dp * way->tp * way->pp == 1;
    struct vl_sharing how = {.mesh = &t->mesh,
                             .sequence_parallel = way->sequence,
                             .schedule = &t->schedule,
                             .borders = borders};
    size_t micro = way->schedule != NULL ? MICRO : 1, rows = ROWS / (size_t)way->dp;
    *t = (struct team){.way = way, .comm = comm, .shortest = INFINITY};
    if (way->schedule != NULL)
        VL_CHECK(make_schedule(t));
    VL_CHECK(vl_mesh_create(&t->mesh, alone ? MPI_COMM_NULL : comm, way->dp, way->pp, way->tp));
    VL_CHECK(vl_replicated_create(&t->part, &shape, rows / micro, &how));
    VL_CHECK(vl_replicated_initialise(&t->part, 1));
    const int32_t *mine = tokens + (size_t)t->mesh.replica * rows * shape.sequence;
    const struct vl_model_batch batch = {mine, mine + ROWS * shape.sequence, rows, micro, ROWS};
    return vl_model_set_part(t->part.model, &batch);
}

static void close_team(struct team *t)
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

static enum vl_status one_step(struct team *t)
{
    const struct vl_adamw settings = {1e-3f, 0.9f, 0.95f, 1e-8f, 0.1f};
    struct vl_step_result result;
    size_t micro = t->way->schedule != NULL ? MICRO : 1;
    return vl_replicated_step(&t->part, micro, &settings, 1.0f, ++t->step, &result);
}

/* One step of a way, both ranks from barrier to barrier. */
static enum vl_status take_turn(struct team *t)
{
    int rank, works;
    MPI_Comm_rank(t->comm, &rank);
    works = rank == 0 || t->mesh.ranks == RANKS;
    vl_span_clear();
    meet_asleep(t->comm);
    double begin = vl_span_clock();
    if (works)
        VL_CHECK(one_step(t));
    if (t->mesh.ranks == RANKS)
        MPI_Barrier(t->comm);
    double seconds = vl_span_clock() - begin;
    meet_asleep(t->comm);
    MPI_Bcast(&seconds, 1, MPI_DOUBLE, 0, t->comm);
    if (seconds >= t->shortest)
        return VL_OK;
    t->shortest = seconds;
    return t->way->schedule != NULL ? vl_busy_measure(&t->shares, &t->schedule, t->comm) : VL_OK;
}

/* The speed that the planner predicts for a way, relative to one core. */
static enum vl_status plan(double *ratio, const struct way *way,
                           const struct vl_measured_machine *machine)
{
    const struct vl_division division = {.tensor = (size_t)way->tp,
                                         .expert = 1,
                                         .data = (size_t)way->dp,
                                         .pipeline = (size_t)way->pp,
                                         .chunks = 1,
                                         .micro_batches = way->schedule != NULL ? MICRO : 1,
                                         .keep = VL_KEEP_ALL};
    double seconds;
    *ratio = -1.0;
    if (!way->planned)
        return VL_OK;
    VL_CHECK(vl_planned_step_here(&seconds, &shape, ROWS, machine, &division));
    *ratio = machine->alone / seconds;
    return VL_OK;
}

static enum vl_status measure(struct vl_parallel_row rows[VL_PARALLEL_WAYS], struct team *teams)
{
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < VL_PARALLEL_WAYS; i++) {
            if (round == 1) /* the first round warms up */
                teams[i].shortest = INFINITY;
            VL_CHECK(take_turn(&teams[i]));
        }
    struct vl_measured_machine machine = {.alone = teams[0].shortest};
    VL_CHECK(vl_road_measure(&machine.road, teams[0].comm));
    for (int i = 0; i < VL_PARALLEL_WAYS; i++) {
        const struct team *t = &teams[i];
        rows[i] = (struct vl_parallel_row){
            .way = t->way->name,
            .seconds = t->shortest,
            .tokens_per_second = (double)(ROWS * shape.sequence) / t->shortest,
            .ratio = teams[0].shortest / t->shortest,
            .measured_idle = t->way->schedule != NULL ? t->shares.measured : -1.0,
            .predicted_idle = t->way->schedule != NULL ? t->shares.predicted : -1.0};
        VL_CHECK(plan(&rows[i].planned_ratio, t->way, &machine));
    }
    return VL_OK;
}

enum vl_status vl_bench_parallel(struct vl_parallel_row rows[VL_PARALLEL_WAYS], MPI_Comm comm)
{
    int ranks;
    size_t n = ROWS * shape.sequence;
    struct team teams[VL_PARALLEL_WAYS];
    MPI_Comm_size(comm, &ranks);
    if (ranks != RANKS)
        return VL_ESHAPE;
    openblas_set_num_threads(1);
    int32_t *tokens = malloc(2 * n * sizeof *tokens);
    enum vl_status status = tokens != NULL ? vl_span_record(SPANS) : VL_ENOMEM;
    for (size_t i = 0; i < 2 * n && status == VL_OK; i++)
        tokens[i] = (int32_t)vl_random_below(shape.vocabulary, 1, 0, i);
    int open = 0;
    while (open < VL_PARALLEL_WAYS && status == VL_OK) {
        status = open_team(&teams[open], &ways[open], comm, tokens);
        open++;
    }
    if (status == VL_OK)
        status = measure(rows, teams);
    while (open-- > 0)
        close_team(&teams[open]);
    vl_span_record(0);
    free(tokens);
    return status;
}
