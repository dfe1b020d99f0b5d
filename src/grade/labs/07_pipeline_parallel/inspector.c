/*
 * Lab 07's inspectors, and those of schedules: is it valid, what does it cost, and where does it
 * differ from the order that was asked for.
 */
#include "grade/labs/07_pipeline_parallel/inspector.h"

#include "base/number.h"
#include "base/text.h"
#include "engine/schedule/schedule.h"
#include "engine/schedule/schedule_words.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *vl_pipe_task_text(char text[VL_TASK_TEXT], int64_t kind, int64_t chunk,
                              int64_t micro_batch)
{
    const struct vl_task task = {.kind = kind >= 0 && kind < VL_TASK_NONE ? (enum vl_task_kind)kind
                                                                          : VL_TASK_NONE,
                                 .chunk = (uint32_t)chunk,
                                 .micro_batch = (uint32_t)micro_batch};
    return vl_task_text(text, &task);
}

const int64_t *vl_pipe_numbers(const struct vl_bag *outputs, const char *name, size_t count)
{
    const struct vl_tensor_entry *entry = vl_bag_find(outputs, name);
    return entry != NULL && entry->dtype == VL_I64 && entry->count == count ? entry->data : NULL;
}

enum vl_status vl_pipe_tell(struct vl_sign *sign, const char *code, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    *sign = (struct vl_sign){.code = code};
    if (vasprintf(&sign->message, format, values) < 0)
        sign->message = NULL;
    va_end(values);
    return sign->message != NULL ? VL_OK : VL_ENOMEM;
}

/* ---- schedules ---- */

/* Numbers that do not fit become numbers that are out of range. */
static void read_tasks(struct vl_task *tasks, const int64_t *table, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const int64_t *task = &table[3 * i];
        tasks[i] = (struct vl_task){
            .kind = task[0] >= 0 && task[0] <= VL_TASK_NONE ? (enum vl_task_kind)task[0]
                                                            : (enum vl_task_kind)(VL_TASK_NONE + 1),
            .chunk = task[1] >= 0 && task[1] < UINT32_MAX ? (uint32_t)task[1] : UINT32_MAX,
            .micro_batch = task[2] >= 0 && task[2] < UINT32_MAX ? (uint32_t)task[2] : UINT32_MAX,
        };
    }
}

/* What came out and what should have, and what either costs on paper. */
struct pair {
    struct vl_pipe pipe;
    struct vl_schedule got, truth;
    struct vl_schedule_report report;
    struct vl_schedule_times got_times, truth_times;
};

static void close_pair(struct pair *pair)
{
    free(pair->got.tasks);
    free(pair->truth.tasks);
    free(pair->got_times.live);
    free(pair->truth_times.live);
}

static struct vl_schedule empty_schedule(const struct vl_pipe *pipe)
{
    struct vl_task *tasks = calloc(pipe->size.stages * pipe->width, sizeof *tasks);
    return (struct vl_schedule){pipe->size.stages, pipe->size.chunks, pipe->size.micro_batches,
                                tasks};
}

static int fill_truth(struct pair *pair, const struct vl_bag *inputs)
{
    struct vl_oracle_task *rows = vl_pipe_rows(&pair->pipe, inputs);
    for (size_t i = 0; rows != NULL && i < pair->pipe.size.stages * pair->pipe.width; i++)
        pair->truth.tasks[i] =
            (struct vl_task){(enum vl_task_kind)rows[i].pass, (uint32_t)rows[i].chunk,
                             (uint32_t)rows[i].micro_batch};
    free(rows);
    return rows != NULL;
}

/* Backward is one piece, as in the formulas, except for zero bubble, which splits it. */
static enum vl_status run_on_paper(struct pair *pair)
{
    static const struct vl_schedule_costs whole = {.forward = 1, .backward = 2},
                                          split = {.forward = 1, .backward = 1, .weight = 1};
    const struct vl_schedule_costs *costs = pair->pipe.order == VL_ORACLE_ZB_H1 ? &split : &whole;
    pair->got_times.live = calloc(pair->pipe.size.stages, sizeof(size_t));
    pair->truth_times.live = calloc(pair->pipe.size.stages, sizeof(size_t));
    if (pair->got_times.live == NULL || pair->truth_times.live == NULL)
        return VL_ENOMEM;
    enum vl_status status = vl_schedule_simulate(&pair->truth_times, &pair->truth, costs);
    if (status == VL_OK)
        status = vl_schedule_simulate(&pair->got_times, &pair->got, costs);
    return status;
}

