/*
 * Calls of lab 07: schedules into empty slots, actions of all stages, a stage at work on the toy,
 * and the figures on paper.
 *
 * Names of the inputs are described in pipeline_parallel.h.
 */
#include "grade/labs/07_pipeline_parallel/runner/pipe_toy.h"
#include "runner/arrays.h"
#include "runner/call.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(struct vl_task) == 3 * sizeof(int32_t), "a task is three numbers");
_Static_assert(sizeof(struct vl_action) == 6 * sizeof(int32_t), "an action is six numbers");

/* Whole numbers as outputs, -1 where nothing will be written. */
#define NUMBERS(name, rows, cols) vl_filled_numbers(outputs, name, rows, cols, -1)

/* ---- schedules ---- */

typedef enum vl_status schedule_fn(struct vl_schedule *schedule);

static schedule_fn *const orders[] = {vl_schedule_afab, vl_schedule_1f1b, vl_schedule_interleaved,
                                      vl_schedule_zb_h1};

static struct vl_schedule sizes_of(const struct vl_bag *inputs, struct vl_task *tasks)
{
    return (struct vl_schedule){vl_input_size(inputs, "stages"), vl_input_size(inputs, "chunks"),
                                vl_input_size(inputs, "micro_batches"), tasks};
}

static size_t task_count(const struct vl_bag *inputs)
{
    return vl_input_size(inputs, "stages") * 3 * vl_input_size(inputs, "chunks") *
           vl_input_size(inputs, "micro_batches");
}

/* Slots between guards, all of them empty. */
static struct vl_task *empty_slots(struct vl_bag *outputs, const char *name, size_t count)
{
    struct vl_task *tasks = (struct vl_task *)vl_bag_add_i32(outputs, name, count, 3);
    for (size_t i = 0; tasks != NULL && i < count; i++)
        tasks[i] = (struct vl_task){.kind = VL_TASK_NONE};
    return tasks;
}

static enum vl_status refused(schedule_fn *make, const struct vl_schedule *sizes)
{
    struct vl_schedule no_stage = *sizes, no_chunk = *sizes, no_micro_batch = *sizes;
    no_stage.stages = 0;
    no_chunk.chunks = 0;
    no_micro_batch.micro_batches = 0;
    return vl_first_unrefused(make(&no_stage), make(&no_chunk), make(&no_micro_batch));
}

static VL_CALL(schedule)
{
    size_t count = task_count(inputs);
    schedule_fn *make = orders[vl_input_size(inputs, "order")];
    struct vl_task *slots = empty_slots(outputs, "slots", count);
    int64_t *tasks = NUMBERS("tasks", count, 3);
    if (slots == NULL || tasks == NULL)
        return VL_EINTERNAL;
    struct vl_schedule schedule = sizes_of(inputs, slots);
    if (vl_input_size(inputs, "bad"))
        return refused(make, &schedule);
    enum vl_status status = make(&schedule);
    for (size_t i = 0; i < count; i++) {
        tasks[3 * i] = (int64_t)slots[i].kind;
        tasks[3 * i + 1] = slots[i].chunk;
        tasks[3 * i + 2] = slots[i].micro_batch;
    }
    return status;
}

static VL_CALL(schedule_tag)
{
    struct vl_schedule schedule = sizes_of(inputs, NULL);
    size_t v = schedule.chunks, m = schedule.micro_batches;
    int64_t *tags = NUMBERS("tags", 2 * v, m);
    int tag = -1;
    enum vl_status status = tags != NULL ? VL_OK : VL_EINTERNAL;
    if (vl_input_size(inputs, "bad")) {
        struct vl_schedule many = {schedule.stages, v, 20000, NULL};
        const struct vl_task weight = {VL_TASK_WEIGHT, 0, 0},
                             beyond = {VL_TASK_BACKWARD, (uint32_t)v - 1, 19999};
        return vl_first_unrefused(vl_schedule_tag(&tag, &schedule, &weight),
                                  vl_schedule_tag(&tag, &many, &beyond));
    }
    for (size_t i = 0; status == VL_OK && i < 2 * v * m; i++) {
        const struct vl_task task = {i < v * m ? VL_TASK_FORWARD : VL_TASK_BACKWARD,
                                     (uint32_t)(i / m % v), (uint32_t)(i % m)};
        status = vl_schedule_tag(&tag, &schedule, &task);
        tags[i] = tag;
    }
    return status;
}

