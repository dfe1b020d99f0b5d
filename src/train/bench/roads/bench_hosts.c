#include "train/bench/roads/bench_hosts.h"

#include "base/random.h"
#include "comm/span.h"
#include "engine/check.h"
#include "engine/mesh/replicated.h"
#include "train/bench/roads/bench_roads.h"
#include "train/run/trace.h"

#include <stdlib.h>
#include <string.h>

enum { KINDS = 3, ROUNDS = 13, ROWS = 8 };
enum kind { ALONE, FLAT, OVERLAP };
#define LEVEL_BYTES ((size_t)8 << 20)

/* Many small units: sending the last one's gradients cannot be hidden, so it should be small. */
static const struct vl_shape shape = {
    .layers = 8, .width = 128, .heads = 4, .ff = 352, .vocabulary = 256, .sequence = 128};

struct trainee {
    struct vl_mesh mesh;
    MPI_Comm comm;
    struct vl_replicated part;
    int32_t *tokens;
    uint64_t step;
    enum kind kind;
};

static enum vl_status one_step(void *context)
{
    struct trainee *t = context;
    const struct vl_adamw settings = {1e-3f, 0.9f, 0.95f, 1e-8f, 0.1f};
    struct vl_step_result result;
    vl_span_clear();
    t->step++;
    if (t->kind == ALONE)
        return vl_training_step(vl_model_learner(t->part.model), 1, &settings, 1.0f, t->step,
                                &result);
    t->part.how.overlap = t->kind == OVERLAP;
    return vl_replicated_step(&t->part, 1, &settings, 1.0f, t->step, &result);
}

static enum vl_status open_trainee(struct trainee *t, MPI_Comm comm)
{
    int ranks;
    const struct vl_sharing how = {.mesh = &t->mesh, .overlap = 1};
    size_t n = (size_t)ROWS * shape.sequence;
    *t = (struct trainee){.comm = comm};
    MPI_Comm_size(comm, &ranks);
    VL_CHECK(vl_mesh_create(&t->mesh, comm, ranks, 1, 1));
    t->tokens = calloc(2 * n, sizeof *t->tokens);
    if (t->tokens == NULL)
        return VL_ENOMEM;
    VL_CHECK(vl_replicated_create(&t->part, &shape, ROWS, &how));
    for (size_t i = 0; i < 2 * n; i++)
        t->tokens[i] = (int32_t)vl_random_below(shape.vocabulary, 1, (uint64_t)t->mesh.replica, i);
    const struct vl_model_batch batch = {t->tokens, t->tokens + n, ROWS, 1,
                                         (size_t)ROWS * (size_t)t->mesh.dp};
    VL_CHECK(vl_model_set_part(t->part.model, &batch));
    return vl_replicated_initialise(&t->part, 1);
}

static void close_trainee(struct trainee *t)
{
    vl_replicated_free(&t->part);
    vl_mesh_free(&t->mesh);
    free(t->tokens);
}

/* The kinds take turns, and the first round does not count. The spans of a kind's last step are
 * gathered right after it. */
static enum vl_status measure_overlap(struct vl_overlap *result, struct trainee *t)
{
    double *const shortest[KINDS] = {&result->alone, &result->flat, &result->overlap};
    json_t **const traces[KINDS] = {NULL, &result->flat_trace, &result->overlap_trace};
    enum vl_status status = VL_OK;
    for (int round = 0; round <= ROUNDS; round++)
        for (int kind = ALONE; kind < KINDS && status == VL_OK; kind++) {
            double seconds;
            t->kind = (enum kind)kind;
            VL_CHECK(vl_road_turn(&seconds, t->comm, one_step, t));
            if (round == 1 || (round > 1 && seconds < *shortest[kind]))
                *shortest[kind] = seconds;
            if (round == ROUNDS && traces[kind] != NULL)
                *traces[kind] = vl_trace_gather(t->comm, t->step, &status);
        }
    result->hidden = (result->flat - result->overlap) / (result->flat - result->alone);
    return status;
}

enum vl_status vl_bench_overlap(struct vl_overlap *result, MPI_Comm comm)
{
    struct trainee t;
    *result = (struct vl_overlap){0};
    VL_CHECK(vl_road_measure(&result->road, comm));
    enum vl_status status = open_trainee(&t, comm);
    if (status == VL_OK)
        status = vl_span_record(VL_TRACE_SPANS);
    if (status == VL_OK) {
        result->gradient_bytes = (double)(vl_model_learner(t.part.model)->count * sizeof(float));
        status = measure_overlap(result, &t);
    }
    vl_span_record(0);
    close_trainee(&t);
    return status;
}

/* ---- two levels ---- */

struct levels {
    MPI_Comm comm;
    struct vl_levels levels;
    float *data;
};

static enum vl_status ring(void *context)
{
    struct levels *l = context;
    vl_span_clear();
    return vl_all_reduce(l->comm, l->data, LEVEL_BYTES / sizeof *l->data);
}

static enum vl_status two_level(void *context)
{
    struct levels *l = context;
    vl_span_clear();
    return vl_all_reduce_two_level(&l->levels, l->data, LEVEL_BYTES / sizeof *l->data);
}

static enum vl_status measure_levels(struct vl_levels_result *result, struct levels *l)
{
    enum vl_status status;
    result->bytes = (double)LEVEL_BYTES;
    VL_CHECK(vl_road_time(&result->ring, l->comm, ROUNDS, ring, l));
    result->ring_trace = vl_trace_gather(l->comm, 0, &status);
    VL_CHECK(status);
    VL_CHECK(vl_road_time(&result->two_level, l->comm, ROUNDS, two_level, l));
    result->two_level_trace = vl_trace_gather(l->comm, 0, &status);
    return status;
}

enum vl_status vl_bench_levels(struct vl_levels_result *result, MPI_Comm comm, int ranks_per_node)
{
    struct levels l = {.comm = comm};
    *result = (struct vl_levels_result){0};
    VL_CHECK(vl_levels_create(&l.levels, comm, ranks_per_node));
    l.data = calloc(LEVEL_BYTES, 1);
    enum vl_status status = l.data != NULL ? vl_span_record(VL_TRACE_SPANS) : VL_ENOMEM;
    if (status == VL_OK)
        status = measure_levels(result, &l);
    vl_span_record(0);
    vl_levels_free(&l.levels);
    free(l.data);
    return status;
}
