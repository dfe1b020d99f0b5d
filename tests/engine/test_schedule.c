/* Schedules checked and simulated: every fault is named, and times are those worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "engine/schedule/schedule.h"

#define F(i)                                                                                       \
    {                                                                                              \
        VL_TASK_FORWARD, 0, i                                                                      \
    }
#define B(i)                                                                                       \
    {                                                                                              \
        VL_TASK_BACKWARD, 0, i                                                                     \
    }
#define W(i)                                                                                       \
    {                                                                                              \
        VL_TASK_WEIGHT, 0, i                                                                       \
    }

enum { P = 2, M = 3, WIDTH = 3 * M };

static const struct vl_task afab[P * WIDTH] = {
    F(0), F(1), F(2), B(0), W(0), B(1), W(1), B(2), W(2), /* stage 0 */
    F(0), F(1), F(2), B(0), W(0), B(1), W(1), B(2), W(2), /* stage 1 */
};
static const struct vl_task one_by_one[P * WIDTH] = {
    F(0), F(1), B(0), W(0), F(2), B(1), W(1), B(2), W(2), /* stage 0 */
    F(0), B(0), W(0), F(1), B(1), W(1), F(2), B(2), W(2), /* stage 1 */
};
static const struct vl_task put_off[P * WIDTH] = {
    F(0), F(1), B(0), W(0), F(2), B(1), W(1), B(2), W(2), /* stage 0 */
    F(0), B(0), F(1), B(1), W(0), F(2), B(2), W(1), W(2), /* stage 1 */
};

static struct vl_task tasks[P * WIDTH];
static const struct vl_schedule broken = {
    .stages = P, .chunks = 1, .micro_batches = M, .tasks = tasks};

static void assert_is(double x, double truth)
{
    if (!(fabs(x - truth) < 1e-12)) /* true for a NaN */
        fail_msg("%.17g is not %.17g", x, truth);
}

static struct vl_schedule schedule_of(const struct vl_task *from)
{
    memcpy(tasks, from, sizeof tasks);
    return broken;
}

static void assert_task(const struct vl_task *task, enum vl_task_kind kind, uint32_t chunk,
                        uint32_t micro_batch)
{
    assert_int_equal(task->kind, kind);
    assert_int_equal(task->chunk, chunk);
    assert_int_equal(task->micro_batch, micro_batch);
}

static struct vl_schedule_report look_at(const struct vl_schedule *schedule)
{
    struct vl_schedule_report report;
    assert_int_equal(vl_schedule_check(&report, schedule), VL_OK);
    struct vl_schedule_times times = {0};
    const struct vl_schedule_costs costs = {.forward = 1, .backward = 1, .weight = 1};
    assert_int_equal(vl_schedule_simulate(&times, schedule, &costs),
                     report.fault == VL_SCHEDULE_SOUND ? VL_OK : VL_ESHAPE);
    return report;
}

static void schedules_that_hold_are_sound(void **state)
{
    (void)state;
    const struct vl_task *const all[] = {afab, one_by_one, put_off};
    for (size_t i = 0; i < 3; i++) {
        struct vl_schedule schedule = schedule_of(all[i]);
        assert_int_equal(look_at(&schedule).fault, VL_SCHEDULE_SOUND);
    }
}

static void a_task_that_there_is_not_is_named(void **state)
{
    (void)state;
    const struct vl_task strange[] = {F(3), {VL_TASK_BACKWARD, 1, 0}, {(enum vl_task_kind)7, 0, 0}};
    for (size_t i = 0; i < 3; i++) {
        struct vl_schedule schedule = schedule_of(afab);
        tasks[WIDTH + 4] = strange[i];
        struct vl_schedule_report report = look_at(&schedule);
        assert_int_equal(report.fault, VL_SCHEDULE_UNKNOWN);
        assert_int_equal(report.stage, 1);
        assert_task(&report.task, strange[i].kind, strange[i].chunk, strange[i].micro_batch);
    }
}