/* ---- actions ---- */

/* No such stage, and then a last task that is not one: its chunk, its micro-batch or its kind. */
static enum vl_status refused_actions(struct vl_schedule *schedule, struct vl_action *actions,
                                      size_t room)
{
    size_t count = 0, last = 3 * schedule->chunks * schedule->micro_batches - 1;
    const struct vl_task kept = schedule->tasks[last];
    struct vl_task wrong[] = {kept, kept, kept};
    enum vl_status status = vl_schedule_actions(actions, &count, room, schedule, schedule->stages);
    wrong[0].chunk = (uint32_t)schedule->chunks;
    wrong[1].micro_batch = (uint32_t)schedule->micro_batches;
    wrong[2].kind = VL_TASK_NONE;
    for (size_t i = 0; status == VL_EINVAL && i < 3; i++) {
        schedule->tasks[last] = wrong[i];
        status = vl_schedule_actions(actions, &count, room, schedule, 0);
    }
    return status;
}

/* What all stages answer; a stage has 'most' rows. */
struct lists {
    int64_t *table, *tags, *counts, *statuses;
    size_t most;
};

static void put_actions(const struct lists *lists, size_t stage, const struct vl_action *actions,
                        size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct vl_action *a = &actions[i];
        int is_message = a->kind != VL_ACTION_COMPUTE;
        const int64_t row[] = {(int64_t)a->kind, (int64_t)a->task.kind, a->task.chunk,
                               a->task.micro_batch, is_message ? a->peer : -1};
        memcpy(&lists->table[5 * (stage * lists->most + i)], row, sizeof row);
        lists->tags[stage * lists->most + i] = is_message ? a->tag : -1;
    }
}

/* One stage: its list lies between guards. */
static enum vl_status call_stage(struct vl_bag *outputs, const struct lists *lists,
                                 const struct vl_schedule *schedule, size_t stage, size_t room)
{
    char name[32];
    snprintf(name, sizeof name, "list%zu", stage);
    struct vl_action *list = (struct vl_action *)vl_bag_add_i32(outputs, name, room, 6);
    size_t count = SIZE_MAX;
    if (list == NULL)
        return VL_EINTERNAL;
    memset(list, 0xff, room * sizeof *list);
    enum vl_status status = vl_schedule_actions(list, &count, room, schedule, stage);
    lists->statuses[stage] = status;
    lists->counts[stage] = count <= INT64_MAX ? (int64_t)count : -1;
    put_actions(lists, stage, list, count < room ? count : room);
    return status;
}

static VL_CALL(schedule_actions)
{
    size_t all = task_count(inputs), p = vl_input_size(inputs, "stages"), most = 3 * (all / p);
    const int32_t *rows = vl_bag_i32(inputs, "rows"), *rooms = vl_bag_i32(inputs, "rooms");
    const struct lists lists = {NUMBERS("actions", p * most, 5), NUMBERS("tags", p, most),
                                NUMBERS("counts", 1, p), NUMBERS("statuses", 1, p), most};
    struct vl_task *tasks = empty_slots(outputs, "tasks", all);
    struct vl_action *actions = calloc(most, sizeof *actions);
    struct vl_schedule schedule = sizes_of(inputs, tasks);
    enum vl_status status = VL_OK;
    if (!lists.table || !lists.tags || !lists.counts || !lists.statuses || !tasks || !actions) {
        free(actions);
        return VL_EINTERNAL;
    }
    memcpy(tasks, rows, all * sizeof *tasks);
    if (vl_input_size(inputs, "bad"))
        status = refused_actions(&schedule, actions, most);
    for (size_t stage = 0; !vl_input_size(inputs, "bad") && status == VL_OK && stage < p; stage++) {
        status = call_stage(outputs, &lists, &schedule, stage, (size_t)rooms[stage]);
        if (status == VL_ENOMEM && vl_input_size(inputs, "short"))
            status = VL_OK; /* 'statuses' says which */
    }
    free(actions);
    return status;
}

