/*
 * Is a schedule sound? Every task must be there once, in an order that its stage can follow, and no
 * stage may wait forever.
 */
#include "engine/schedule/schedule.h"
#include "engine/schedule/schedule_look.h"
#include <stdbool.h>
#include <stdlib.h>

enum { KINDS = 3 };

static const struct vl_task *task_at(const struct vl_look *look, size_t stage, size_t i)
{
    return &look->schedule->tasks[stage * look->width + i];
}

/* The number of a task among the 3 v m of its stage: kind, chunk, micro-batch. */
static size_t number_of(const struct vl_schedule *schedule, const struct vl_task *task)
{
    return ((size_t)task->kind * schedule->chunks + task->chunk) * schedule->micro_batches +
           task->micro_batch;
}

static struct vl_task task_of(const struct vl_schedule *schedule, size_t number)
{
    size_t m = schedule->micro_batches, v = schedule->chunks;
    return (struct vl_task){.kind = (enum vl_task_kind)(number / m / v),
                            .chunk = (uint32_t)(number / m % v),
                            .micro_batch = (uint32_t)(number % m)};
}

size_t *vl_look_place(const struct vl_look *look, size_t stage, const struct vl_task *task)
{
    return &look->place[stage * look->width + number_of(look->schedule, task)];
}

/* The same micro-batch on virtual stage k. */
static struct vl_need on_virtual(const struct vl_schedule *schedule, enum vl_task_kind kind,
                                 size_t k, const struct vl_task *task)
{
    return (struct vl_need){.stage = k % schedule->stages,
                            .task = {.kind = kind,
                                     .chunk = (uint32_t)(k / schedule->stages),
                                     .micro_batch = task->micro_batch}};
}

size_t vl_look_needs(struct vl_need needs[VL_NEEDS], const struct vl_schedule *schedule,
                     size_t stage, const struct vl_task *task)
{
    size_t k = task->chunk * schedule->stages + stage, count = 0;
    switch (task->kind) {
    case VL_TASK_FORWARD:
        if (k > 0)
            needs[count++] = on_virtual(schedule, VL_TASK_FORWARD, k - 1, task);
        break;
    case VL_TASK_BACKWARD:
        needs[count++] = on_virtual(schedule, VL_TASK_FORWARD, k, task);
        if (k + 1 < schedule->stages * schedule->chunks)
            needs[count++] = on_virtual(schedule, VL_TASK_BACKWARD, k + 1, task);
        break;
    case VL_TASK_WEIGHT:
        needs[count++] = on_virtual(schedule, VL_TASK_BACKWARD, k, task);
        break;
    case VL_TASK_NONE:
        break;
    }
    return count;
}

/* What must come before a task in its own row, because the task needs it directly or through other
 * stages: between two chunks of one stage a micro-batch visits all other stages. */
static size_t needs_in_row(struct vl_need needs[VL_NEEDS], const struct vl_schedule *schedule,
                           size_t stage, const struct vl_task *task)
{
    size_t k = task->chunk * schedule->stages + stage, p = schedule->stages, count = 0;
    if (task->kind == VL_TASK_FORWARD && task->chunk > 0)
        needs[count++] = on_virtual(schedule, VL_TASK_FORWARD, k - p, task);
    if (task->kind == VL_TASK_BACKWARD)
        needs[count++] = on_virtual(schedule, VL_TASK_FORWARD, k, task);
    if (task->kind == VL_TASK_BACKWARD && task->chunk + 1 < schedule->chunks)
        needs[count++] = on_virtual(schedule, VL_TASK_BACKWARD, k + p, task);
    if (task->kind == VL_TASK_WEIGHT)
        needs[count++] = on_virtual(schedule, VL_TASK_BACKWARD, k, task);
    return count;
}

/* ---- is it sound ---- */

static void blame(struct vl_schedule_report *report, enum vl_schedule_fault fault, size_t stage,
                  const struct vl_task *task, const struct vl_need *needed)
{
    *report = (struct vl_schedule_report){.fault = fault, .stage = stage, .task = *task};
    if (needed != NULL) {
        report->needed_stage = needed->stage;
        report->needed = needed->task;
    }
}

/* Every task of a stage is there once: a row has exactly as many slots as there are tasks. */
static void check_row_is_complete(struct vl_schedule_report *report, const struct vl_look *look,
                                  size_t stage)
{
    const struct vl_schedule *schedule = look->schedule;
    int has_hole = 0;
    for (size_t i = 0; i < look->width; i++) {
        const struct vl_task *task = task_at(look, stage, i);
        if (task->kind == VL_TASK_NONE) {
            has_hole = 1;
            continue;
        }
        if ((size_t)task->kind >= KINDS || task->chunk >= schedule->chunks ||
            task->micro_batch >= schedule->micro_batches) {
            blame(report, VL_SCHEDULE_UNKNOWN, stage, task, NULL);
            return;
        }
        if (*vl_look_place(look, stage, task) < look->width) {
            blame(report, VL_SCHEDULE_TWICE, stage, task, NULL);
            return;
        }
        *vl_look_place(look, stage, task) = i;
    }
    for (size_t n = 0; has_hole && n < look->width; n++)
        if (look->place[stage * look->width + n] == look->width) {
            struct vl_task task = task_of(schedule, n);
            blame(report, VL_SCHEDULE_MISSING, stage, &task, NULL);
            return;
        }
}

