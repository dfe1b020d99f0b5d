/* Memory of gradients in flight: as little as the schedule allows, and never reused too soon. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "base/random.h"
#include "engine/model/model.h"
#include "engine/schedule/schedule_make.h"

enum { SEED = 7, TRIALS = 20 };

static struct vl_schedule schedule;
static struct vl_schedule_problem problem;
static size_t *slots, *counts;

static int forget(void **state)
{
    (void)state;
    vl_schedule_free(&schedule);
    free(slots);
    free(counts);
    slots = counts = NULL;
    return 0;
}

static void look_at(size_t stage)
{
    free(slots);
    free(counts);
    slots = calloc(schedule.chunks * schedule.micro_batches, sizeof *slots);
    counts = calloc(schedule.chunks, sizeof *counts);
    assert_int_equal(vl_schedule_flight(slots, counts, &schedule, stage), VL_OK);
}

static void make(const char *name, size_t p, size_t v, size_t m)
{
    vl_schedule_free(&schedule);
    assert_int_equal(vl_schedule_make(&schedule, name, p, v, m, &problem), VL_OK);
}

static void parse(const char *text)
{
    vl_schedule_free(&schedule);
    schedule = (struct vl_schedule){0};
    assert_int_equal(vl_schedule_parse(&schedule, text, &problem), VL_OK);
}

/* 1F1B: the forward that stage 1 waits for shows that the gradient before the last has arrived. */
static void one_forward_one_backward_needs_the_same_memory_for_any_number(void **state)
{
    (void)state;
    for (size_t m = 8; m <= 512; m *= 8) {
        make("1f1b", 2, 1, m);
        look_at(1);
        assert_int_equal(counts[0], 2);
        look_at(0); /* no stage is before it */
        assert_int_equal(counts[0], 0);
    }
}

static void all_backward_in_a_row_may_all_be_under_way(void **state)
{
    (void)state;
    make("afab", 3, 1, 6);
    look_at(1);
    assert_int_equal(counts[0], 6);
}

/* Stage 0 takes the gradients in the other order: none has arrived before the last is made. */
static void a_gradient_that_is_wanted_last_keeps_its_memory(void **state)
{
    (void)state;
    parse("F0 F1 F2 B2 W2 B1 W1 B0 W0\nF0 B0 W0 F1 B1 W1 F2 B2 W2");
    look_at(1);
    assert_int_equal(counts[0], 3);
    assert_true(slots[0] != slots[1] && slots[1] != slots[2] && slots[0] != slots[2]);
}

static void what_does_not_hold_has_no_memory(void **state)
{
    (void)state;
    size_t one[2], two[2];
    parse("F0 B0 W0 F1 B1 W1\nF1 B1 W1 F0 B0 W0");
    assert_int_equal(vl_schedule_flight(one, two, &schedule, 1), VL_EINVAL);
    make("1f1b", 2, 1, 2);
    assert_int_equal(vl_schedule_flight(one, two, &schedule, 2), VL_EINVAL);
}

/* What 1F1B is for: a model's stage needs the same memory for any number of micro-batches. */
static void a_stage_takes_the_same_memory_for_any_number(void **state)
{
    (void)state;
    static const size_t borders[] = {0, 1, 2};
    size_t bytes[2];
    for (size_t i = 0; i < 2; i++) {
        struct vl_model *model;
        make("1f1b", 2, 1, i == 0 ? 8 : 64);
        const struct vl_model_plan plan = {.shape = {2, 16, 2, 16, 16, 8},
                                           .rows = 1,
                                           .kind = VL_MODEL_LEARNS,
                                           .schedule = &schedule,
                                           .stages = MPI_COMM_NULL,
                                           .stage = 1,
                                           .borders = borders};
        assert_int_equal(vl_model_create_part(&model, &plan), VL_OK);
        bytes[i] = vl_model_activation_bytes(model);
        vl_model_free(model);
    }
    assert_int_equal(bytes[0], bytes[1]);
}

/* ---- in any run ---- */

static double any_time(void *context, size_t stage, const struct vl_task *task)
{
    const uint64_t *trial = context;
    uint64_t place = ((uint64_t)stage << 32) + ((uint64_t)task->kind << 24) +
                     ((uint64_t)task->chunk << 16) + task->micro_batch;
    return (double)vl_random_below(100, SEED, *trial, place);
}

static double time_of(const double *times, size_t k, size_t micro)
{
    size_t width = 3 * schedule.chunks * schedule.micro_batches, stage = k % schedule.stages;
    for (size_t i = stage * width; i < (stage + 1) * width; i++)
        if (schedule.tasks[i].kind == VL_TASK_BACKWARD &&
            schedule.tasks[i].chunk == k / schedule.stages &&
            schedule.tasks[i].micro_batch == micro)
            return times[i];
    fail();
    return 0;
}

/* Of two gradients in one slot, the earlier one has been used before the later one is begun. */
static void check_pairs(const struct vl_schedule_times *times, size_t k)
{
    size_t m = schedule.micro_batches;
    const size_t *own = slots + k / schedule.stages * m;
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++)
            if (i != j && own[i] == own[j] &&
                time_of(times->begin, k, i) < time_of(times->begin, k, j))
                assert_true(time_of(times->end, k - 1, i) <= time_of(times->begin, k, j));
}

static void check_all_runs(void)
{
    size_t all = 3 * schedule.stages * schedule.chunks * schedule.micro_batches;
    struct vl_schedule_times times = {.begin = calloc(all, sizeof(double)),
                                      .end = calloc(all, sizeof(double))};
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        const struct vl_schedule_costs costs = {.of = any_time, .context = &trial};
        assert_int_equal(vl_schedule_simulate(&times, &schedule, &costs), VL_OK);
        for (size_t k = 1; k < schedule.stages * schedule.chunks; k++) {
            look_at(k % schedule.stages);
            check_pairs(&times, k);
        }
    }
    free(times.begin);
    free(times.end);
}

static void shared_memory_is_free_in_whatever_times_tasks_take(void **state)
{
    (void)state;
    for (size_t i = 0; vl_schedule_name(i) != NULL; i++)
        for (size_t p = 2; p <= 4; p++) {
            make(vl_schedule_name(i), p, i == VL_NAMED_INTERLEAVED ? 3 : 1, 3 * p);
            check_all_runs();
        }
    parse("F0 F1 F2 B2 W2 B0 W0 B1 W1\nF0 F2 B2 B0 F1 B1 W2 W1 W0");
    check_all_runs();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(one_forward_one_backward_needs_the_same_memory_for_any_number,
                                  forget),
        cmocka_unit_test_teardown(all_backward_in_a_row_may_all_be_under_way, forget),
        cmocka_unit_test_teardown(a_gradient_that_is_wanted_last_keeps_its_memory, forget),
        cmocka_unit_test_teardown(what_does_not_hold_has_no_memory, forget),
        cmocka_unit_test_teardown(a_stage_takes_the_same_memory_for_any_number, forget),
        cmocka_unit_test_teardown(shared_memory_is_free_in_whatever_times_tasks_take, forget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
