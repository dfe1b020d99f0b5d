#include "grade/labs/07_pipeline_parallel/runner/pipe_toy.h"

#include "comm/beacon.h"
#include "comm/meter.h"
#include "comm/transfers.h"
#include "runner/arrays.h"
#include "runner/call.h"

#include <stdbool.h>
#include <string.h>

#define UNWRITTEN 7.0f              /* what buffers hold at first */
#define TOO_LONG  ((size_t)1 << 29) /* elements: above INT_MAX bytes */

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
    return toy->buffers + place * (toy->n + toy->more);
}

/* The numbers of a message come last in its buffer. */
static float *numbers_of(const struct vl_pipe_toy *toy, const struct vl_task *task, int leaves)
{
    return buffer_of(toy, task, leaves) + (task->kind == VL_TASK_BACKWARD ? toy->more : 0);
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

static bool are_equal(const struct vl_action *one, const struct vl_action *other)
{
    return one->kind == other->kind && one->task.kind == other->task.kind &&
           one->task.chunk == other->task.chunk &&
           one->task.micro_batch == other->task.micro_batch && one->peer == other->peer &&
           one->tag == other->tag;
}

static bool is_listed(const struct vl_pipe_toy *toy, const struct vl_action *action)
{
    for (size_t i = 0; i < toy->action_count; i++)
        if (are_equal(&toy->actions[i], action))
            return true;
    return false;
}

/* Wait for the word of the first stage, or of the last one. */
static void hear(struct vl_pipe_toy *toy, int last)
{
    char word;
    size_t from = last ? toy->p - 1 : 0;
    if (toy->late && toy->rank != from && !toy->has_heard[last])
        MPI_Recv(&word, 1, MPI_CHAR, (int)from, 0, toy->words, MPI_STATUS_IGNORE);
    toy->has_heard[last] = 1;
}

static void tell(const struct vl_pipe_toy *toy)
{
    char word = 0;
    for (size_t other = 0; toy->late && other < toy->p; other++)
        if (other != toy->rank)
            MPI_Send(&word, 1, MPI_CHAR, (int)other, 0, toy->words);
}

/* Late: no later stage begins before the first has done all its forwards, and none takes a gradient
 * before the last has done all its tasks. So nobody may wait for a send before that. */
static void come_late(struct vl_pipe_toy *toy, const struct vl_action *action)
{
    hear(toy, 0);
    if (action->kind == VL_ACTION_RECEIVE && action->task.kind == VL_TASK_BACKWARD)
        hear(toy, 1);
}

static bool has_memory(const struct vl_pipe_toy *toy, const struct vl_action *action)
{
    return !toy->has_failed && (!toy->no_memory || (action->kind == VL_ACTION_SEND &&
                                                    action->task.kind == VL_TASK_FORWARD &&
                                                    action->task.micro_batch == 0));
}

static enum vl_status message(void *context, const struct vl_action *action, float **values,
                              size_t *count)
{
    static float nowhere;
    struct vl_pipe_toy *toy = now;
    const bool exists = action != NULL && is_message(toy, action);
    *toy->strange += context != toy || !exists || (toy->listed && !is_listed(toy, action));
    *count = 0;
    *values = &nowhere;
    if (!exists)
        return VL_OK;
    come_late(toy, action);
    if (!has_memory(toy, action)) {
        toy->has_failed = 1;
        return VL_ENOMEM;
    }
    *count =
        toy->too_long ? TOO_LONG : toy->n + (action->task.kind == VL_TASK_BACKWARD ? toy->more : 0);
    if (*count > 0)
        *values = buffer_of(toy, &action->task, action->kind == VL_ACTION_SEND);
    else if (!toy->one_place)
        *values = NULL;
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
    return numbers_of(toy, &made, toy->p == 1); /* where it left, if there is one stage alone */
}

/* The output of a task also goes into its message, if it has one. */
static void leave(const struct vl_pipe_toy *toy, const struct vl_task *task, const float *values)
{
    const struct vl_action action = {.kind = VL_ACTION_SEND, .task = *task};
    if (is_message(toy, &action))
        memcpy(numbers_of(toy, task, 1), values, toy->n * sizeof *values);
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
    if (++toy->forwards == toy->v * toy->m && toy->rank == 0)
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

/* Late: the sends of the last stage are under way until it has done everything. Has MPI been called
 * since its latest task, so that they move? */
static void look_for_polls(const struct vl_pipe_toy *toy)
{
    if (toy->late && toy->rank == toy->p - 1 && vl_beacon_mine()->transfers_open > 0)
        *toy->unpolled += vl_meter_now()->total.calls == toy->calls;
}

static enum vl_status compute(void *context, const struct vl_task *task)
{
    static part_fn *const parts[] = {forward, backward, weight};
    struct vl_pipe_toy *toy = now;
    const size_t all = 3 * toy->v * toy->m;
    *toy->strange += context != toy;
    if (task == NULL || task->kind > VL_TASK_WEIGHT || task->chunk >= toy->v ||
        task->micro_batch >= toy->m)
        return VL_EINVAL;
    look_for_polls(toy);
    if (toy->computed < all)
        toy->order[toy->computed] =
            (int64_t)(((size_t)task->kind * toy->v + task->chunk) * toy->m + task->micro_batch);
    toy->has_failed |= ++toy->computed == toy->fails_at;
    if (toy->has_failed)
        return VL_EIO;
    parts[task->kind](toy, task);
    if (toy->computed == all && toy->rank == toy->p - 1)
        tell(toy);
    toy->calls = vl_meter_now()->total.calls;
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
           n = vl_input_size(inputs, "n"), more = vl_input_size(inputs, "more");
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
        .more = more,
        .fails_at = vl_input_size(inputs, "fails_at"),
        .no_memory = vl_bag_int(inputs, "no_memory") != 0,
        .too_long = vl_bag_int(inputs, "too_long") != 0,
        .one_place = vl_bag_int(inputs, "one_place") != 0,
        .listed = vl_bag_int(inputs, "listed") != 0,
        .late = vl_bag_int(inputs, "late") != 0,
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
        .unpolled = vl_filled_numbers(outputs, "unpolled", 1, 1, 0),
    };
    toy->buffers = unwritten(outputs, "buffers", buffer_count(toy), n + more);
    if (toy->late || toy->no_memory)
        MPI_Comm_dup(toy->stage.comm, &toy->words);
    now = toy;
    return toy->x && toy->dy && toy->y && toy->d && toy->gradient && toy->order && toy->strange &&
           toy->unpolled && toy->buffers;
}

void vl_pipe_toy_clear(const struct vl_pipe_toy *toy, enum vl_status status)
{
    const int bytes = (int)(toy->v * toy->m * toy->n * sizeof *toy->y);
    uint64_t sent = vl_meter_now()->total.sent_messages,
             received = vl_meter_now()->total.received_messages;
    vl_beacon_end(status); /* the submission's part is over: nobody shall wait for this stage */
    if (toy->rank == 0) {
        vl_meter_collective(sizeof sent, 2);
        PMPI_Send(&sent, 1, MPI_UINT64_T, 1, 0, toy->words);
    } else {
        PMPI_Recv(&sent, 1, MPI_UINT64_T, 0, 0, toy->words, MPI_STATUS_IGNORE);
        for (; received < sent; received++)
            MPI_Recv(toy->y, bytes, MPI_BYTE, 0, MPI_ANY_TAG, toy->stage.comm, MPI_STATUS_IGNORE);
    }
    vl_transfers_finish_open();
}

void vl_pipe_toy_close(struct vl_pipe_toy *toy)
{
    for (size_t i = 0; toy->buffers != NULL && i < buffer_count(toy) * (toy->n + toy->more); i++)
        toy->buffers[i] = -UNWRITTEN;
    if (toy->words != MPI_COMM_NULL)
        MPI_Comm_free(&toy->words);
}
