#include "train/bench/bench.h"

#include "base/place.h"
#include "base/text.h"
#include "train/bench/parallel/bench_bandwidth.h"
#include "train/bench/parallel/bench_parallel.h"
#include "train/bench/peers/bench_peers.h"
#include "train/bench/roads/bench_hosts.h"
#include "train/bench/roads/bench_roads.h"
#include "train/bench/step/bench_operators.h"
#include "train/bench/step/bench_step.h"
#include "train/log/log.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* What a benchmark is given. */
struct request {
    MPI_Comm comm;
    const char *word;
    struct vl_problem *problem; /* to say more than a status does */
};

static json_t *describe_road(const struct vl_road *road)
{
    return json_pack("{s:f, s:f}", "alpha", road->alpha, "beta", road->beta);
}

static json_t *bench_step(const struct request *request, enum vl_status *status)
{
    struct vl_bench_result results[VL_BENCH_SHAPES];
    (void)request;
    *status = vl_bench_step(results);
    if (*status != VL_OK)
        return NULL;
    json_t *shapes = json_array();
    for (size_t i = 0; i < VL_BENCH_SHAPES; i++) {
        const struct vl_bench_result *r = &results[i];
        json_array_append_new(
            shapes,
            json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:f, s:f, s:f, s:f, s:f}", "layers",
                      (json_int_t)r->shape.layers, "width", (json_int_t)r->shape.width, "heads",
                      (json_int_t)r->shape.heads, "sequence", (json_int_t)r->shape.sequence,
                      "batch", (json_int_t)r->batch, "vocabulary", (json_int_t)r->shape.vocabulary,
                      "ff", (json_int_t)r->shape.ff, "tokens_per_second", r->tokens_per_second,
                      "gflops", r->gflops, "sgemm_gflops", r->sgemm_gflops, "ratio", r->ratio,
                      "products_gflops", r->products_gflops, "of_products", r->of_products));
    }
    return json_pack("{s:o}", "shapes", shapes);
}

static json_t *describe_peers(const struct vl_peers_result *r)
{
    const struct vl_shape *s = &r->shape.shape;
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:s, s:f, s:f, s:f, s:f, s:f, s:f, s:f}",
                     "layers", (json_int_t)s->layers, "width", (json_int_t)s->width, "heads",
                     (json_int_t)s->heads, "sequence", (json_int_t)s->sequence, "batch",
                     (json_int_t)r->shape.batch, "vocabulary", (json_int_t)s->vocabulary, "ff",
                     (json_int_t)s->ff, "version", r->version, "tokens_per_second",
                     r->tokens_per_second, "peer_tokens_per_second", r->peer_tokens_per_second,
                     "gflops", r->gflops, "peer_gflops", r->peer_gflops, "ratio", r->ratio, "loss",
                     r->loss, "peer_loss", r->peer_loss);
}

static json_t *bench_peers(const struct request *request, enum vl_status *status)
{
    struct vl_peers_result results[VL_BENCH_SHAPES];
    char *script = vl_place_path("share", "peers/torch_step.py");
    *status = script != NULL ? vl_bench_peers(results, request->word, script) : VL_ENOMEM;
    free(script);
    if (*status == VL_ELACK)
        vl_problem_set(
            request->problem, VL_ELACK, "peer_lacks",
            _("PyTorch did not start. Mend what it says above, or install another one."));
    if (*status == VL_EFORMAT)
        vl_problem_set(request->problem, VL_ELACK, "peer_differs",
                       _("PyTorch's steps cannot be compared with ours: it ended early, or its "
                         "loss is not ours. Look at what it says above, or try another version."));
    if (*status != VL_OK)
        return NULL;
    json_t *shapes = json_array();
    for (size_t i = 0; i < VL_BENCH_SHAPES; i++)
        json_array_append_new(shapes, describe_peers(&results[i]));
    return json_pack("{s:o}", "peers", shapes);
}

static json_t *describe_operator(enum vl_operator which, const struct vl_operator_bench *b)
{
    const struct vl_operator_row *r = &b->operators.rows[which];
    double intensity = vl_roof_intensity(r->work);
    return json_pack("{s:s, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "operator",
                     vl_operator_name(which), "calls", r->calls, "flops", r->work.flops, "bytes",
                     r->work.bytes, "seconds", r->seconds, "intensity", intensity, "roof_gflops",
                     1e-9 * vl_roof_height(&b->roof, intensity), "share",
                     vl_roof_share(&b->roof, r->work, r->seconds));
}