/* Times only if it is valid. Close it in any case. */
static enum vl_status open_pair(struct pair *pair, const struct vl_bag *inputs,
                                const struct vl_bag *outputs)
{
    *pair = (struct pair){.pipe = vl_pipe_read(inputs)};
    size_t count = pair->pipe.size.stages * pair->pipe.width;
    const int64_t *table = vl_pipe_numbers(outputs, "tasks", 3 * count);
    pair->got = empty_schedule(&pair->pipe);
    pair->truth = empty_schedule(&pair->pipe);
    if (pair->got.tasks == NULL || pair->truth.tasks == NULL || !fill_truth(pair, inputs))
        return VL_ENOMEM;
    for (size_t i = 0; table == NULL && i < count; i++)
        pair->got.tasks[i].kind = VL_TASK_NONE;
    if (table != NULL)
        read_tasks(pair->got.tasks, table, count);
    enum vl_status status = vl_schedule_check(&pair->report, &pair->got);
    return status == VL_OK && pair->report.fault == VL_SCHEDULE_SOUND ? run_on_paper(pair) : status;
}

static const char *sizes_text(char text[VL_SCHEDULE_SENTENCE], const struct pair *pair)
{
    snprintf(text, VL_SCHEDULE_SENTENCE, _("(p = %1$zu, v = %2$zu, m = %3$zu.)"),
             pair->pipe.size.stages, pair->pipe.size.chunks, pair->pipe.size.micro_batches);
    return text;
}

static int is_sound(const struct pair *pair)
{
    return pair->report.fault == VL_SCHEDULE_SOUND;
}

static enum vl_status tell_fault(struct vl_sign *sign, const struct pair *pair)
{
    static const char *const codes[] = {[VL_SCHEDULE_UNKNOWN] = "unknown_task",
                                        [VL_SCHEDULE_TWICE] = "task_twice",
                                        [VL_SCHEDULE_MISSING] = "task_missing",
                                        [VL_SCHEDULE_TOO_EARLY] = "task_too_early",
                                        [VL_SCHEDULE_DEADLOCK] = "deadlock"};
    char fault[VL_SCHEDULE_SENTENCE], sizes[VL_SCHEDULE_SENTENCE];
    vl_schedule_fault_sentence(fault, &pair->report, &pair->got);
    return vl_pipe_tell(sign, codes[pair->report.fault], "%s %s", fault, sizes_text(sizes, pair));
}

/* ---- what it costs ---- */

/* If something costs too much: a sentence about it, followed by 'where'. */
typedef enum vl_status tell_cost(struct vl_sign *sign, const struct pair *pair, const char *where);

static enum vl_status tell_crowded(struct vl_sign *sign, const struct pair *pair, const char *where)
{
    const size_t *got = pair->got_times.live, *enough = pair->truth_times.live;
    char sentence[VL_SCHEDULE_SENTENCE];
    size_t stage = 0, p = pair->pipe.size.stages;
    while (stage < p && got[stage] <= enough[stage])
        stage++;
    if (stage == p)
        return VL_OK;
    snprintf(
        sentence, sizeof sentence,
        _("The schedule holds, but stage %1$zu keeps %2$zu forwards alive at once, and %3$zu are "
          "enough: look at how many it does before its first backward."),
        stage, got[stage], enough[stage]);
    return vl_pipe_tell(sign, "too_many_alive", "%s %s", sentence, where);
}

