#include "train/bench/parallel/bench_parallel.h"

#include "base/random.h"
#include "comm/span.h"
#include "engine/check.h"
#include "engine/schedule/schedule.h"
#include "train/bench/parallel/busy.h"
#include "train/bench/parallel/planned_step.h"
#include "train/bench/parallel/team.h"
#include "train/bench/roads/bench_roads.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>

enum { ROWS = 8, MICRO = 8, ROUNDS = 6, SPANS = 1 << 14 };

static const struct vl_team_model model = {
    .shape =
        {.layers = 6, .width = 512, .heads = 8, .ff = 1376, .vocabulary = 4096, .sequence = 256},
    .rows = ROWS,
    .micro_batches = MICRO};

/* How the two ranks work together. */
static const struct vl_team_way ways[VL_PARALLEL_WAYS] = {
    {.name = "alone", .dp = 1, .tp = 1, .pp = 1, .planned = 1},
    {.name = "tp", .dp = 1, .tp = 2, .pp = 1, .planned = 1},
    {.name = "tp sequence", .dp = 1, .tp = 2, .pp = 1, .sequence = 1, .planned = 1},
    {.name = "pp 1f1b", .dp = 1, .tp = 1, .pp = 2, .schedule = vl_schedule_1f1b, .planned = 1},
    {.name = "pp zb-h1", .dp = 1, .tp = 1, .pp = 2, .schedule = vl_schedule_zb_h1},
    {.name = "dp", .dp = 2, .tp = 1, .pp = 1, .planned = 1}};

struct entry {
    struct vl_team team;
    double shortest;
    struct vl_busy_shares shares; /* of the shortest step */
};

static enum vl_status take_turn(struct entry *e)
{
    double seconds;
    VL_CHECK(vl_team_turn(&seconds, &e->team));
    if (seconds >= e->shortest)
        return VL_OK;
    e->shortest = seconds;
    return e->team.way->schedule != NULL
               ? vl_busy_measure(&e->shares, &e->team.schedule, e->team.comm)
               : VL_OK;
}

/* The speed that the planner predicts for a way, relative to one core. */
static enum vl_status plan(double *ratio, const struct vl_team_way *way,
                           const struct vl_measured_machine *machine)
{
    const struct vl_division division = {.tensor = (size_t)way->tp,
                                         .expert = 1,
                                         .data = (size_t)way->dp,
                                         .pipeline = (size_t)way->pp,
                                         .chunks = 1,
                                         .micro_batches = vl_team_micro_batches(way, &model),
                                         .keep = VL_KEEP_ALL};
    double seconds;
    *ratio = -1.0;
    if (!way->planned)
        return VL_OK;
    VL_CHECK(vl_planned_step_here(&seconds, &model.shape, NULL, ROWS, machine, &division, NULL));
    *ratio = machine->alone / seconds;
    return VL_OK;
}

static enum vl_status measure(struct vl_parallel_row rows[VL_PARALLEL_WAYS], struct entry *entries)
{
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < VL_PARALLEL_WAYS; i++) {
            if (round == 1) /* the first round warms up */
                entries[i].shortest = INFINITY;
            VL_CHECK(take_turn(&entries[i]));
        }
    struct vl_measured_machine machine = {.alone = entries[0].shortest};
    VL_CHECK(vl_road_measure(&machine.road, entries[0].team.comm));
    for (int i = 0; i < VL_PARALLEL_WAYS; i++) {
        const struct entry *e = &entries[i];
        const struct vl_team_way *way = e->team.way;
        rows[i] = (struct vl_parallel_row){
            .way = way->name,
            .seconds = e->shortest,
            .tokens_per_second = (double)(ROWS * model.shape.sequence) / e->shortest,
            .ratio = entries[0].shortest / e->shortest,
            .measured_idle = way->schedule != NULL ? e->shares.measured : -1.0,
            .predicted_idle = way->schedule != NULL ? e->shares.predicted : -1.0};
        VL_CHECK(plan(&rows[i].planned_ratio, way, &machine));
    }
    return VL_OK;
}

enum vl_status vl_bench_parallel(struct vl_parallel_row rows[VL_PARALLEL_WAYS], MPI_Comm comm)
{
    int ranks;
    size_t n = ROWS * model.shape.sequence;
    struct entry entries[VL_PARALLEL_WAYS];
    MPI_Comm_size(comm, &ranks);
    if (ranks != VL_TEAM_RANKS)
        return VL_ESHAPE;
    openblas_set_num_threads(1);
    int32_t *tokens = malloc(2 * n * sizeof *tokens);
    enum vl_status status = tokens != NULL ? vl_span_record(SPANS) : VL_ENOMEM;
    for (size_t i = 0; i < 2 * n && status == VL_OK; i++)
        tokens[i] = (int32_t)vl_random_below(model.shape.vocabulary, 1, 0, i);
    int open = 0;
    while (open < VL_PARALLEL_WAYS && status == VL_OK) {
        entries[open].shortest = INFINITY;
        status = vl_team_open(&entries[open].team, &ways[open], &model, comm, tokens);
        open++;
    }
    if (status == VL_OK)
        status = measure(rows, entries);
    while (open-- > 0)
        vl_team_close(&entries[open].team);
    vl_span_record(0);
    free(tokens);
    return status;
}
