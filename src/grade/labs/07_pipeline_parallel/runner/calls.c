/*
 * Calls of lab 07: schedules into slots, actions of all stages, a stage at work on the toy,
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

enum { UNKNOWN_KIND = 7 };

/* Whole numbers as outputs, -1 where nothing will be written. */
#define NUMBERS(name, rows, cols) vl_filled_numbers(outputs, name, rows, cols, -1)

/* ---- schedules ---- */

typedef enum vl_status schedule_fn(struct vl_schedule *schedule);

static schedule_fn *const orders[] = {vl_schedule_afab, vl_schedule_1f1b, vl_schedule_interleaved,
                                      vl_schedule_zb_h1};

static struct vl_schedule sizes_of(const struct vl_bag *inputs)
{
    return (struct vl_schedule){vl_input_size(inputs, "stages"), vl_input_size(inputs, "chunks"),
                                vl_input_size(inputs, "micro_batches"), NULL};
}

static size_t width_of(const struct vl_schedule *schedule)
{
    return 3 * schedule->chunks * schedule->micro_batches;
}

/* What a slot contains before the call: nothing, or numbers that do not name a task. */
static const struct vl_task empty = {.kind = VL_TASK_NONE},
                            preset = {(enum vl_task_kind)UNKNOWN_KIND, 77777, 77777};

/* Slots between guards; no tasks without memory. */
static struct vl_schedule new_schedule(struct vl_bag *outputs, const struct vl_bag *inputs,
                                       const char *name)
{
    struct vl_schedule schedule = sizes_of(inputs);
    size_t count = schedule.stages * width_of(&schedule);
    schedule.tasks = (struct vl_task *)vl_bag_add_i32(outputs, name, count, 3);
    for (size_t i = 0; schedule.tasks != NULL && i < count; i++)
        schedule.tasks[i] = vl_input_size(inputs, "preset") ? preset : empty;
    return schedule;
}

static enum vl_status refused(struct vl_bag *outputs, schedule_fn *make,
                              const struct vl_schedule *sizes)
{
    struct vl_schedule bad[] = {*sizes, *sizes, *sizes};
    bad[0].stages = bad[1].chunks = bad[2].micro_batches = 0;
    return vl_first_unrefused(outputs, {"stages = 0", make(&bad[0])}, {"chunks = 0", make(&bad[1])},
                              {"micro_batches = 0", make(&bad[2])});
}

static void put_task(int64_t *place, const struct vl_task *task)
{
    place[0] = task->kind;
    place[1] = task->chunk;
    place[2] = task->micro_batch;
}

static int is_untouched(const struct vl_task *slot)
{
    return memcmp(slot, &preset, sizeof preset) == 0;
}

static VL_CALL(schedule)
{
    schedule_fn *make = orders[vl_input_size(inputs, "order")];
    struct vl_schedule schedule = new_schedule(outputs, inputs, "slots");
    size_t count = schedule.stages * width_of(&schedule);
    int64_t *tasks = NUMBERS("tasks", count, 3);
    if (schedule.tasks == NULL || tasks == NULL)
        return VL_EINTERNAL;
    if (vl_input_size(inputs, "bad"))
        return refused(outputs, make, &schedule);
    enum vl_status status = make(&schedule);
    for (size_t i = 0; i < count; i++)
        put_task(&tasks[3 * i], is_untouched(&schedule.tasks[i]) ? &empty : &schedule.tasks[i]);
    return status;
}

static enum vl_status refused_tags(struct vl_bag *outputs, const struct vl_schedule *schedule)
{
    int tag = -1;
    const struct vl_schedule many = {schedule->stages, schedule->chunks, 20000, NULL};
    const struct vl_task weight = {VL_TASK_WEIGHT, 0, 0},
                         beyond = {VL_TASK_BACKWARD, (uint32_t)many.chunks - 1, 19999};
    return vl_first_unrefused(
        outputs, {"task->kind = VL_TASK_WEIGHT", vl_schedule_tag(&tag, schedule, &weight)},
        {"micro_batches = 20000, task->micro_batch = 19999",
         vl_schedule_tag(&tag, &many, &beyond)});
}

static VL_CALL(schedule_tag)
{
    const struct vl_schedule schedule = sizes_of(inputs);
    size_t v = schedule.chunks, m = schedule.micro_batches;
    int64_t *tags = NUMBERS("tags", 2 * v, m);
    int tag = -1;
    enum vl_status status = tags != NULL ? VL_OK : VL_EINTERNAL;
    if (vl_input_size(inputs, "bad"))
        return refused_tags(outputs, &schedule);
    for (size_t i = 0; status == VL_OK && i < 2 * v * m; i++) {
        const struct vl_task task = {i < v * m ? VL_TASK_FORWARD : VL_TASK_BACKWARD,
                                     (uint32_t)(i / m % v), (uint32_t)(i % m)};
        status = vl_schedule_tag(&tag, &schedule, &task);
        tags[i] = tag;
    }
    return status;
}