static json_t *describe_operators(const struct vl_operator_bench *b)
{
    const struct vl_shape *s = &b->shape.shape;
    json_t *rows = json_array();
    for (int i = 0; i < VL_OPERATORS; i++)
        json_array_append_new(rows, describe_operator((enum vl_operator)i, b));
    json_array_append_new(rows, json_pack("{s:s, s:f}", "operator", "rest", "seconds",
                                          vl_operators_rest(&b->operators)));
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:f, s:f, s:f, s:f, s:o}", "layers",
                     (json_int_t)s->layers, "width", (json_int_t)s->width, "heads",
                     (json_int_t)s->heads, "sequence", (json_int_t)s->sequence, "batch",
                     (json_int_t)b->shape.batch, "vocabulary", (json_int_t)s->vocabulary, "ff",
                     (json_int_t)s->ff, "seconds", b->operators.seconds, "flops",
                     vl_operators_work(&b->operators).flops, "counted_flops", b->counted,
                     "sgemm_gflops", 1e-9 * b->roof.flops_per_second, "memory_gb_per_second",
                     1e-9 * b->roof.bytes_per_second, "operators", rows);
}

static json_t *bench_operators(const struct request *request, enum vl_status *status)
{
    struct vl_operator_bench results[VL_BENCH_SHAPES];
    int rounds = atoi(request->word); /* no number: all of them */
    *status = vl_bench_operators(results, rounds > 0 ? (size_t)rounds : VL_BENCH_ROUNDS);
    if (*status != VL_OK)
        return NULL;
    json_t *shapes = json_array();
    for (size_t i = 0; i < VL_BENCH_SHAPES; i++)
        json_array_append_new(shapes, describe_operators(&results[i]));
    return json_pack("{s:o}", "roofline", shapes);
}

static json_t *bench_roads(const struct request *request, enum vl_status *status)
{
    struct vl_roads roads;
    *status = vl_bench_roads(&roads, request->comm);
    if (*status != VL_OK)
        return NULL;
    json_t *rows = json_array();
    for (size_t i = 0; i < VL_ROAD_SIZES; i++) {
        const struct vl_road_row *r = &roads.row[i];
        json_array_append_new(rows,
                              json_pack("{s:I, s:f, s:f, s:f, s:f}", "bytes", (json_int_t)r->bytes,
                                        "ring", r->ring, "library", r->library, "predicted",
                                        r->predicted, "ratio", r->library / r->ring));
    }
    return json_pack("{s:{s:i, s:o, s:o}}", "roads", "ranks", roads.ranks, "road",
                     describe_road(&roads.road), "all_reduce", rows);
}

static json_t *bench_overlap(const struct request *request, enum vl_status *status)
{
    struct vl_overlap r;
    *status = vl_bench_overlap(&r, request->comm);
    return json_pack("{s:{s:o, s:f, s:f, s:f, s:f, s:f, s:o*, s:o*}}", "overlap", "road",
                     describe_road(&r.road), "gradient_bytes", r.gradient_bytes, "alone", r.alone,
                     "flat", r.flat, "overlap", r.overlap, "hidden", r.hidden, "flat_trace",
                     r.flat_trace, "overlap_trace", r.overlap_trace);
}

static json_t *bench_levels(const struct request *request, enum vl_status *status)
{
    struct vl_levels_result r;
    *status = vl_bench_levels(&r, request->comm, 2);
    return json_pack("{s:{s:f, s:f, s:f, s:f, s:o*, s:o*}}", "levels", "bytes", r.bytes, "ring",
                     r.ring, "two_level", r.two_level, "ratio", r.ring / r.two_level, "ring_trace",
                     r.ring_trace, "two_level_trace", r.two_level_trace);
}

