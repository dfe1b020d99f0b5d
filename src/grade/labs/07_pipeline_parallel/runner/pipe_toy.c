#include "grade/labs/07_pipeline_parallel/runner/pipe_toy.h"

#include "runner/arrays.h"
#include "runner/call.h"

#include <stdbool.h>
#include <string.h>

#define UNWRITTEN 7.0f /* what buffers hold at first */

static struct vl_pipe_toy *now; /* the toy at work, whatever context its functions are given */

/* ---- messages ---- */

static size_t buffer_count(const struct vl_pipe_toy *toy)
{
    return toy->memory == 0 ? 4 * toy->v * toy->m : 4;
}

static float *buffer_of(const struct vl_pipe_toy *toy, const struct vl_task *task, int leaves)
{
    size_t way = task->kind == VL_TASK_BACKWARD, place = 2 * way + (size_t)leaves;
    if (toy->memory == 2)
        place = way;
    if (toy->memory == 0)
        place = (place * toy->v + task->chunk) * toy->m + task->micro_batch;
    return toy->buffers + place * toy->n;
}

/* Does the output of this task go to another stage? A receive names a task of its sender. */
static bool is_message(const struct vl_pipe_toy *toy, const struct vl_action *action)
{
    const struct vl_task *task = &action->task;
    int forward = task->kind == VL_TASK_FORWARD, sends = action->kind == VL_ACTION_SEND;
    if ((!sends && action->kind != VL_ACTION_RECEIVE) || task->kind >= VL_TASK_WEIGHT ||
        task->chunk >= toy->v || task->micro_batch >= toy->m)
        return false;
    size_t maker = sends     ? toy->rank
                   : forward ? (toy->rank + toy->p - 1) % toy->p
                             : (toy->rank + 1) % toy->p;
    return task->chunk * toy->p + maker != (forward ? toy->p * toy->v - 1 : 0);
}

/* Late: no later stage begins before the first has done all its forwards. */
static void hear(struct vl_pipe_toy *toy)
{
    char word;
    if (toy->words != MPI_COMM_NULL && toy->rank > 0 && !toy->has_heard)
        MPI_Recv(&word, 1, MPI_CHAR, 0, 0, toy->words, MPI_STATUS_IGNORE);
    toy->has_heard = 1;
}

static void tell(const struct vl_pipe_toy *toy)
{
    char word = 0;
    for (size_t other = 1; toy->words != MPI_COMM_NULL && toy->rank == 0 && other < toy->p; other++)
        MPI_Send(&word, 1, MPI_CHAR, (int)other, 0, toy->words);
}

static enum vl_status message(void *context, const struct vl_action *action, float **values,
                              size_t *count)
{
    static float nowhere;
    const int exists = action != NULL && is_message(now, action);
    *now->strange += context != now || !exists;
    hear(now);
    *count = 0;
    *values = &nowhere;
    if (now->no_memory)
        return VL_ENOMEM;
    if (exists) {
        *count = now->n;
        *values = now->n > 0 ? buffer_of(now, &action->task, action->kind == VL_ACTION_SEND) : NULL;
    }
    return VL_OK;
}

/* ---- tasks ---- */

static float *row(const struct vl_pipe_toy *toy, float *array, size_t chunk, size_t micro_batch)
{
    return array + (chunk * toy->m + micro_batch) * toy->n;
}

/* Where a task finds the output of virtual stage 'maker'. */
static const float *output_of(const struct vl_pipe_toy *toy, const struct vl_task *task,
                              size_t maker)
{
    struct vl_task made = {task->kind, (uint32_t)(maker / toy->p), task->micro_batch};
    return buffer_of(toy, &made, toy->p == 1); /* where it left, if there is one stage alone */
}

/* The output of a task also goes into its message, if it has one. */
static void leave(const struct vl_pipe_toy *toy, const struct vl_task *task, const float *values)
{
    const struct vl_action action = {.kind = VL_ACTION_SEND, .task = *task};
    if (is_message(toy, &action))
        memcpy(buffer_of(toy, task, 1), values, toy->n * sizeof *values);
}

typedef void part_fn(struct vl_pipe_toy *toy, const struct vl_task *task);

static void forward(struct vl_pipe_toy *toy, const struct vl_task *task)
{
    size_t c = task->chunk, m = task->micro_batch, k = c * toy->p + toy->rank;
    const float *from = k == 0 ? toy->first + m * toy->n : output_of(toy, task, k - 1);
    float *x = row(toy, toy->x, c, m), *y = row(toy, toy->y, c, m);
    for (size_t i = 0; i < toy->n; i++) {
        x[i] = from[i];
        y[i] = x[i] / 2 + toy->c[k * toy->n + i];
    }
    leave(toy, task, y);
    if (++toy->forwards == toy->v * toy->m)
        tell(toy);
}