/* ---- actions ---- */

/* Between guards; NULL without memory. */
static struct vl_action *empty_list(struct vl_bag *outputs, const char *name, size_t capacity)
{
    struct vl_action *list = (struct vl_action *)vl_bag_add_i32(outputs, name, capacity, 6);
    if (list != NULL)
        memset(list, 0xff, capacity * sizeof *list);
    return list;
}

/* First an impossible stage, then a last task with an impossible chunk, micro-batch or kind. */
static enum vl_status refused_tasks(struct vl_bag *outputs, struct vl_action *actions,
                                    size_t capacity, const struct vl_schedule *schedule)
{
    static const char *const last_has[] = {"chunk = chunks", "micro_batch = micro_batches",
                                           "kind = VL_TASK_NONE", "an unknown kind"};
    size_t count = 0;
    struct vl_task *last = &schedule->tasks[width_of(schedule) - 1];
    struct vl_task wrong[] = {*last, *last, *last, *last};
    enum vl_status status = vl_must_refuse(
        outputs, vl_schedule_actions(actions, &count, capacity, schedule, schedule->stages),
        "stage = stages");
    wrong[0].chunk = (uint32_t)schedule->chunks;
    wrong[1].micro_batch = (uint32_t)schedule->micro_batches;
    wrong[2].kind = VL_TASK_NONE;
    wrong[3].kind = (enum vl_task_kind)UNKNOWN_KIND;
    for (size_t i = 0; status == VL_EINVAL && i < sizeof wrong / sizeof *wrong; i++) {
        *last = wrong[i];
        status =
            vl_must_refuse(outputs, vl_schedule_actions(actions, &count, capacity, schedule, 0),
                           "last task: %s", last_has[i]);
    }
    return status;
}

/* Two stages, one chunk, and more messages than there are tags. */
static enum vl_status refused_messages(struct vl_bag *outputs)
{
    enum { MANY = 8193, WIDTH = 3 * MANY, CAPACITY = 3 * WIDTH };
    struct vl_schedule schedule = {2, 1, MANY, calloc(2 * WIDTH, sizeof *schedule.tasks)};
    struct vl_action *actions = calloc(CAPACITY, sizeof *actions);
    size_t count = 0;
    enum vl_status status = VL_EINTERNAL;
    for (uint32_t i = 0; schedule.tasks != NULL && i < 2 * WIDTH; i++)
        schedule.tasks[i] =
            (struct vl_task){(enum vl_task_kind)(i % WIDTH / MANY), 0, i % WIDTH % MANY};
    if (schedule.tasks != NULL && actions != NULL)
        status =
            vl_must_refuse(outputs, vl_schedule_actions(actions, &count, CAPACITY, &schedule, 0),
                           "stages = 2, chunks = 1, micro_batches = %d", MANY);
    free(schedule.tasks);
    free(actions);
    return status;
}

static enum vl_status refused_actions(struct vl_bag *outputs, const struct vl_schedule *schedule)
{
    size_t capacity = 3 * width_of(schedule);
    struct vl_action *actions = empty_list(outputs, "refused", capacity);
    if (actions == NULL)
        return VL_EINTERNAL;
    enum vl_status status = refused_tasks(outputs, actions, capacity, schedule);
    return status == VL_EINVAL ? refused_messages(outputs) : status;
}

/* What all stages answer; a stage has 'most' rows. */
struct lists {
    int64_t *table, *tags, *counts, *statuses;
    size_t most;
};

static enum vl_status call_stage(const struct lists *lists, struct vl_bag *outputs,
                                 const struct vl_schedule *schedule, size_t stage, size_t capacity)
{
    char name[32];
    snprintf(name, sizeof name, "list%zu", stage);
    struct vl_action *a = empty_list(outputs, name, capacity);
    size_t count = SIZE_MAX, at = stage * lists->most;
    if (a == NULL)
        return VL_EINTERNAL;
    enum vl_status status = vl_schedule_actions(a, &count, capacity, schedule, stage);
    for (size_t i = 0; i < count && i < capacity; i++, a++, at++) {
        int is_message = a->kind != VL_ACTION_COMPUTE;
        lists->table[5 * at] = a->kind;
        put_task(&lists->table[5 * at + 1], &a->task);
        lists->table[5 * at + 4] = is_message ? a->peer : -1;
        lists->tags[at] = is_message ? a->tag : -1;
    }
    lists->counts[stage] = count <= INT64_MAX ? (int64_t)count : -1;
    lists->statuses[stage] = status;
    return status;
}