static void check_row_order(struct vl_schedule_report *report, const struct vl_look *look,
                            size_t stage)
{
    for (size_t i = 0; i < look->width; i++) {
        struct vl_need needs[VL_NEEDS];
        const struct vl_task *task = task_at(look, stage, i);
        size_t count = needs_in_row(needs, look->schedule, stage, task);
        for (size_t n = 0; n < count; n++)
            if (*vl_look_place(look, stage, &needs[n].task) > i) {
                blame(report, VL_SCHEDULE_TOO_EARLY, stage, task, &needs[n]);
                return;
            }
    }
}

/* Does a stage's next task wait for another? *needed is then the first of those. */
static bool is_waiting(struct vl_need *needed, const struct vl_look *look, size_t stage)
{
    struct vl_need needs[VL_NEEDS];
    size_t count =
        vl_look_needs(needs, look->schedule, stage, task_at(look, stage, look->next[stage]));
    for (size_t n = 0; n < count; n++)
        if (*vl_look_place(look, needs[n].stage, &needs[n].task) >= look->next[needs[n].stage]) {
            *needed = needs[n];
            return true;
        }
    return false;
}

int vl_look_step(struct vl_look *look, size_t stage)
{
    struct vl_need needed;
    if (look->next[stage] == look->width || is_waiting(&needed, look, stage))
        return 0;
    if (look->done != NULL)
        look->done(look->context, look, stage);
    look->next[stage]++;
    return 1;
}

/* Let every stage go as far as it can. Returns whether all are done. */
static int run(struct vl_look *look)
{
    size_t p = look->schedule->stages, done = 0;
    for (int moved = 1; moved;) {
        moved = 0;
        for (size_t stage = 0; stage < p; stage++)
            while (vl_look_step(look, stage)) {
                done++;
                moved = 1;
            }
    }
    return done == p * look->width;
}

/* Some stages are stuck. A stage that a stuck one waits for is stuck too, so p steps along this
 * chain lead into the cycle. Blame the lowest stage of the cycle, not one that waits outside it. */
static void name_deadlock(struct vl_schedule_report *report, const struct vl_look *look)
{
    size_t p = look->schedule->stages, stage = 0, first;
    struct vl_need needed = {0};
    while (look->next[stage] == look->width)
        stage++;
    for (size_t step = 0; step < p && is_waiting(&needed, look, stage); step++)
        stage = needed.stage;
    first = stage;
    for (size_t step = 0; step < p && is_waiting(&needed, look, stage); step++) {
        stage = needed.stage;
        first = stage < first ? stage : first;
    }
    is_waiting(&needed, look, first);
    blame(report, VL_SCHEDULE_DEADLOCK, first, task_at(look, first, look->next[first]), &needed);
}

enum vl_status vl_look_open(struct vl_look *look, const struct vl_schedule *schedule)
{
    size_t slots;
    *look = (struct vl_look){.schedule = schedule};
    if (schedule == NULL || schedule->tasks == NULL || schedule->stages == 0 ||
        schedule->chunks == 0 || schedule->micro_batches == 0 || schedule->chunks > UINT32_MAX ||
        schedule->micro_batches > UINT32_MAX ||
        __builtin_mul_overflow(schedule->chunks, schedule->micro_batches, &look->width) ||
        __builtin_mul_overflow(look->width, (size_t)KINDS, &look->width) ||
        __builtin_mul_overflow(look->width, schedule->stages, &slots))
        return VL_EINVAL;
    look->place = calloc(slots, sizeof *look->place);
    look->next = calloc(schedule->stages, sizeof *look->next);
    if (look->place == NULL || look->next == NULL)
        return VL_ENOMEM;
    for (size_t i = 0; i < slots; i++)
        look->place[i] = look->width;
    return VL_OK;
}

void vl_look_close(struct vl_look *look)
{
    free(look->place);
    free(look->next);
}

void vl_look_check(struct vl_schedule_report *report, struct vl_look *look)
{
    *report = (struct vl_schedule_report){.fault = VL_SCHEDULE_SOUND};
    size_t p = look->schedule->stages;
    for (size_t stage = 0; stage < p && report->fault == VL_SCHEDULE_SOUND; stage++)
        check_row_is_complete(report, look, stage);
    for (size_t stage = 0; stage < p && report->fault == VL_SCHEDULE_SOUND; stage++)
        check_row_order(report, look, stage);
    if (report->fault == VL_SCHEDULE_SOUND && !run(look))
        name_deadlock(report, look);
}

enum vl_status vl_schedule_check(struct vl_schedule_report *report,
                                 const struct vl_schedule *schedule)
{
    if (report == NULL)
        return VL_EINVAL;
    struct vl_look look;
    enum vl_status status = vl_look_open(&look, schedule);
    if (status == VL_OK)
        vl_look_check(report, &look);
    vl_look_close(&look);
    return status;
}

int vl_schedule_forwards_first(const struct vl_schedule *schedule)
{
    size_t forwards = schedule->chunks * schedule->micro_batches;
    for (size_t stage = 0; stage < schedule->stages; stage++)
        for (size_t i = 0; i < forwards; i++)
            if (schedule->tasks[stage * 3 * forwards + i].kind != VL_TASK_FORWARD)
                return 0;
    return 1;
}