static enum vl_status tell_slow(struct vl_sign *sign, const struct pair *pair, const char *where)
{
    char sentence[VL_SCHEDULE_SENTENCE], got[VL_NUMBER_TEXT], truth[VL_NUMBER_TEXT];
    if (pair->got_times.bubble_of_ideal <= pair->truth_times.bubble_of_ideal + 1e-9)
        return VL_OK;
    vl_number_percent(got, pair->got_times.bubble_of_ideal, 1);
    vl_number_percent(truth, pair->truth_times.bubble_of_ideal, 1);
    snprintf(
        sentence, sizeof sentence,
        _("The schedule holds, but its bubble is %1$s of ideal time, and %2$s can be had: look at "
          "where a stage waits while there is something that it could do."),
        got, truth);
    return vl_pipe_tell(sign, "bubble_too_large", "%s %s", sentence, where);
}

static enum vl_status look(struct vl_sign *sign, const struct vl_bag *inputs,
                           const struct vl_bag *outputs, tell_cost *tell)
{
    struct pair pair;
    char sizes[VL_SCHEDULE_SENTENCE];
    enum vl_status status = open_pair(&pair, inputs, outputs);
    if (status == VL_OK && !is_sound(&pair))
        status = tell_fault(sign, &pair);
    else if (status == VL_OK && tell != NULL)
        status = tell(sign, &pair, sizes_text(sizes, &pair));
    close_pair(&pair);
    return status;
}

#define LOOK(at, tell)                                                                             \
    static enum vl_status look_at_##at(struct vl_sign *sign, const struct vl_bag *inputs,          \
                                       const struct vl_bag *expected,                              \
                                       const struct vl_bag *outputs)                               \
    {                                                                                              \
        (void)expected;                                                                            \
        return look(sign, inputs, outputs, tell);                                                  \
    }
LOOK(fault, NULL)
LOOK(bubble, tell_slow)
LOOK(live, tell_crowded)

/* ---- another order ---- */

static void describe_difference(char text[VL_SCHEDULE_SENTENCE], const struct pair *pair)
{
    char wanted[VL_TASK_TEXT], found[VL_TASK_TEXT];
    size_t i = 0, width = pair->pipe.width, count = pair->pipe.size.stages * width;
    while (i + 1 < count &&
           memcmp(&pair->got.tasks[i], &pair->truth.tasks[i], sizeof *pair->got.tasks) == 0)
        i++;
    snprintf(text, VL_SCHEDULE_SENTENCE,
             _("With p = %1$zu, v = %2$zu, m = %3$zu, on stage %4$zu, the place %5$zu of its row "
               "(counted from 0) is that of %6$s, and %7$s stands there."),
             pair->pipe.size.stages, pair->pipe.size.chunks, pair->pipe.size.micro_batches,
             i / width, i % width, vl_task_text(wanted, &pair->truth.tasks[i]),
             vl_task_text(found, &pair->got.tasks[i]));
}

static enum vl_status tell_order(struct vl_sign *sign, const struct vl_bag *inputs,
                                 const struct vl_bag *expected, const struct vl_bag *outputs)
{
    struct pair pair;
    char difference[VL_SCHEDULE_SENTENCE];
    (void)expected;
    enum vl_status status = open_pair(&pair, inputs, outputs);
    if (status == VL_OK && is_sound(&pair)) {
        describe_difference(difference, &pair);
        status = tell_crowded(sign, &pair, difference);
        if (status == VL_OK && sign->code == NULL)
            status = tell_slow(sign, &pair, difference);
        if (status == VL_OK && sign->code == NULL)
            status = vl_pipe_tell(sign, "other_order", "%s %s",
                                  _("The schedule holds, but it is another one than the contract "
                                    "describes."),
                                  difference);
    }
    close_pair(&pair);
    return status;
}

const struct vl_inspector vl_inspectors_pipeline_parallel[] = {
    {"vl_schedule_afab", look_at_fault, tell_order},
    {"vl_schedule_1f1b", look_at_fault, tell_order},
    {"vl_schedule_interleaved", look_at_fault, tell_order},
    {"vl_schedule_zb_h1", look_at_fault, tell_order},
    {"bubble", look_at_bubble, NULL},
    {"live_chunks", look_at_live, NULL},
    {"vl_schedule_tag", vl_look_at_tags, NULL},
    {"vl_schedule_actions", vl_look_at_actions, vl_tell_actions},
    {"vl_stage_run", vl_look_at_run, NULL},
    {NULL, NULL, NULL},
};