/* Who wants to know how many there are has no room yet, and no memory. */
static void ask_how_many(const struct lists *lists, const struct vl_schedule *schedule,
                         size_t stage)
{
    size_t count = SIZE_MAX;
    lists->statuses[stage] = vl_schedule_actions(NULL, &count, 0, schedule, stage);
    lists->counts[stage] = count <= INT64_MAX ? (int64_t)count : -1;
}

static int is_answer(enum vl_status status)
{
    return status != VL_TODO && status != VL_EMISSING;
}

static VL_CALL(schedule_actions)
{
    const struct vl_schedule schedule = new_schedule(outputs, inputs, "tasks");
    size_t p = schedule.stages, width = width_of(&schedule), most = 3 * width;
    const int32_t *rooms = vl_bag_i32(inputs, "rooms");
    const struct lists lists = {NUMBERS("actions", p * most, 5), NUMBERS("tags", p, most),
                                NUMBERS("counts", 1, p), NUMBERS("statuses", 1, p), most};
    enum vl_status status = VL_OK;
    if (!lists.table || !lists.tags || !lists.counts || !lists.statuses || !schedule.tasks)
        return VL_EINTERNAL;
    memcpy(schedule.tasks, vl_bag_i32(inputs, "rows"), p * width * sizeof *schedule.tasks);
    if (vl_input_size(inputs, "bad"))
        return refused_actions(outputs, &schedule);
    for (size_t stage = 0; status == VL_OK && stage < p; stage++) {
        status = call_stage(&lists, outputs, &schedule, stage, (size_t)rooms[stage]);
        if (vl_input_size(inputs, "short") && is_answer(status))
            status = VL_OK; /* 'statuses' says which */
        if (status == VL_OK && vl_input_size(inputs, "exact"))
            ask_how_many(&lists, &schedule, stage);
    }
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
    toy->actions = actions;
    toy->action_count = count;
    enum vl_status status = vl_stage_run(&toy->stage, actions, count, sends);
    memset(sends, 0, count * sizeof *sends);
    return status;
}

/* The last row of a stage's actions is not its own. */
static VL_CALL(stage_run)
{
    struct vl_pipe_toy toy;
    int64_t *returned = NUMBERS("returned", 1, 1);
    const int32_t *begin = vl_bag_i32(inputs, "begin");
    const struct vl_action *actions = (const struct vl_action *)vl_bag_i32(inputs, "actions");
    enum vl_status status = VL_EINTERNAL;
    if (vl_pipe_toy_open(&toy, outputs, inputs) && returned != NULL) {
        int32_t first = begin[toy.rank];
        status = run(&toy, outputs, &actions[first], (size_t)(begin[toy.rank + 1] - 1 - first));
        *returned = status;
        if (toy.no_memory)
            vl_pipe_toy_clear(&toy, status);
    }
    vl_pipe_toy_close(&toy);
    return vl_input_size(inputs, "bad") || !is_answer(status) ? status : VL_OK;
}

/* The schedule, its actions and the run are all the submission's. */
static VL_CALL(whole_pipeline)
{
    struct vl_pipe_toy toy;
    struct vl_schedule schedule = new_schedule(outputs, inputs, "tasks");
    size_t most = 3 * width_of(&schedule), count = 0;
    struct vl_action *actions = empty_list(outputs, "actions", most);
    enum vl_status status = VL_EINTERNAL;
    if (vl_pipe_toy_open(&toy, outputs, inputs) && schedule.tasks != NULL && actions != NULL)
        status = orders[vl_input_size(inputs, "order")](&schedule);
    VL_NEXT(status, vl_schedule_actions(actions, &count, most, &schedule, toy.rank));
    if (status == VL_OK && count <= most)
        status = run(&toy, outputs, actions, count);
    vl_pipe_toy_close(&toy);
    return status;
}

/* ---- on paper ---- */

/* A question to a function on paper, which takes from it what it needs; and its answer, one element
 * of an array. */
struct question {
    size_t p, v, m, stage;
};
union figure {
    double share;
    size_t live;
};
_Static_assert(sizeof(union figure) == 8, "a figure is an F64 or an I64");
typedef enum vl_status figure_fn(union figure *figure, const struct question *about);

/* Questions that must all be refused. */
struct bad_questions {
    size_t count;
    struct question of[7];
};

