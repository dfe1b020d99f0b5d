/*
 * Lab 07, station 3: from an order to messages. Only the two ends of a message know of it. Each
 * works out peer and tag from the schedule alone; they match since both use the task that made it.
 */
#include "vialata/schedule.h"

struct list {
    struct vl_action *actions;
    size_t count, capacity;
};

static void append(struct list *list, struct vl_action action)
{
    if (list->count < list->capacity)
        list->actions[list->count] = action;
    list->count++;
}

/* One message: the output of 'task', to or from 'peer'. Nothing is sent within a stage. */
static enum vl_status append_message(struct list *list, const struct vl_schedule *schedule,
                                     enum vl_action_kind kind, struct vl_task task, size_t stage,
                                     size_t peer)
{
    if (peer == stage)
        return VL_OK;
    struct vl_action action = {.kind = kind, .task = task, .peer = (int)peer};
    enum vl_status status = vl_schedule_tag(&action.tag, schedule, &task);
    if (status == VL_OK)
        append(list, action);
    return status;
}

/* What a task waits for comes from the virtual stage before (forward) or after it (backward). */
static enum vl_status append_receive(struct list *list, const struct vl_schedule *schedule,
                                     size_t stage, struct vl_task task)
{
    size_t p = schedule->stages, k = task.chunk * p + stage;
    size_t end = task.kind == VL_TASK_FORWARD ? 0 : p * schedule->chunks - 1;
    if (task.kind == VL_TASK_WEIGHT || k == end)
        return VL_OK;
    size_t from = task.kind == VL_TASK_FORWARD ? k - 1 : k + 1;
    task.chunk = (uint32_t)(from / p); /* the sender's chunk: its task names the message */
    return append_message(list, schedule, VL_ACTION_RECEIVE, task, stage, from % p);
}

static enum vl_status append_send(struct list *list, const struct vl_schedule *schedule,
                                  size_t stage, struct vl_task task)
{
    size_t p = schedule->stages, k = task.chunk * p + stage;
    size_t end = task.kind == VL_TASK_FORWARD ? p * schedule->chunks - 1 : 0;
    if (task.kind == VL_TASK_WEIGHT || k == end)
        return VL_OK;
    size_t to = task.kind == VL_TASK_FORWARD ? k + 1 : k - 1;
    return append_message(list, schedule, VL_ACTION_SEND, task, stage, to % p);
}

static int is_task(const struct vl_schedule *schedule, const struct vl_task *task)
{
    return (task->kind == VL_TASK_FORWARD || task->kind == VL_TASK_BACKWARD ||
            task->kind == VL_TASK_WEIGHT) &&
           task->chunk < schedule->chunks && task->micro_batch < schedule->micro_batches;
}

enum vl_status vl_schedule_actions(struct vl_action *actions, size_t *count, size_t capacity,
                                   const struct vl_schedule *schedule, size_t stage)
{
    if (count == NULL || (actions == NULL && capacity > 0) || schedule == NULL ||
        schedule->tasks == NULL || stage >= schedule->stages)
        return VL_EINVAL;
    size_t width = 3 * schedule->chunks * schedule->micro_batches;
    struct list list = {.actions = actions, .capacity = capacity};
    for (const struct vl_task *task = &schedule->tasks[stage * width], *end = task + width;
         task < end; task++) {
        if (!is_task(schedule, task))
            return VL_EINVAL;
        enum vl_status status = append_receive(&list, schedule, stage, *task);
        if (status != VL_OK)
            return status;
        append(&list, (struct vl_action){.kind = VL_ACTION_COMPUTE, .task = *task});
        status = append_send(&list, schedule, stage, *task);
        if (status != VL_OK)
            return status;
    }
    *count = list.count;
    return list.count <= capacity ? VL_OK : VL_ENOMEM;
}