static void a_doubled_task_is_named(void **state)
{
    (void)state;
    struct vl_schedule schedule = schedule_of(afab);
    tasks[WIDTH + 2] = (struct vl_task)F(1); /* F1 again, where F2 was */
    struct vl_schedule_report report = look_at(&schedule);
    assert_int_equal(report.fault, VL_SCHEDULE_TWICE);
    assert_int_equal(report.stage, 1);
    assert_task(&report.task, VL_TASK_FORWARD, 0, 1);
}

static void a_forgotten_task_is_named(void **state)
{
    (void)state;
    struct vl_schedule schedule = schedule_of(afab);
    tasks[6].kind = VL_TASK_NONE; /* W1 on stage 0; the slots are filled with NONE before */
    struct vl_schedule_report report = look_at(&schedule);
    assert_int_equal(report.fault, VL_SCHEDULE_MISSING);
    assert_int_equal(report.stage, 0);
    assert_task(&report.task, VL_TASK_WEIGHT, 0, 1);
}

static void a_task_before_its_own_stages_is_too_early(void **state)
{
    (void)state;
    struct vl_schedule schedule = schedule_of(afab);
    tasks[WIDTH + 3] = (struct vl_task)W(0);
    tasks[WIDTH + 4] = (struct vl_task)B(0);
    struct vl_schedule_report report = look_at(&schedule);
    assert_int_equal(report.fault, VL_SCHEDULE_TOO_EARLY);
    assert_int_equal(report.stage, 1);
    assert_int_equal(report.needed_stage, 1);
    assert_task(&report.task, VL_TASK_WEIGHT, 0, 0);
    assert_task(&report.needed, VL_TASK_BACKWARD, 0, 0);

    schedule = schedule_of(one_by_one);
    tasks[0] = (struct vl_task)B(0);
    tasks[2] = (struct vl_task)F(0);
    report = look_at(&schedule);
    assert_int_equal(report.fault, VL_SCHEDULE_TOO_EARLY);
    assert_int_equal(report.stage, 0);
    assert_task(&report.task, VL_TASK_BACKWARD, 0, 0);
    assert_task(&report.needed, VL_TASK_FORWARD, 0, 0);
}

/* Between two chunks of a stage lies the whole pipeline, yet the row alone shows the fault. */
static void a_chunk_before_the_chunk_it_needs_is_too_early(void **state)
{
    (void)state;
    struct vl_task two[2][6] = {
        {{VL_TASK_FORWARD, 1, 0},
         {VL_TASK_FORWARD, 0, 0},
         {VL_TASK_BACKWARD, 1, 0},
         {VL_TASK_WEIGHT, 1, 0},
         {VL_TASK_BACKWARD, 0, 0},
         {VL_TASK_WEIGHT, 0, 0}},
        {{VL_TASK_FORWARD, 0, 0},
         {VL_TASK_FORWARD, 1, 0},
         {VL_TASK_BACKWARD, 1, 0},
         {VL_TASK_WEIGHT, 1, 0},
         {VL_TASK_BACKWARD, 0, 0},
         {VL_TASK_WEIGHT, 0, 0}},
    };
    struct vl_schedule schedule = {.stages = 2, .chunks = 2, .micro_batches = 1, .tasks = two[0]};
    struct vl_schedule_report report = look_at(&schedule);
    assert_int_equal(report.fault, VL_SCHEDULE_TOO_EARLY);
    assert_task(&report.task, VL_TASK_FORWARD, 1, 0);
    assert_task(&report.needed, VL_TASK_FORWARD, 0, 0);

    memcpy(two[0], two[1], sizeof two[0]);
    assert_int_equal(look_at(&schedule).fault, VL_SCHEDULE_SOUND);
    two[1][2] = (struct vl_task){VL_TASK_BACKWARD, 0, 0};
    two[1][4] = (struct vl_task){VL_TASK_BACKWARD, 1, 0};
    report = look_at(&schedule);
    assert_int_equal(report.fault, VL_SCHEDULE_TOO_EARLY);
    assert_int_equal(report.stage, 1);
    assert_task(&report.task, VL_TASK_BACKWARD, 0, 0);
    assert_task(&report.needed, VL_TASK_BACKWARD, 1, 0);
}

