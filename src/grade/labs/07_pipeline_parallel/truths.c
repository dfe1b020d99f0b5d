/*
 * What lab 07 must give: schedules, their actions, and the figures on paper.
 */
#include "grade/catalogue/maker.h"
#include "grade/catalogue/scope.h"
#include "grade/labs/07_pipeline_parallel/pipeline_parallel.h"

#include <stdlib.h>
#include <string.h>

struct vl_pipe vl_pipe_read(const struct vl_bag *inputs)
{
    struct vl_pipe pipe = {
        .size = {vl_bag_size(inputs, "stages"), vl_bag_size(inputs, "chunks"),
                 vl_bag_size(inputs, "micro_batches")},
        .order = (int)vl_bag_int(inputs, "order"),
    };
    pipe.width = 3 * pipe.size.chunks * pipe.size.micro_batches;
    pipe.most = 3 * pipe.width;
    return pipe;
}

struct vl_oracle_task *vl_pipe_rows(const struct vl_pipe *pipe, const struct vl_bag *inputs)
{
    size_t count = pipe->size.stages * pipe->width;
    struct vl_oracle_task *rows = calloc(count, sizeof *rows);
    const int32_t *table = vl_bag_i32(inputs, "rows");
    for (size_t i = 0; rows != NULL && table != NULL && i < count; i++)
        rows[i] = (struct vl_oracle_task){(enum vl_oracle_pass)table[3 * i],
                                          (size_t)table[3 * i + 1], (size_t)table[3 * i + 2]};
    for (size_t s = 0; rows != NULL && table == NULL && s < pipe->size.stages; s++)
        vl_oracle_order_row(&rows[s * pipe->width], (enum vl_oracle_order)pipe->order, &pipe->size,
                            s);
    return rows;
}

struct vl_task vl_pipe_task(const struct vl_oracle_task *task)
{
    return (struct vl_task){(enum vl_task_kind)task->pass, (uint32_t)task->chunk,
                            (uint32_t)task->micro_batch};
}

static void put_task(int64_t *place, struct vl_task task)
{
    place[0] = task.kind;
    place[1] = task.chunk;
    place[2] = task.micro_batch;
}

VL_SCOPED_TRUTH(pipe_schedule)
{
    struct vl_pipe pipe = vl_pipe_read(s->inputs);
    size_t all = pipe.size.stages * pipe.width;
    int uneven = pipe.size.micro_batches % pipe.size.stages != 0,
        uncut = pipe.order != VL_ORACLE_INTERLEAVED;
    if (vl_scope_bad(s) ||
        vl_scope_refused(s, pipe.size.chunks > 1 && (uncut || uneven), VL_ESHAPE))
        return;
    int64_t *tasks = vl_scope_whole(s, "tasks", all, 3);
    struct vl_oracle_task *rows = vl_pipe_rows(&pipe, s->inputs);
    s->failed |= rows == NULL;
    for (size_t i = 0; !s->failed && i < all; i++)
        put_task(&tasks[3 * i], vl_pipe_task(&rows[i]));
    free(rows);
}

VL_SCOPED_TRUTH(pipe_status)
{
    vl_scope_status(s, vl_scope_size(s, "bad") ? VL_EINVAL : VL_OK);
}

/* ---- actions ---- */

/* The message with a task's output. Tags descend, so no submission's own rule gives the same. */
static struct vl_action message(enum vl_action_kind kind, const struct vl_oracle_task *task,
                                int peer, const struct vl_pipe *pipe)
{
    size_t number = (task->chunk * 2 + task->pass) * pipe->size.micro_batches + task->micro_batch;
    return (struct vl_action){kind, vl_pipe_task(task), peer, 16383 - (int)number};
}

static size_t stage_actions(struct vl_action *actions, const struct vl_oracle_task *row,
                            const struct vl_pipe *pipe, size_t stage)
{
    size_t count = 0;
    for (size_t i = 0; i < pipe->width; i++) {
        struct vl_oracle_task other;
        int from = vl_oracle_peer(&other, &pipe->size, stage, &row[i], -1);
        if (from >= 0) /* a message is named by the task that made it */
            actions[count++] = message(VL_ACTION_RECEIVE, &other, from, pipe);
        actions[count++] = (struct vl_action){VL_ACTION_COMPUTE, vl_pipe_task(&row[i]), 0, 0};
        int to = vl_oracle_peer(&other, &pipe->size, stage, &row[i], 1);
        if (to >= 0)
            actions[count++] = message(VL_ACTION_SEND, &row[i], to, pipe);
    }
    return count;
}

struct vl_action *vl_pipe_actions(size_t *counts, const struct vl_pipe *pipe,
                                  const struct vl_bag *inputs)
{
    struct vl_oracle_task *rows = vl_pipe_rows(pipe, inputs);
    struct vl_action *actions =
        rows != NULL ? calloc(pipe->size.stages * pipe->most, sizeof *actions) : NULL;
    for (size_t s = 0; actions != NULL && s < pipe->size.stages; s++)
        counts[s] = stage_actions(&actions[s * pipe->most], &rows[s * pipe->width], pipe, s);
    free(rows);
    return actions;
}

