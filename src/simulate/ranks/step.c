#include "simulate/ranks/step.h"

#include "comm/span.h"
#include "engine/check.h"
#include "engine/mesh/mesh.h"
#include "engine/mesh/replicated.h"
#include "engine/schedule/schedule_make.h"
#include "simulate/kernels/charge.h"
#include "simulate/ranks/state.h"
#include "simulate/ranks/watch.h"
#include "train/run/trace.h"

#include <stdlib.h>

/* All that lives as long as the step. */
struct run {
    const struct vl_simulate_task *task;
    struct vl_mesh mesh;
    struct vl_schedule schedule;
    size_t *borders;
    struct vl_replicated part;
    size_t first, rows;
    int32_t *tokens; /* all zero; they serve as targets too */
};

static const char *schedule_name(const struct vl_simulate_task *task)
{
    return vl_schedule_name(task->chunks > 1 ? VL_NAMED_INTERLEAVED : VL_NAMED_1F1B);
}

static enum vl_status make_schedule(struct run *run)
{
    const struct vl_simulate_task *t = run->task;
    struct vl_schedule_problem problem;
    size_t parts = (size_t)t->pipeline * t->chunks, layers = t->shape.layers;
    if (t->pipeline < 2)
        return VL_OK;
    run->borders = calloc(parts + 1, sizeof *run->borders);
    if (run->borders == NULL)
        return VL_ENOMEM;
    for (size_t i = 0; i < parts; i++)
        run->borders[i + 1] = run->borders[i] + layers / parts + (i < layers % parts);
    return vl_schedule_make(&run->schedule, schedule_name(t), (size_t)t->pipeline, t->chunks,
                            t->micro_batches, &problem);
}

static enum vl_status make_part(struct run *run)
{
    const struct vl_simulate_task *t = run->task;
    size_t replicas = (size_t)run->mesh.dp, most = (t->batch + replicas - 1) / replicas;
    const struct vl_sharing how = {.mesh = &run->mesh,
                                   .zero = t->zero,
                                   .overlap = t->overlap,
                                   .bucket_bytes = t->bucket_bytes,
                                   .node_replicas = t->node_replicas,
                                   .recompute = (enum vl_recompute)t->recompute,
                                   .sequence_parallel = t->sequence_parallel,
                                   .schedule = &run->schedule,
                                   .borders = run->borders,
                                   .experts = t->experts,
                                   .bias_speed = t->experts.experts > 0 ? 1e-3f : 0};
    VL_CHECK(vl_replicated_create(&run->part, &t->shape,
                                  (most + t->micro_batches - 1) / t->micro_batches, &how));
    VL_CHECK(vl_replica_rows(&run->first, &run->rows, t->batch, run->mesh.replica, run->mesh.dp));
    run->tokens = calloc(run->rows * t->shape.sequence + 1, sizeof *run->tokens);
    return run->tokens != NULL ? VL_OK : VL_ENOMEM;
}

static enum vl_status prepare(struct run *run)
{
    const struct vl_simulate_task *t = run->task;
    vl_charge_set(&(struct vl_charge_rates){t->flops, t->memory, t->element_bytes, t->state_bytes});
    vl_domain_set(t->domain > 0 ? t->domain : 1);
    vl_slower_set(t->slower > 0 ? t->slower : 1);
    vl_in_order_set(t->in_order);
    VL_CHECK(
        vl_mesh_create(&run->mesh, MPI_COMM_WORLD, t->data * t->expert, t->pipeline, t->tensor));
    if (t->experts.experts > 0)
        VL_CHECK(vl_mesh_share_experts(&run->mesh, t->expert));
    VL_CHECK(make_schedule(run));
    VL_CHECK(make_part(run));
    vl_watch_progress();
    return t->trace != NULL ? vl_span_record(VL_TRACE_SPANS) : VL_OK;
}

static enum vl_status one_step(struct run *run, struct vl_simulated_rank *own)
{
    const struct vl_simulate_task *t = run->task;
    static const struct vl_adamw settings = {1e-4f, 0.9f, 0.95f, 1e-8f, 0.1f};
    const struct vl_model_batch batch = {run->tokens, run->tokens, run->rows, t->micro_batches,
                                         t->batch};
    const struct vl_rank_state *state = vl_rank_state();
    struct vl_step_result result;
    VL_CHECK(vl_model_set_part(run->part.model, &batch));
    PMPI_Barrier(MPI_COMM_WORLD);
    vl_rank_state_reset();
    vl_span_clear();
    double begin = PMPI_Wtime();
    VL_CHECK(vl_replicated_step(&run->part, t->micro_batches, &settings, 1, 1, &result));
    *own = (struct vl_simulated_rank){PMPI_Wtime() - begin, state->busy, state->sent.inner_bytes,
                                      state->sent.outer_bytes, state->sent.messages};
    return VL_OK;
}

static enum vl_status write_trace(const struct run *run)
{
    const struct vl_simulate_task *t = run->task;
    struct vl_problem problem = {.status = VL_OK};
    if (t->trace == NULL)
        return VL_OK;
    int *stages = calloc((size_t)run->mesh.ranks, sizeof *stages);
    if (stages == NULL)
        return VL_ENOMEM;
    for (int rank = 0; rank < run->mesh.ranks; rank++) {
        struct vl_mesh other;
        vl_mesh_look(&other, &run->mesh, rank);
        stages[rank] = other.stage;
    }
    const struct vl_trace_pipeline pipeline = {schedule_name(t), &run->schedule, stages};
    enum vl_status status =
        vl_trace_write(t->trace, MPI_COMM_WORLD, 1, t->pipeline > 1 ? &pipeline : NULL, &problem);
    free(stages);
    return status;
}

enum vl_status vl_simulate_step(struct vl_simulated_rank *own, const struct vl_simulate_task *task)
{
    struct run run = {.task = task};
    enum vl_status status = prepare(&run);
    if (status == VL_OK)
        status = one_step(&run, own);
    if (status == VL_OK)
        status = write_trace(&run);
    vl_span_record(0);
    vl_replicated_free(&run.part);
    vl_schedule_free(&run.schedule);
    free(run.borders);
    free(run.tokens);
    vl_mesh_free(&run.mesh);
    return status;
}