/* Stage 0 wants B0 before it does F1; stage 1 wants F1 before it does B0. */
static void stages_that_wait_for_one_another_are_a_deadlock(void **state)
{
    (void)state;
    static const struct vl_task own[WIDTH] = {F(0), B(0), W(0), F(1), B(1), W(1), F(2), B(2), W(2)};
    struct vl_schedule schedule = schedule_of(afab);
    memcpy(tasks, own, sizeof own);
    struct vl_schedule_report report = look_at(&schedule);
    assert_int_equal(report.fault, VL_SCHEDULE_DEADLOCK);
    assert_int_equal(report.stage, 0);
    assert_task(&report.task, VL_TASK_BACKWARD, 0, 0);
    assert_int_equal(report.needed_stage, 1);
    assert_task(&report.needed, VL_TASK_BACKWARD, 0, 0);
}

/* Stages 1 and 2 wait for one another, 0 and 3 only for them: stage 1 is the one to look at. */
static void a_deadlock_is_named_where_the_circle_is(void **state)
{
    (void)state;
    struct vl_task four[4][6] = {
        {F(0), F(1), B(0), W(0), B(1), W(1)},
        {F(0), B(0), W(0), F(1), B(1), W(1)},
        {F(0), F(1), B(0), W(0), B(1), W(1)},
        {F(0), F(1), B(0), W(0), B(1), W(1)},
    };
    struct vl_schedule schedule = {.chunks = 1, .micro_batches = 2, .tasks = four[0]};
    for (schedule.stages = 3; schedule.stages <= 4; schedule.stages++) {
        struct vl_schedule_report report = look_at(&schedule);
        assert_int_equal(report.fault, VL_SCHEDULE_DEADLOCK);
        assert_int_equal(report.stage, 1);
        assert_task(&report.task, VL_TASK_BACKWARD, 0, 0);
        assert_int_equal(report.needed_stage, 2);
        assert_task(&report.needed, VL_TASK_BACKWARD, 0, 0);
    }
}

static void sizes_and_costs_outside_the_contract_are_refused(void **state)
{
    (void)state;
    struct vl_schedule_report report;
    struct vl_schedule_times times = {0};
    struct vl_schedule schedule = schedule_of(afab);
    struct vl_schedule_costs costs = {.forward = 1, .backward = 1, .weight = 1};
    schedule.chunks = 0;
    assert_int_equal(vl_schedule_check(&report, &schedule), VL_EINVAL);
    assert_int_equal(vl_schedule_simulate(&times, &schedule, &costs), VL_EINVAL);
    schedule.chunks = 1;
    schedule.stages = SIZE_MAX / 4; /* more slots than can be counted */
    assert_int_equal(vl_schedule_check(&report, &schedule), VL_EINVAL);
    schedule.stages = P;
    costs.weight = -1;
    assert_int_equal(vl_schedule_simulate(&times, &schedule, &costs), VL_EINVAL);
    costs.weight = (double)NAN;
    assert_int_equal(vl_schedule_simulate(&times, &schedule, &costs), VL_EINVAL);
}

/* ---- times ---- */

static double makespan_of(const struct vl_task *from, const struct vl_schedule_costs *costs,
                          struct vl_schedule_times *times)
{
    struct vl_schedule schedule = schedule_of(from);
    assert_int_equal(vl_schedule_simulate(times, &schedule, costs), VL_OK);
    return times->makespan;
}

/* F = 1 and backward in one piece of 2: 9 of work and (p-1) 3 of waiting. If backward is split, the
 * gradient goes on after B: (p-1) 2. With weight parts put off: (p-1) 1. The drawings are in
 * vialata/schedule.h and solutions/07_pipeline_parallel/zero_bubble.c. */
