#include "train/bench/parallel/bench_bandwidth.h"

#include "base/random.h"
#include "engine/check.h"
#include "engine/schedule/schedule.h"
#include "train/bench/parallel/planned_step.h"
#include "train/bench/roads/bench_roads.h"

#include <cblas.h>
#include <stdlib.h>
#include <string.h>

static const struct vl_team_model model = {
    .shape = {.layers = 4, .width = 128, .heads = 4, .ff = 352, .vocabulary = 256, .sequence = 128},
    .experts = {.experts = 4, .chosen = 2, .scale = 1.0f},
    .rows = 16,
    .micro_batches = 4};

static const struct vl_team_way ways[VL_BENCH_BANDWIDTH_WAYS] = {
    {.name = "alone", .dp = 1, .tp = 1, .pp = 1, .ep = 1, .twin = 1},
    {.name = "dp", .dp = 2, .tp = 1, .pp = 1, .ep = 1},
    {.name = "dp overlap", .dp = 2, .tp = 1, .pp = 1, .ep = 1, .overlap = 1},
    {.name = "zero 3", .dp = 2, .tp = 1, .pp = 1, .ep = 1, .zero = 3},
    {.name = "tp", .dp = 1, .tp = 2, .pp = 1, .ep = 1},
    {.name = "pp 1f1b", .dp = 1, .tp = 1, .pp = 2, .ep = 1, .schedule = vl_schedule_1f1b},
    {.name = "ep", .dp = 2, .tp = 1, .pp = 1, .ep = 2}};

enum { ALONE };

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_of(const double *values, int n)
{
    double sorted[VL_BENCH_BANDWIDTH_TURNS];
    memcpy(sorted, values, (size_t)n * sizeof *sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, by_size);
    return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
}

/* The road moves messages by itself. ZeRO-3 asks for weights early, a stage sends and goes on with the
 * next micro-batch, and gradients leave during backward if they may; nothing else is early. */
static struct vl_measured_machine machine_for(const struct vl_team_way *way,
                                              const struct vl_bandwidth_bench *bench)
{
    return (struct vl_measured_machine){.alone =
                                            median_of(bench->rows[ALONE].seconds, bench->turns),
                                        .road = bench->road,
                                        .hidden_gathers = 1,
                                        .hidden_pipeline = 1,
                                        .hidden_closing = way->overlap};
}

static enum vl_status plan(double *seconds, const struct vl_team *team,
                           const struct vl_bandwidth_bench *bench)
{
    const struct vl_team_way *way = team->way;
    const struct vl_measured_machine machine = machine_for(way, bench);
    const struct vl_division division = {.tensor = (size_t)way->tp,
                                         .expert = (size_t)way->ep,
                                         .data = (size_t)(way->dp / way->ep),
                                         .pipeline = (size_t)way->pp,
                                         .chunks = 1,
                                         .micro_batches = vl_team_micro_batches(way, &model),
                                         .zero = (size_t)way->zero,
                                         .keep = VL_KEEP_ALL};
    return vl_planned_step_here(seconds, &model.shape, &model.experts, model.rows, &machine,
                                &division, way->schedule != NULL ? &team->schedule : NULL);
}

static enum vl_status measure(struct vl_bandwidth_bench *bench, struct vl_team *teams)
{
    VL_CHECK(vl_road_measure(&bench->road, teams[0].comm));
    for (int turn = 0; turn <= bench->turns; turn++) /* the first one warms up */
        for (size_t i = 0; i < VL_BENCH_BANDWIDTH_WAYS; i++) {
            double seconds;
            VL_CHECK(vl_team_turn(&seconds, &teams[i]));
            bench->rows[i].losses[turn] = teams[i].result.loss;
            if (turn > 0)
                bench->rows[i].seconds[turn - 1] = seconds;
        }
    for (size_t i = 0; i < VL_BENCH_BANDWIDTH_WAYS; i++)
        VL_CHECK(plan(&bench->rows[i].planned, &teams[i], bench));
    bench->parameters = vl_model_learner(teams[ALONE].part.model)->count;
    return VL_OK;
}

enum vl_status vl_bench_bandwidth(struct vl_bandwidth_bench *bench, MPI_Comm comm, int turns)
{
    int ranks;
    size_t n = model.rows * model.shape.sequence, open = 0;
    struct vl_team teams[VL_BENCH_BANDWIDTH_WAYS];
    *bench = (struct vl_bandwidth_bench){.model = &model, .turns = turns};
    MPI_Comm_size(comm, &ranks);
    if (ranks != VL_TEAM_RANKS)
        return VL_ESHAPE;
    if (turns < 1 || turns > VL_BENCH_BANDWIDTH_TURNS)
        return VL_EINVAL;
    openblas_set_num_threads(1);
    int32_t *tokens = malloc(2 * n * sizeof *tokens);
    enum vl_status status = tokens != NULL ? VL_OK : VL_ENOMEM;
    for (size_t i = 0; i < 2 * n && status == VL_OK; i++)
        tokens[i] = (int32_t)vl_random_below(model.shape.vocabulary, 1, 0, i);
    while (open < VL_BENCH_BANDWIDTH_WAYS && status == VL_OK) {
        bench->rows[open].way = ways[open].name;
        status = vl_team_open(&teams[open], &ways[open], &model, comm, tokens);
        open++;
    }
    if (status == VL_OK)
        status = measure(bench, teams);
    while (open-- > 0)
        vl_team_close(&teams[open]);
    free(tokens);
    return status;
}
