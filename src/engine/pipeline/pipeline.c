#include "engine/pipeline/pipeline.h"

#include "comm/span.h"
#include "engine/check.h"
#include "engine/pipeline/stretch.h"

#include <stdlib.h>
#include <string.h>

static size_t row_width(const struct vl_schedule *schedule)
{
    return 3 * schedule->chunks * schedule->micro_batches;
}

static enum vl_status copy_schedule(struct vl_pipeline *pipeline, const struct vl_schedule *from)
{
    struct vl_schedule_report report;
    VL_CHECK(vl_schedule_check(&report, from));
    if (report.fault != VL_SCHEDULE_SOUND)
        return VL_ESHAPE;
    size_t count = from->stages * row_width(from);
    pipeline->schedule = *from;
    pipeline->schedule.tasks = malloc(count * sizeof *from->tasks);
    if (pipeline->schedule.tasks == NULL)
        return VL_ENOMEM;
    memcpy(pipeline->schedule.tasks, from->tasks, count * sizeof *from->tasks);
    return VL_OK;
}

/* A task has at most one message before it and one after it. */
static enum vl_status list_actions(struct vl_pipeline *pipeline)
{
    size_t most = 3 * row_width(&pipeline->schedule);
    pipeline->actions = calloc(most, sizeof *pipeline->actions);
    pipeline->sends = calloc(most, sizeof *pipeline->sends);
    if (pipeline->actions == NULL || pipeline->sends == NULL)
        return VL_ENOMEM;
    return vl_schedule_actions(pipeline->actions, &pipeline->action_count, most,
                               &pipeline->schedule, pipeline->stage);
}

static enum vl_status share_slots(struct vl_pipeline *pipeline)
{
    const struct vl_schedule *schedule = &pipeline->schedule;
    pipeline->slots = calloc(schedule->chunks * schedule->micro_batches, sizeof *pipeline->slots);
    pipeline->slot_counts = calloc(schedule->chunks, sizeof *pipeline->slot_counts);
    if (pipeline->slots == NULL || pipeline->slot_counts == NULL)
        return VL_ENOMEM;
    return vl_schedule_flight(pipeline->slots, pipeline->slot_counts, schedule, pipeline->stage);
}

enum vl_status vl_pipeline_create(struct vl_pipeline **pipeline, MPI_Comm comm, size_t stage,
                                  const struct vl_schedule *schedule)
{
    *pipeline = NULL;
    if (stage >= schedule->stages)
        return VL_EINVAL;
    struct vl_pipeline *p = calloc(1, sizeof *p);
    if (p == NULL)
        return VL_ENOMEM;
    p->comm = comm;
    p->stage = stage;
    enum vl_status status = copy_schedule(p, schedule);
    if (status == VL_OK)
        status = list_actions(p);
    if (status == VL_OK)
        status = share_slots(p);
    if (status != VL_OK) {
        vl_pipeline_free(p);
        return status;
    }
    *pipeline = p;
    return VL_OK;
}

void vl_pipeline_free(struct vl_pipeline *pipeline)
{
    if (pipeline == NULL)
        return;
    free(pipeline->schedule.tasks);
    free(pipeline->actions);
    free(pipeline->sends);
    free(pipeline->slots);
    free(pipeline->slot_counts);
    free(pipeline);
}

void vl_pipeline_live(size_t *forward_buffers, size_t *backward_buffers,
                      const struct vl_pipeline *pipeline, size_t chunk)
{
    const struct vl_task *row =
        pipeline->schedule.tasks + pipeline->stage * row_width(&pipeline->schedule);
    size_t forward = 0, backward = 0;
    *forward_buffers = *backward_buffers = 0;
    for (size_t i = 0; i < row_width(&pipeline->schedule); i++) {
        if (row[i].chunk != chunk)
            continue;
        if (row[i].kind == VL_TASK_FORWARD && ++forward > *forward_buffers)
            *forward_buffers = forward;
        if (row[i].kind == VL_TASK_BACKWARD && ++backward > *backward_buffers)
            *backward_buffers = backward;
        if (row[i].kind == VL_TASK_WEIGHT) {
            forward--;
            backward--;
        }
    }
}

/* ---- the run ---- */

struct run {
    struct vl_model *model;
    const struct vl_pipeline_settings *settings;
    int turned;
};

static enum vl_status compute(void *context, const struct vl_task *task)
{
    struct run *run = context;
    if (task->kind != VL_TASK_FORWARD && !run->turned && run->settings->turn != NULL)
        VL_CHECK(run->settings->turn(run->settings->context));
    run->turned |= task->kind != VL_TASK_FORWARD;
    return vl_stretch_compute(run->model, task, run->settings->every);
}

/*
 * A message names the sender's task, on virtual stage k. What arrives is the input of a task here:
 * on virtual stage k + 1 in forward and k - 1 in backward, which is chunk (k +- 1) / p.
 */
static enum vl_status message(void *context, const struct vl_action *action, float **values,
                              size_t *count)
{
    struct run *run = context;
    const struct vl_pipeline *p = run->model->pipeline;
    if (action->kind == VL_ACTION_SEND)
        return vl_stretch_output(values, count, run->model, &action->task);
    struct vl_task here = action->task;
    size_t stages = p->schedule.stages;
    size_t k = here.chunk * stages + (size_t)action->peer;
    here.chunk = (uint32_t)((here.kind == VL_TASK_FORWARD ? k + 1 : k - 1) / stages);
    return vl_stretch_input(values, count, run->model, &here);
}

enum vl_status vl_pipeline_run(struct vl_model *model, const struct vl_pipeline_settings *settings,
                               double *loss)
{
    struct vl_pipeline *p = model->pipeline;
    if (p == NULL || model->batch.micro_batches != p->schedule.micro_batches)
        return VL_EINVAL;
    struct run run = {model, settings, 0};
    const struct vl_stage stage = {p->comm, &run, message, compute};
    model->closing = 0;
    vl_stretches_begin(model, p->schedule.micro_batches);
    VL_CHECK(vl_stage_run(&stage, p->actions, p->action_count, p->sends));
    vl_span_mark("backward ends");
    *loss = 0.0;
    for (size_t i = 0; i < p->schedule.micro_batches; i++)
        *loss += model->micro_loss[i];
    return VL_OK;
}