static void makespans_are_those_worked_out_by_hand(void **state)
{
    (void)state;
    const struct vl_schedule_costs whole = {.forward = 1, .backward = 2};
    const struct vl_schedule_costs split = {.forward = 1, .backward = 1, .weight = 1};
    struct vl_schedule_times times = {0};
    assert_is(makespan_of(afab, &whole, &times), 12);
    assert_is(times.bubble_of_ideal, 1.0 / 3);
    assert_is(times.idle_share, 1.0 / 4);
    assert_is(makespan_of(one_by_one, &whole, &times), 12);
    assert_is(makespan_of(afab, &split, &times), 11);
    assert_is(makespan_of(one_by_one, &split, &times), 11);
    assert_is(makespan_of(put_off, &split, &times), 10);
    assert_is(times.bubble_of_ideal, 1.0 / 9);
}

static void begins_and_ends_are_those_of_the_drawing(void **state)
{
    (void)state;
    static const double truth[P * WIDTH] = {
        0, 1, 3, 4, 5, 6, 7, 9, 10, /* F0 F1 .. B0 W0 F2 B1 W1 .. B2 W2 */
        1, 2, 3, 4, 5, 6, 7, 8, 9,  /* .. F0 B0 W0 F1 B1 W1 F2 B2 W2 .. */
    };
    const struct vl_schedule_costs split = {.forward = 1, .backward = 1, .weight = 1};
    double begin[P * WIDTH], end[P * WIDTH];
    size_t live[P];
    struct vl_schedule_times times = {.begin = begin, .end = end, .live = live};
    makespan_of(one_by_one, &split, &times);
    for (size_t i = 0; i < P * WIDTH; i++) {
        assert_is(begin[i], truth[i]);
        assert_is(end[i], truth[i] + 1);
    }
    assert_int_equal(live[0], 2);
    assert_int_equal(live[1], 1);
    makespan_of(put_off, &split, &times);
    assert_int_equal(live[1], 2); /* a weight part put off keeps its activations */
    makespan_of(afab, &split, &times);
    assert_int_equal(live[0], 3);
}

/* The longest path: F0, a message, three micro-batches of 3 on stage 1, a message, B2 and W2. */
static void messages_take_their_time(void **state)
{
    (void)state;
    const struct vl_schedule_costs costs = {
        .forward = 1, .backward = 1, .weight = 1, .message = 0.25};
    struct vl_schedule_times times = {0};
    assert_is(makespan_of(one_by_one, &costs, &times), 11.5);
}

/* One stage takes twice as long: the one with the head, or the one with the embedding. */
static double one_is_long(void *context, size_t stage, const struct vl_task *task)
{
    const size_t *slow = context;
    (void)task;
    return stage == *slow ? 2 : 1;
}

/* Stage 1 slow: it works 18 without a pause, from 1 on; B2 is done 2 before its end, and B2 and W2
 * of stage 0 take 2. Stage 0 slow: it never waits. */
static void uneven_costs_make_the_busiest_stage_the_measure(void **state)
{
    (void)state;
    size_t slow = 1;
    const struct vl_schedule_costs costs = {.of = one_is_long, .context = &slow};
    struct vl_schedule_times times = {0};
    assert_is(makespan_of(one_by_one, &costs, &times), 19);
    assert_is(times.bubble_of_ideal, 1.0 / 18);
    assert_is(times.idle_share, 1 - 27.0 / 38);
    slow = 0;
    assert_is(makespan_of(one_by_one, &costs, &times), 18);
    assert_is(times.bubble_of_ideal, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schedules_that_hold_are_sound),
        cmocka_unit_test(a_task_that_there_is_not_is_named),
        cmocka_unit_test(a_doubled_task_is_named),
        cmocka_unit_test(a_forgotten_task_is_named),
        cmocka_unit_test(a_task_before_its_own_stages_is_too_early),
        cmocka_unit_test(a_chunk_before_the_chunk_it_needs_is_too_early),
        cmocka_unit_test(stages_that_wait_for_one_another_are_a_deadlock),
        cmocka_unit_test(a_deadlock_is_named_where_the_circle_is),
        cmocka_unit_test(sizes_and_costs_outside_the_contract_are_refused),
        cmocka_unit_test(makespans_are_those_worked_out_by_hand),
        cmocka_unit_test(begins_and_ends_are_those_of_the_drawing),
        cmocka_unit_test(messages_take_their_time),
        cmocka_unit_test(uneven_costs_make_the_busiest_stage_the_measure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
