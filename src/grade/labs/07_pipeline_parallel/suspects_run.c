/*
 * Known wrong answers of lab 07: lists of actions, what a run finds in the memory of messages, and
 * what it sends.
 */
#include "base/text.h"
#include "grade/catalogue/mistake.h"
#include "grade/labs/07_pipeline_parallel/pipeline_parallel.h"

#include <stdlib.h>

/* ---- actions ---- */

enum list_mistake {
    RECEIVES_FIRST, /* all of them, before anything is computed */
    RECEIVE_BEHIND, /* the computing that needs it */
    SENDS_LAST,
    SEND_AHEAD, /* of the computing that makes it */
    NO_GRADIENTS,
    NO_WRAP, /* nothing between the last stage and the first */
    ENDS_WRAP,
    OWN_TASK /* a receive is named by the task that needs it */
};

struct list {
    struct vl_pipe_action *actions;
    size_t count;
};

static void put(struct list *list, enum vl_pipe_action_kind kind, struct vl_oracle_task task,
                int peer)
{
    list->actions[list->count++] = (struct vl_pipe_action){kind, task, peer};
}

/* Where the message of a task comes from (way -1) or goes (way 1), if this mistake sees one. */
static int peer_of(struct vl_oracle_task *other, const struct vl_pipe *pipe, size_t stage,
                   const struct vl_oracle_task *task, int way, enum list_mistake mistake)
{
    size_t p = pipe->size.stages;
    int peer = vl_oracle_peer(other, &pipe->size, stage, task, way);
    int up = (task->pass == VL_ORACLE_FORWARD) == (way > 0);
    int wraps = up ? stage == p - 1 : stage == 0;
    if ((mistake == NO_GRADIENTS && task->pass == VL_ORACLE_BACKWARD) ||
        (mistake == NO_WRAP && wraps && p > 2))
        return -1;
    if (mistake == ENDS_WRAP && peer < 0 && wraps && p > 1 && task->pass != VL_ORACLE_WEIGHT) {
        *other = *task;
        other->chunk = up ? 0 : pipe->size.chunks - 1;
        return up ? 0 : (int)p - 1;
    }
    if (peer >= 0 && mistake == OWN_TASK)
        *other = *task;
    return peer;
}

static void list_task(struct list *list, const struct vl_pipe *pipe, size_t stage,
                      const struct vl_oracle_task *task, enum list_mistake mistake)
{
    struct vl_oracle_task source = *task, target;
    int from = peer_of(&source, pipe, stage, task, -1, mistake),
        to = peer_of(&target, pipe, stage, task, 1, mistake);
    if (from >= 0 && mistake != RECEIVES_FIRST && mistake != RECEIVE_BEHIND)
        put(list, VL_PIPE_RECEIVE, source, from);
    if (to >= 0 && mistake == SEND_AHEAD)
        put(list, VL_PIPE_SEND, *task, to);
    put(list, VL_PIPE_COMPUTE, *task, -1);
    if (from >= 0 && mistake == RECEIVE_BEHIND)
        put(list, VL_PIPE_RECEIVE, source, from);
    if (to >= 0 && mistake != SEND_AHEAD && mistake != SENDS_LAST)
        put(list, VL_PIPE_SEND, *task, to);
}

/* The messages of one direction that this mistake puts together: receives in front, sends last. */
static void list_together(struct list *list, const struct vl_pipe *pipe, size_t stage,
                          const struct vl_oracle_task *row, enum list_mistake mistake)
{
    for (size_t i = 0; i < pipe->width; i++) {
        struct vl_oracle_task other;
        int peer =
            vl_oracle_peer(&other, &pipe->size, stage, &row[i], mistake == RECEIVES_FIRST ? -1 : 1);
        if (peer >= 0 && mistake == RECEIVES_FIRST)
            put(list, VL_PIPE_RECEIVE, other, peer);
        else if (peer >= 0)
            put(list, VL_PIPE_SEND, row[i], peer);
    }
}

static void put_stage(int64_t *table, const struct list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct vl_pipe_action *a = &list->actions[i];
        *table++ = (int64_t)a->kind;
        *table++ = (int64_t)a->task.pass;
        *table++ = (int64_t)a->task.chunk;
        *table++ = (int64_t)a->task.micro_batch;
        *table++ = a->peer;
    }
}

static enum vl_status list(struct vl_bag *wrong, const struct vl_bag *inputs,
                           enum list_mistake mistake)
{
    struct vl_pipe pipe = vl_pipe_read(inputs);
    size_t p = pipe.size.stages;
    if (vl_bag_int(inputs, "short"))
        return VL_OK; /* a part of a list says little */
    struct vl_oracle_task *rows = calloc(p * pipe.width + 1, sizeof *rows);
    struct list all = {calloc(pipe.most + 1, sizeof *all.actions), 0};
    int64_t *table = vl_pipe_table(wrong, "actions", p * pipe.most, 5, -1),
            *counts = vl_pipe_table(wrong, "counts", 1, p, 0);
    int kept = rows != NULL && all.actions != NULL && table != NULL && counts != NULL;
    if (kept)
        vl_pipe_rows_read(rows, vl_bag_i32(inputs, "rows"), p * pipe.width);
    for (size_t stage = 0; kept && stage < p; stage++) {
        const struct vl_oracle_task *row = &rows[stage * pipe.width];
        all.count = 0;
        if (mistake == RECEIVES_FIRST)
            list_together(&all, &pipe, stage, row, mistake);
        for (size_t i = 0; i < pipe.width; i++)
            list_task(&all, &pipe, stage, &row[i], mistake);
        if (mistake == SENDS_LAST)
            list_together(&all, &pipe, stage, row, mistake);
        counts[stage] = (int64_t)all.count;
        put_stage(&table[5 * stage * pipe.most], &all);
    }
    free(rows);
    free(all.actions);
    return kept ? VL_OK : VL_ENOMEM;
}

