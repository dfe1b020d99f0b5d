/* A sound schedule of the reference, for tests that start from one. */
#ifndef TESTS_SOLUTIONS_MADE_SCHEDULE_H
#define TESTS_SOLUTIONS_MADE_SCHEDULE_H

#include "engine/schedule/schedule.h"

enum { MOST_STAGES = 8, MOST_CHUNKS = 4, MOST_MICRO = 4 * MOST_STAGES };
enum { MOST_TASKS = MOST_STAGES * 3 * MOST_CHUNKS * MOST_MICRO };

typedef enum vl_status make_fn(struct vl_schedule *schedule);

static struct vl_task tasks[MOST_TASKS];

/* A schedule that holds, in slots that were empty before. */
static struct vl_schedule made(make_fn *make, size_t p, size_t v, size_t m)
{
    struct vl_schedule schedule = {.stages = p, .chunks = v, .micro_batches = m, .tasks = tasks};
    struct vl_schedule_report report;
    for (size_t i = 0; i < p * 3 * v * m; i++)
        tasks[i] = (struct vl_task){.kind = VL_TASK_NONE};
    assert_int_equal(make(&schedule), VL_OK);
    assert_int_equal(vl_schedule_check(&report, &schedule), VL_OK);
    if (report.fault != VL_SCHEDULE_SOUND)
        fail_msg("p = %zu, v = %zu, m = %zu: fault %d on stage %zu, kind %d of %u", p, v, m,
                 (int)report.fault, report.stage, (int)report.task.kind, report.task.micro_batch);
    return schedule;
}

#endif