/* ---- a stage at work ---- */

/* The sends have memory between guards; what is in it has no meaning. */
static enum vl_status run(struct vl_pipe_toy *toy, struct vl_bag *outputs,
                          const struct vl_action *actions, size_t count)
{
    _Static_assert(sizeof(struct vl_stage_send) == 2 * sizeof(int64_t), "a send is two numbers");
    struct vl_stage_send *sends =
        (struct vl_stage_send *)vl_unwritten_numbers(outputs, "sends", count, 2);
    if (sends == NULL)
        return VL_EINTERNAL;
    enum vl_status status = vl_stage_run(&toy->stage, actions, count, sends);
    vl_pipe_toy_leave(toy);
    memset(sends, 0, count * sizeof *sends);
    return status;
}

static VL_CALL(stage_run)
{
    struct vl_pipe_toy toy;
    int64_t *returned = NUMBERS("returned", 1, 1);
    const int32_t *begin = vl_bag_i32(inputs, "begin"), *table = vl_bag_i32(inputs, "actions");
    enum vl_status status = VL_EINTERNAL;
    if (vl_pipe_toy_open(&toy, outputs, inputs) && returned != NULL) {
        const struct vl_action *actions = (const struct vl_action *)table + begin[toy.rank];
        status = run(&toy, outputs, actions, (size_t)(begin[toy.rank + 1] - begin[toy.rank]));
        *returned = status;
    }
    vl_pipe_toy_close(&toy);
    return status == VL_TODO || status == VL_EMISSING ? status : VL_OK;
}

/* The schedule, its actions and the run are all the submission's. */
static VL_CALL(whole_pipeline)
{
    struct vl_pipe_toy toy;
    size_t all = task_count(inputs), most = 3 * (all / vl_input_size(inputs, "stages")), count = 0;
    struct vl_task *tasks = empty_slots(outputs, "tasks", all);
    struct vl_action *actions = calloc(most, sizeof *actions);
    struct vl_schedule schedule = sizes_of(inputs, tasks);
    enum vl_status status = VL_EINTERNAL;
    if (vl_pipe_toy_open(&toy, outputs, inputs) && tasks != NULL && actions != NULL)
        status = orders[vl_input_size(inputs, "order")](&schedule);
    if (status == VL_OK)
        status = vl_schedule_actions(actions, &count, most, &schedule, toy.rank);
    if (status == VL_OK && count <= most)
        status = run(&toy, outputs, actions, count);
    vl_pipe_toy_close(&toy);
    free(actions);
    return status;
}

/* ---- on paper ---- */

static size_t paper_count(const struct vl_bag *inputs)
{
    return vl_bag_find(inputs, "sizes")->count / 4;
}

static VL_CALL(bubble_of_ideal)
{
    const int32_t *sizes = vl_bag_i32(inputs, "sizes");
    double *share = vl_unwritten_doubles(outputs, "share", paper_count(inputs)), one = 0;
    if (share == NULL)
        return VL_EINTERNAL;
    if (vl_input_size(inputs, "bad") && vl_input_size(inputs, "chunks") > 1)
        return vl_bubble_of_ideal(&one, 4, 2, 6);
    if (vl_input_size(inputs, "bad"))
        return vl_first_unrefused(vl_bubble_of_ideal(&one, 0, 1, 6),
                                  vl_bubble_of_ideal(&one, 4, 0, 6),
                                  vl_bubble_of_ideal(&one, 4, 1, 0));
    enum vl_status status = VL_OK;
    for (size_t i = 0; status == VL_OK && i < paper_count(inputs); i++)
        status = vl_bubble_of_ideal(&share[i], (size_t)sizes[4 * i], (size_t)sizes[4 * i + 1],
                                    (size_t)sizes[4 * i + 2]);
    return status;
}

