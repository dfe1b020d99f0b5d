/*
 * Lab 07, finished: a stage goes through its actions.
 */
#include "vialata/pipeline.h"

struct under_way {
    struct vl_stage_send *sends;
    size_t count;
};

/* Sends that read this memory; NULL: all of them. The others close up. */
static enum vl_status finish_sends(struct under_way *under_way, const float *values)
{
    size_t left = 0;
    enum vl_status status = VL_OK;
    for (size_t i = 0; i < under_way->count; i++) {
        struct vl_stage_send *send = &under_way->sends[i];
        if (status == VL_OK && (values == NULL || send->values == values))
            status = vl_transfer_finish(send->transfer);
        else
            under_way->sends[left++] = *send;
    }
    under_way->count = left;
    return status;
}

static enum vl_status start_send(struct under_way *under_way, const struct vl_stage *stage,
                                 const struct vl_action *action)
{
    struct vl_stage_send *send = &under_way->sends[under_way->count];
    float *values;
    size_t count;
    enum vl_status status = stage->message(stage->context, &action->task, &values, &count);
    if (status == VL_OK)
        status = vl_send_start(&send->transfer, stage->comm, values, count * sizeof *values,
                               action->peer, action->tag);
    if (status != VL_OK)
        return status;
    send->values = values;
    under_way->count++;
    return VL_OK;
}

static enum vl_status receive(const struct vl_stage *stage, const struct vl_action *action)
{
    struct vl_transfer *transfer = NULL;
    float *values;
    size_t count;
    enum vl_status status = stage->message(stage->context, &action->task, &values, &count);
    if (status == VL_OK)
        status = vl_receive_start(&transfer, stage->comm, values, count * sizeof *values,
                                  action->peer, action->tag);
    return status == VL_OK ? vl_transfer_finish(transfer) : status;
}

static int is_sent(const struct vl_action *action, const struct vl_action *end)
{
    return action + 1 < end && action[1].kind == VL_ACTION_SEND;
}

static enum vl_status compute(const struct vl_stage *stage, struct under_way *under_way,
                              const struct vl_action *action, const struct vl_action *end)
{
    if (is_sent(action, end)) {
        float *values;
        size_t count;
        enum vl_status status = stage->message(stage->context, &action->task, &values, &count);
        if (status == VL_OK)
            status = finish_sends(under_way, values);
        if (status != VL_OK)
            return status;
    }
    return stage->compute(stage->context, &action->task);
}

/* Sends under way are driven on between actions: Open MPI moves messages only while called. */
static enum vl_status drive(const struct under_way *under_way)
{
    int done;
    enum vl_status status = VL_OK;
    for (size_t i = 0; i < under_way->count && status == VL_OK; i++)
        status = vl_transfer_poll(under_way->sends[i].transfer, &done);
    return status;
}

enum vl_status vl_stage_run(const struct vl_stage *stage, const struct vl_action *actions,
                            size_t count, struct vl_stage_send *sends)
{
    if (stage == NULL || (count > 0 && (actions == NULL || sends == NULL)))
        return VL_EINVAL;
    struct under_way under_way = {.sends = sends};
    const struct vl_action *end = actions + count;
    for (const struct vl_action *action = actions; action < end; action++) {
        enum vl_status status = VL_EINVAL;
        if (action->kind == VL_ACTION_SEND)
            status = start_send(&under_way, stage, action);
        else if (action->kind == VL_ACTION_RECEIVE)
            status = receive(stage, action);
        else if (action->kind == VL_ACTION_COMPUTE)
            status = compute(stage, &under_way, action, end);
        if (status == VL_OK)
            status = drive(&under_way);
        if (status != VL_OK)
            return status;
    }
    return finish_sends(&under_way, NULL);
}