MISTAKE(list, RECEIVES_FIRST)
MISTAKE(list, RECEIVE_BEHIND)
MISTAKE(list, SENDS_LAST)
MISTAKE(list, SEND_AHEAD)
MISTAKE(list, NO_GRADIENTS)
MISTAKE(list, NO_WRAP)
MISTAKE(list, ENDS_WRAP)
MISTAKE(list, OWN_TASK)

const struct vl_suspect vl_suspects_pipe_actions[] = {
    {"receives_first",
     N_("All receives come before anything is computed: two stages that wait for each other's "
        "outputs wait for ever. Each stands right before the computing that needs it."),
     list_RECEIVES_FIRST},
    {"receive_too_late", N_("A receive stands behind the computing that needs its data."),
     list_RECEIVE_BEHIND},
    {"sends_last",
     N_("All sends come last: the other stages would wait until this one has done everything. "
        "Each stands right behind the computing that made it."),
     list_SENDS_LAST},
    {"send_too_early", N_("A send stands before the computing that makes its data."),
     list_SEND_AHEAD},
    {"gradients_missing",
     N_("Outputs of backward tasks are not sent: the stage before needs them for its own."),
     list_NO_GRADIENTS},
    {"wrap_missing",
     N_("Nothing goes from the last stage to the first: with more than one chunk the next chunk's "
        "virtual stage is there, and gradients come back the same way."),
     list_NO_WRAP},
    {"ends_wrap",
     N_("The last virtual stage sends its output on, or the first waits for one: there the "
        "pipeline ends."),
     list_ENDS_WRAP},
    {"own_task_named",
     N_("A receive names the task that needs the data: a message is named by the task that made "
        "it, which has another chunk where it comes from the other end."),
     list_OWN_TASK},
    NO_MORE_SUSPECTS};

/* ---- a run ---- */

static enum vl_status replay(struct vl_bag *wrong, const struct vl_bag *inputs,
                             enum vl_pipe_mistake mistake)
{
    if (vl_bag_find(inputs, "n") == NULL || vl_bag_int(inputs, "no_memory") ||
        vl_bag_int(inputs, "fails_at"))
        return VL_OK;
    return vl_pipe_replay(wrong, inputs, mistake);
}

MISTAKE(replay, VL_PIPE_NOT_THERE)
MISTAKE(replay, VL_PIPE_QUARTER)
MISTAKE(replay, VL_PIPE_NOT_FIRST)

#define FINISH_IT                                                                                  \
    N_("A task was computed with what lay in the memory before its message: a receive is "         \
       "finished before the next action.")

const struct vl_suspect vl_suspects_pipe_run[] = {
    {"not_received", FINISH_IT, replay_VL_PIPE_NOT_THERE},
    {"bytes_forgotten",
     N_("Only a quarter of each message travels: 'message' counts elements, a transfer counts "
        "bytes."),
     replay_VL_PIPE_QUARTER},
    {"first_only", N_("Only the first element of each message travels."), replay_VL_PIPE_NOT_FIRST},
    NO_MORE_SUSPECTS};

/* ---- what is sent ---- */

static enum vl_status scaled(struct vl_bag *wrong, const struct vl_bag *expected, int64_t times,
                             int64_t over, int messages)
{
    for (size_t i = 0; i < vl_bag_count(expected); i++) {
        const struct vl_tensor_entry *entry = vl_bag_entry(expected, i);
        int64_t value = vl_bag_int(expected, entry->name);
        char bare[VL_RANKED_NAME];
        vl_split_name(bare, entry->name);
        int counts = bare[sizeof "sent_" - 1] == 'm' || bare[sizeof "received_" - 1] == 'm';
        if (!vl_bag_set_int(wrong, entry->name, counts && !messages ? value : value * times / over))
            return VL_ENOMEM;
    }
    return VL_OK;
}

static enum vl_status quarter(struct vl_bag *wrong, const struct vl_bag *inputs,
                              const struct vl_bag *expected)
{
    (void)inputs;
    return scaled(wrong, expected, 1, 4, 0);
}

static enum vl_status twice(struct vl_bag *wrong, const struct vl_bag *inputs,
                            const struct vl_bag *expected)
{
    (void)inputs;
    return scaled(wrong, expected, 2, 1, 1);
}

const struct vl_suspect vl_suspects_pipe_traffic[] = {
    {"bytes_forgotten",
     N_("A quarter of the bytes travels: 'message' counts elements, a transfer counts bytes."),
     quarter},
    {"sent_twice", N_("Everything is sent twice."), twice},
    NO_MORE_SUSPECTS};