/* The first status other than VL_EINVAL; what might divide by zero comes last. */
static enum vl_status refused_questions(struct vl_bag *outputs, figure_fn *ask,
                                        const struct bad_questions *bad)
{
    union figure one;
    enum vl_status status = VL_EINVAL;
    for (size_t i = 0; i < bad->count && status == VL_EINVAL; i++)
        status = vl_must_refuse(outputs, ask(&one, &bad->of[i]),
                                "stages = %zu, chunks = %zu, micro_batches = %zu, stage = %zu",
                                bad->of[i].p, bad->of[i].v, bad->of[i].m, bad->of[i].stage);
    return status;
}

/* The output 'name' has an answer for each pipeline of the inputs. If the case is bad, the function
 * must refuse a group that is cut short, or bad questions. */
static enum vl_status on_paper(struct vl_bag *outputs, const struct vl_bag *inputs,
                               const char *name, enum vl_dtype type, figure_fn *ask,
                               const struct bad_questions *bad)
{
    static const struct question uneven = {4, 2, 6, 1};
    size_t count = vl_bag_find(inputs, "sizes")->count / 4;
    const int32_t *row = vl_bag_i32(inputs, "sizes");
    union figure *figures = vl_bag_add(outputs, name, type, 2, (size_t[]){1, count}), one;
    enum vl_status status = figures != NULL ? VL_OK : VL_EINTERNAL;
    vl_bag_poison(outputs, name);
    if (vl_input_size(inputs, "bad") && vl_input_size(inputs, "chunks") > 1)
        return ask(&one, &uneven);
    if (vl_input_size(inputs, "bad"))
        return refused_questions(outputs, ask, bad);
    for (size_t i = 0; status == VL_OK && i < count; i++, row += 4) {
        const struct question about = {(size_t)row[0], (size_t)row[1], (size_t)row[2],
                                       (size_t)row[3]};
        status = vl_answered(outputs, ask(&figures[i], &about), i);
    }
    return status;
}

/* p, v, m, stage. */
static const struct bad_questions bad_pipes = {
    4, {{4, 0, 6, 0}, {4, 1, 0, 0}, {0, 1, 6, 0}, {0, 2, 6, 0}}};
static const struct bad_questions bad_stages = {3, {{4, 1, 6, 4}, {4, 1, 0, 0}, {0, 1, 6, 0}}};
static const struct bad_questions bad_chunks = {7,
                                                {{4, 1, 6, 4},
                                                 {4, 1, 0, 0},
                                                 {4, 2, 8, 4},
                                                 {4, 2, 0, 0},
                                                 {4, 0, 8, 0},
                                                 {0, 1, 6, 0},
                                                 {0, 2, 8, 0}}};

/* The call of a function: its output, the bad questions for it, and how it is asked about 'q'. */
#define FIGURE(name, output, type, bad, asked)                                                     \
    static enum vl_status ask_##name(union figure *figure, const struct question *q)               \
    {                                                                                              \
        return asked;                                                                              \
    }                                                                                              \
    static VL_CALL(name)                                                                           \
    {                                                                                              \
        return on_paper(outputs, inputs, output, type, ask_##name, &(bad));                        \
    }
FIGURE(bubble_of_ideal, "share", VL_F64, bad_pipes,
       vl_bubble_of_ideal(&figure->share, q->p, q->v, q->m))
FIGURE(live_afab, "live", VL_I64, bad_stages, vl_live_afab(&figure->live, q->p, q->m, q->stage))
FIGURE(live_1f1b, "live", VL_I64, bad_stages, vl_live_1f1b(&figure->live, q->p, q->m, q->stage))
FIGURE(live_interleaved, "live", VL_I64, bad_chunks,
       vl_live_interleaved(&figure->live, q->p, q->v, q->m, q->stage))

static VL_CALL(predict_pipeline)
{
    (void)inputs;
    struct vl_pipeline_prediction prediction = {0};
    enum vl_status status = vl_predict_pipeline(&prediction);
    status = vl_give_reals(outputs, status, {"bubble_of_ideal", prediction.bubble_of_ideal},
                           {"bubble_chunked", prediction.bubble_chunked});
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
    VL_CALLED(schedule_tag),
    VL_CALLED(schedule_actions),
    VL_CALLED(stage_run),
    {"stage_traffic", vl_call_stage_run},
    {"whole_pipeline", vl_call_whole_pipeline},
    VL_CALLED(bubble_of_ideal),
    VL_CALLED(live_afab),
    VL_CALLED(live_1f1b),
    VL_CALLED(live_interleaved),
    VL_CALLED(predict_pipeline),
    {NULL, NULL},
};