static void backward(struct vl_pipe_toy *toy, const struct vl_task *task)
{
    size_t c = task->chunk, m = task->micro_batch, k = c * toy->p + toy->rank;
    int is_last = k + 1 == toy->p * toy->v;
    const float *from = is_last ? toy->target + m * toy->n : output_of(toy, task, k + 1);
    const float *x = row(toy, toy->x, c, m), *y = row(toy, toy->y, c, m);
    float *dy = row(toy, toy->dy, c, m), *d = row(toy, toy->d, c, m);
    for (size_t i = 0; i < toy->n; i++) {
        dy[i] = is_last ? y[i] - from[i] : from[i];
        d[i] = dy[i] / 2 + x[i];
    }
    leave(toy, task, d);
}

static void weight(struct vl_pipe_toy *toy, const struct vl_task *task)
{
    const float *dy = row(toy, toy->dy, task->chunk, task->micro_batch);
    for (size_t i = 0; i < toy->n; i++)
        toy->gradient[task->chunk * toy->n + i] += dy[i];
}

static enum vl_status compute(void *context, const struct vl_task *task)
{
    static part_fn *const parts[] = {forward, backward, weight};
    struct vl_pipe_toy *toy = now;
    *toy->strange += context != toy;
    if (task == NULL || task->kind > VL_TASK_WEIGHT || task->chunk >= toy->v ||
        task->micro_batch >= toy->m)
        return VL_EINVAL;
    if (toy->computed < 3 * toy->v * toy->m)
        toy->order[toy->computed] =
            (int64_t)(((size_t)task->kind * toy->v + task->chunk) * toy->m + task->micro_batch);
    if (++toy->computed == toy->fails_at)
        return VL_EIO;
    parts[task->kind](toy, task);
    return VL_OK;
}

/* ---- a case ---- */

/* An output filled with UNWRITTEN; NULL without memory. */
static float *unwritten(struct vl_bag *outputs, const char *name, size_t rows, size_t n)
{
    float *array = vl_bag_add_f32(outputs, name, rows, n);
    for (size_t i = 0; array != NULL && i < rows * n; i++)
        array[i] = UNWRITTEN;
    return array;
}

bool vl_pipe_toy_open(struct vl_pipe_toy *toy, struct vl_bag *outputs, const struct vl_bag *inputs)
{
    size_t v = vl_input_size(inputs, "chunks"), m = vl_input_size(inputs, "micro_batches"),
           n = vl_input_size(inputs, "n");
    int rank;
    MPI_Comm_rank(vl_case_comm(), &rank);
    *toy = (struct vl_pipe_toy){
        .stage = {vl_case_comm(), toy, message, compute},
        .p = vl_input_size(inputs, "stages"),
        .v = v,
        .m = m,
        .n = n,
        .rank = (size_t)rank,
        .memory = (int)vl_input_size(inputs, "memory"),
        .fails_at = vl_input_size(inputs, "fails_at"),
        .no_memory = vl_bag_int(inputs, "no_memory") != 0,
        .words = MPI_COMM_NULL,
        .c = vl_bag_f32(inputs, "c"),
        .first = vl_bag_f32(inputs, "first"),
        .target = vl_bag_f32(inputs, "target"),
        .x = unwritten(outputs, "x", v * m, n),
        .dy = unwritten(outputs, "dy", v * m, n),
        .y = vl_bag_add_f32(outputs, "y", v * m, n),
        .d = vl_bag_add_f32(outputs, "d", v * m, n),
        .gradient = vl_bag_add_f32(outputs, "gradients", v, n),
        .order = vl_filled_numbers(outputs, "order", 1, 3 * v * m, -1), /* nothing computed */
        .strange = vl_filled_numbers(outputs, "strange", 1, 1, 0),
    };
    toy->buffers = unwritten(outputs, "buffers", buffer_count(toy), n);
    if (vl_bag_int(inputs, "late"))
        MPI_Comm_dup(toy->stage.comm, &toy->words);
    now = toy;
    return toy->x && toy->dy && toy->y && toy->d && toy->gradient && toy->order && toy->strange &&
           toy->buffers;
}

void vl_pipe_toy_close(struct vl_pipe_toy *toy)
{
    for (size_t i = 0; toy->buffers != NULL && i < buffer_count(toy) * toy->n; i++)
        toy->buffers[i] = -UNWRITTEN;
    if (toy->words != MPI_COMM_NULL)
        MPI_Comm_free(&toy->words);
}