/* The three functions as one kind, so that each is asked the same questions. */
typedef enum vl_status live_fn(size_t *live, size_t p, size_t v, size_t m, size_t stage);

static enum vl_status live_afab(size_t *live, size_t p, size_t v, size_t m, size_t stage)
{
    (void)v;
    return vl_live_afab(live, p, m, stage);
}

static enum vl_status live_1f1b(size_t *live, size_t p, size_t v, size_t m, size_t stage)
{
    (void)v;
    return vl_live_1f1b(live, p, m, stage);
}

static enum vl_status live(struct vl_bag *outputs, const struct vl_bag *inputs, live_fn *ask)
{
    const int32_t *sizes = vl_bag_i32(inputs, "sizes");
    size_t count = paper_count(inputs), one = 0;
    int64_t *found = vl_unwritten_numbers(outputs, "live", 1, count);
    if (found == NULL)
        return VL_EINTERNAL;
    if (vl_input_size(inputs, "bad") && vl_input_size(inputs, "chunks") > 1)
        return ask(&one, 4, 2, 6, 1);
    if (vl_input_size(inputs, "bad"))
        return vl_first_unrefused(ask(&one, 4, 1, 6, 4), ask(&one, 4, 1, 0, 0),
                                  ask(&one, 0, 1, 6, 0));
    enum vl_status status = VL_OK;
    for (size_t i = 0; status == VL_OK && i < count; i++) {
        one = (size_t)found[i]; /* poison */
        status = ask(&one, (size_t)sizes[4 * i], (size_t)sizes[4 * i + 1], (size_t)sizes[4 * i + 2],
                     (size_t)sizes[4 * i + 3]);
        found[i] = (int64_t)one;
    }
    return status;
}

#define LIVE(name, ask)                                                                            \
    static VL_CALL(live_##name)                                                                    \
    {                                                                                              \
        return live(outputs, inputs, ask);                                                         \
    }
LIVE(afab, live_afab)
LIVE(1f1b, live_1f1b)
LIVE(interleaved, vl_live_interleaved)

static VL_CALL(predict_pipeline)
{
    (void)inputs;
    struct vl_pipeline_prediction prediction = {0};
    enum vl_status status = vl_predict_pipeline(&prediction);
    if (!vl_bag_set_real(outputs, "bubble_of_ideal", prediction.bubble_of_ideal) ||
        !vl_bag_set_real(outputs, "bubble_chunked", prediction.bubble_chunked))
        return VL_EINTERNAL;
    return vl_give_counts(outputs, status, {"live_first", prediction.live_first},
                          {"step_bytes", prediction.sent_bytes});
}

const struct vl_call vl_calls_pipeline_parallel[] = {
    {"vl_schedule_afab", vl_call_schedule},
    {"vl_schedule_1f1b", vl_call_schedule},
    {"vl_schedule_interleaved", vl_call_schedule},
    {"vl_schedule_zb_h1", vl_call_schedule},
    {"bubble", vl_call_schedule},
    {"live_chunks", vl_call_schedule},
    {"vl_schedule_tag", vl_call_schedule_tag},
    {"vl_schedule_actions", vl_call_schedule_actions},
    {"vl_stage_run", vl_call_stage_run},
    {"stage_traffic", vl_call_stage_run},
    {"whole_pipeline", vl_call_whole_pipeline},
    {"vl_bubble_of_ideal", vl_call_bubble_of_ideal},
    {"vl_live_afab", vl_call_live_afab},
    {"vl_live_1f1b", vl_call_live_1f1b},
    {"vl_live_interleaved", vl_call_live_interleaved},
    {"vl_predict_pipeline", vl_call_predict_pipeline},
    {NULL, NULL},
};
