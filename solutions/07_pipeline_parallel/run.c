/*
 * Lab 07, station 4: a stage goes through its actions.
 *
 * Sends are under way while the stage computes. They are finished in two places: before the memory
 * that they read is written again, and at the end.
 */
#include "vialata/pipeline.h"

struct under_way {
    struct vl_stage_send *sends;
    size_t count;
};

/* What a message carries, for this action. */
struct message {
    float *values; /* NULL if it is empty: nobody waits for its memory */
    size_t count;
};

static enum vl_status find_message(struct message *message, const struct vl_stage *stage,
                                   const struct vl_action *action)
{
    enum vl_status status =
        stage->message(stage->context, action, &message->values, &message->count);
    if (status == VL_OK && message->count == 0)
        message->values = NULL;
    return status;
}

/* Finish the sends that read this memory, and remove them from the list. */
static enum vl_status finish_sends(struct under_way *under_way, const float *values)
{
    size_t left = 0;
    enum vl_status status = VL_OK;
    for (size_t i = 0; i < under_way->count; i++) {
        struct vl_stage_send *send = &under_way->sends[i];
        if (status == VL_OK && values != NULL && send->values == values)
            status = vl_transfer_finish(send->transfer);
        else
            under_way->sends[left++] = *send;
    }
    under_way->count = left;
    return status;
}

static enum vl_status finish_all(const struct under_way *under_way)
{
    enum vl_status status = VL_OK;
    for (size_t i = 0; i < under_way->count && status == VL_OK; i++)
        status = vl_transfer_finish(under_way->sends[i].transfer);
    return status;
}

/* Polled between actions: Open MPI moves messages only while it is called. */
static enum vl_status poll_all(const struct under_way *under_way)
{
    int done;
    enum vl_status status = VL_OK;
    for (size_t i = 0; i < under_way->count && status == VL_OK; i++)
        status = vl_transfer_poll(under_way->sends[i].transfer, &done);
    return status;
}

static enum vl_status start_send(struct under_way *under_way, const struct vl_stage *stage,
                                 const struct vl_action *action)
{
    struct vl_stage_send *send = &under_way->sends[under_way->count];
    struct message message;
    enum vl_status status = find_message(&message, stage, action);
    if (status == VL_OK)
        status = vl_send_start(&send->transfer, stage->comm, message.values,
                               message.count * sizeof *message.values, action->peer, action->tag);
    if (status != VL_OK)
        return status;
    send->values = message.values;
    under_way->count++;
    return VL_OK;
}

static enum vl_status receive(struct under_way *under_way, const struct vl_stage *stage,
                              const struct vl_action *action)
{
    struct vl_transfer *transfer = NULL;
    struct message message;
    enum vl_status status = find_message(&message, stage, action);
    if (status == VL_OK)
        status = finish_sends(under_way, message.values);
    if (status == VL_OK)
        status =
            vl_receive_start(&transfer, stage->comm, message.values,
                             message.count * sizeof *message.values, action->peer, action->tag);
    return status == VL_OK ? vl_transfer_finish(transfer) : status;
}

static enum vl_status compute(struct under_way *under_way, const struct vl_stage *stage,
                              const struct vl_action *action, int is_sent)
{
    struct message message;
    enum vl_status status = is_sent ? find_message(&message, stage, action + 1) : VL_OK;
    if (status == VL_OK && is_sent)
        status = finish_sends(under_way, message.values);
    return status == VL_OK ? stage->compute(stage->context, &action->task) : status;
}

enum vl_status vl_stage_run(const struct vl_stage *stage, const struct vl_action *actions,
                            size_t count, struct vl_stage_send *sends)
{
    if (stage == NULL || (count > 0 && (actions == NULL || sends == NULL)))
        return VL_EINVAL;
    struct under_way under_way = {.sends = sends};
    for (size_t i = 0; i < count; i++) {
        const struct vl_action *action = &actions[i];
        int is_sent = i + 1 < count && action[1].kind == VL_ACTION_SEND;
        enum vl_status status = VL_EINVAL;
        if (action->kind == VL_ACTION_SEND)
            status = start_send(&under_way, stage, action);
        else if (action->kind == VL_ACTION_RECEIVE)
            status = receive(&under_way, stage, action);
        else if (action->kind == VL_ACTION_COMPUTE)
            status = compute(&under_way, stage, action, is_sent);
        if (status == VL_OK)
            status = poll_all(&under_way);
        if (status != VL_OK)
            return status;
    }
    return finish_all(&under_way);
}