static json_t *bench_parallel(const struct request *request, enum vl_status *status)
{
    struct vl_parallel_row rows[VL_PARALLEL_WAYS];
    *status = vl_bench_parallel(rows, request->comm);
    if (*status != VL_OK)
        return NULL;
    json_t *list = json_array();
    for (size_t i = 0; i < VL_PARALLEL_WAYS; i++) {
        const struct vl_parallel_row *r = &rows[i];
        json_t *row = json_pack("{s:s, s:f, s:f, s:f}", "way", r->way, "seconds", r->seconds,
                                "tokens_per_second", r->tokens_per_second, "ratio", r->ratio);
        if (r->planned_ratio >= 0.0)
            json_object_set_new(row, "planned_ratio", json_real(r->planned_ratio));
        if (r->measured_idle >= 0.0)
            json_object_update_new(row, json_pack("{s:f, s:f}", "measured_idle", r->measured_idle,
                                                  "predicted_idle", r->predicted_idle));
        json_array_append_new(list, row);
    }
    return json_pack("{s:o}", "parallel", list);
}

static json_t *list_of(const double *values, size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, json_real(values[i]));
    return list;
}

static json_t *describe_bandwidth(const struct vl_bandwidth_bench *b)
{
    const struct vl_team_model *m = b->model;
    json_t *ways = json_array();
    for (size_t i = 0; i < VL_BENCH_BANDWIDTH_WAYS; i++) {
        const struct vl_bandwidth_row *r = &b->rows[i];
        json_t *way = json_pack("{s:s, s:o, s:o}", "way", r->way, "seconds",
                                list_of(r->seconds, (size_t)b->turns), "losses",
                                list_of(r->losses, (size_t)b->turns + 1));
        json_object_set_new(way, "planned", json_real(r->planned));
        json_array_append_new(ways, way);
    }
    json_t *model =
        json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "layers",
                  (json_int_t)m->shape.layers, "width", (json_int_t)m->shape.width, "heads",
                  (json_int_t)m->shape.heads, "ff", (json_int_t)m->shape.ff, "vocabulary",
                  (json_int_t)m->shape.vocabulary, "sequence", (json_int_t)m->shape.sequence,
                  "experts", (json_int_t)m->experts.experts, "top_k", (json_int_t)m->experts.chosen,
                  "batch", (json_int_t)m->rows, "micro_batches", (json_int_t)m->micro_batches,
                  "parameters", (json_int_t)b->parameters);
    return json_pack("{s:{s:o, s:o, s:o}}", "bandwidth", "road", describe_road(&b->road), "model",
                     model, "ways", ways);
}

static json_t *bench_bandwidth(const struct request *request, enum vl_status *status)
{
    struct vl_bandwidth_bench *bench = calloc(1, sizeof *bench);
    *status =
        bench != NULL ? vl_bench_bandwidth(bench, request->comm, atoi(request->word)) : VL_ENOMEM;
    json_t *told = *status == VL_OK ? describe_bandwidth(bench) : NULL;
    free(bench);
    return told;
}

static const struct {
    const char *name;
    json_t *(*run)(const struct request *request, enum vl_status *status);
} benches[] = {
    {"bench-step", bench_step},           {"bench-operators", bench_operators},
    {"bench-roads", bench_roads},         {"bench-overlap", bench_overlap},
    {"bench-levels", bench_levels},       {"bench-parallel", bench_parallel},
    {"bench-bandwidth", bench_bandwidth}, {"bench-peers", bench_peers},
};
#define BENCHES (sizeof benches / sizeof *benches)

bool vl_bench_is_known(const char *name)
{
    for (size_t i = 0; i < BENCHES; i++)
        if (strcmp(benches[i].name, name) == 0)
            return true;
    return false;
}

enum vl_status vl_bench_run(const char *name, const char *word, MPI_Comm comm,
                            struct vl_problem *problem)
{
    int rank;
    const struct request request = {comm, word, problem};
    MPI_Comm_rank(comm, &rank);
    enum vl_status status = VL_EINVAL;
    json_t *told = NULL;
    for (size_t i = 0; i < BENCHES; i++)
        if (strcmp(benches[i].name, name) == 0)
            told = benches[i].run(&request, &status);
    if (status == VL_OK && rank == 0 && !vl_log_print(stdout, json_incref(told)))
        status = VL_EIO;
    json_decref(told);
    if (status == VL_OK || problem->status != VL_OK)
        return problem->status;
    return vl_problem_status(problem, status);
}