/* As many of a stage's actions as fit into its memory; all are counted. */
VL_SCOPED_TRUTH(pipe_actions)
{
    struct vl_pipe pipe = vl_pipe_read(s->inputs);
    size_t p = pipe.size.stages, all = p * pipe.most, counts[VL_PIPE_STAGES];
    const int32_t *rooms = vl_bag_i32(s->inputs, "rooms");
    /* In one call at least there is less memory than actions, and 'statuses' are of that one. */
    const int too_few = vl_scope_size(s, "short") || vl_scope_size(s, "exact");
    if (vl_scope_bad(s))
        return;
    int64_t *table = vl_scope_whole(s, "actions", all, 5), *own = vl_scope_whole(s, "counts", 1, p),
            *statuses = too_few ? vl_scope_whole(s, "statuses", 1, p) : NULL;
    struct vl_action *actions = vl_pipe_actions(counts, &pipe, s->inputs);
    s->failed |= actions == NULL;
    for (size_t i = 0; !s->failed && i < all; i++) {
        size_t stage = i / pipe.most, at = i % pipe.most;
        int64_t *row = &table[5 * i];
        memset(row, 0xff, 5 * sizeof *row); /* -1: nothing */
        if (at >= counts[stage] || at >= (size_t)rooms[stage])
            continue;
        row[0] = actions[i].kind;
        put_task(&row[1], actions[i].task);
        row[4] = actions[i].kind == VL_ACTION_COMPUTE ? -1 : actions[i].peer;
    }
    for (size_t stage = 0; !s->failed && stage < p; stage++) {
        own[stage] = (int64_t)counts[stage];
        if (statuses != NULL)
            statuses[stage] = VL_ENOMEM;
    }
    free(actions);
}

/* ---- on paper ---- */

/* The pipelines that are asked about, (count, 4); NULL if the call must be refused. With chunks the
 * runner then asks for a group that is cut short. */
static const int32_t *asked(struct vl_scope *s, size_t *count)
{
    const struct vl_tensor_entry *sizes = vl_bag_find(s->inputs, "sizes");
    *count = sizes->count / 4;
    if (!vl_scope_size(s, "bad"))
        return sizes->data;
    vl_scope_status(s, vl_scope_size(s, "chunks") > 1 ? VL_ESHAPE : VL_EINVAL);
    return NULL;
}

static struct vl_oracle_pipe sizes_at(const int32_t *row)
{
    return (struct vl_oracle_pipe){(size_t)row[0], (size_t)row[1], (size_t)row[2]};
}

VL_SCOPED_TRUTH(bubble_of_ideal)
{
    size_t count;
    const int32_t *row = asked(s, &count);
    double *share = row != NULL ? vl_scope_out(s, "share", 1, count, 0) : NULL;
    for (size_t i = 0; share != NULL && i < count; i++, row += 4) {
        struct vl_oracle_pipe pipe = sizes_at(row);
        share[i] = vl_oracle_bubble(&pipe);
    }
}

static void live(struct vl_scope *s, enum vl_oracle_order order)
{
    size_t count;
    const int32_t *row = asked(s, &count);
    int64_t *numbers = row != NULL ? vl_scope_whole(s, "live", 1, count) : NULL;
    for (size_t i = 0; numbers != NULL && i < count; i++, row += 4) {
        struct vl_oracle_pipe pipe = sizes_at(row);
        numbers[i] = (int64_t)vl_oracle_alive(order, &pipe, (size_t)row[3]);
    }
}

#define LIVE(name, order)                                                                          \
    VL_SCOPED_TRUTH(live_##name)                                                                   \
    {                                                                                              \
        live(s, order);                                                                            \
    }
LIVE(afab, VL_ORACLE_AFAB)
LIVE(1f1b, VL_ORACLE_1F1B)
LIVE(interleaved, VL_ORACLE_INTERLEAVED)

/* ---- sealed ---- */

static struct vl_oracle_pipe sealed_pipe(struct vl_scope *s, size_t chunks)
{
    return (struct vl_oracle_pipe){vl_scope_size(s, "stages"), chunks,
                                   vl_scope_size(s, "micro_batches")};
}

VL_SCOPED_TRUTH(predict_pipe_bubble)
{
    struct vl_oracle_pipe pipe = sealed_pipe(s, 1);
    vl_scope_give_real(s, "bubble_of_ideal", vl_oracle_bubble(&pipe));
}

VL_SCOPED_TRUTH(predict_pipe_chunked)
{
    struct vl_oracle_pipe pipe = sealed_pipe(s, vl_scope_size(s, "chunks"));
    vl_scope_give_real(s, "bubble_chunked", vl_oracle_bubble(&pipe));
}

VL_SCOPED_TRUTH(predict_pipe_live)
{
    struct vl_oracle_pipe pipe = sealed_pipe(s, 1);
    vl_scope_give_int(s, "live_first", vl_oracle_alive(VL_ORACLE_1F1B, &pipe, 0));
}

/* An inner stage sends one activation and one gradient for each micro-batch, which is one row. */
VL_SCOPED_TRUTH(predict_pipe_sent)
{
    size_t row = vl_scope_size(s, "sequence") * vl_scope_size(s, "width");
    vl_scope_give_int(s, "step_bytes", 2 * vl_scope_size(s, "micro_batches") * row * sizeof(float));
}
