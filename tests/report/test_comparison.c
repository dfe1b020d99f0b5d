/* A trace made by hand: what was measured is compared with what its schedule predicts, and a trace
 * that does not fit its schedule predicts nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/utf8.h"
#include "report/schedule/comparison.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * 1F1B, p = 2, m = 2, in microseconds after 1000; a message takes 5:
 *
 *             0   10  20  30  40  50  60  70  80
 *   rank 0    F0  F1  ....B0..W0..B1..W1  (25 late)
 *   rank 1        F0  B0  W0  F1  B1  W1
 */
struct task {
    int rank;
    char name;
    int micro_batch;
    double begin, length;
};
static const struct task as_measured[] = {
    {0, 'F', 0, 1000, 10}, {0, 'F', 1, 1010, 10}, {0, 'B', 0, 1040, 10}, {0, 'W', 0, 1050, 10},
    {0, 'B', 1, 1070, 10}, {0, 'W', 1, 1080, 10}, {1, 'F', 0, 1015, 10}, {1, 'B', 0, 1025, 10},
    {1, 'W', 0, 1035, 10}, {1, 'F', 1, 1045, 10}, {1, 'B', 1, 1055, 10}, {1, 'W', 1, 1065, 10},
};
enum { TASKS = sizeof as_measured / sizeof *as_measured };

static json_t *event_of(const struct task *task)
{
    char name[2] = {task->name, '\0'};
    return json_pack("{ss si si ss sf sf s{si si}}", "ph", "X", "pid", task->rank, "tid", 0, "name",
                     name, "ts", task->begin, "dur", task->length, "args", "chunk", 0,
                     "micro_batch", task->micro_batch);
}

/* A forward before the pipeline and an update after it are not part of it. */
static json_t *make_trace(void)
{
    json_t *events = json_array();
    const struct task around[] = {{0, 'F', 0, 900, 50}, {1, 'F', 0, 1100, 400}};
    for (int i = 0; i < 2; i++) {
        json_t *event = event_of(&around[i]);
        json_object_set_new(event, "name", json_string(i == 0 ? "forward" : "update"));
        json_object_del(event, "args");
        json_array_append_new(events, event);
    }
    for (size_t i = 0; i < TASKS; i++)
        json_array_append_new(events, event_of(&as_measured[i]));
    return json_pack("{so s{s{ss si si si s[ss] s[ii]}}}", "traceEvents", events, "otherData",
                     "schedule", "name", "1f1b", "stages", 2, "chunks", 1, "micro_batches", 2,
                     "tasks", "F0 F1 B0 W0 B1 W1", "F0 B0 W0 F1 B1 W1", "stage_of_rank", 0, 1);
}

static json_t *told_of(json_t *trace)
{
    return json_object_get(json_object_get(trace, "otherData"), "schedule");
}

struct read {
    struct vl_timeline *timeline;
    struct vl_comparison *comparison;
    const char *reason;
};

static struct read read_it(json_t *trace)
{
    struct read read = {0};
    assert_non_null(trace);
    assert_int_equal(vl_timeline_read(&read.timeline, trace, &read.reason), VL_OK);
    assert_int_equal(vl_comparison_read(&read.comparison, read.timeline, trace, &read.reason),
                     VL_OK);
    json_decref(trace);
    return read;
}

static void forget(struct read *read)
{
    vl_timeline_free(read->timeline);
    vl_comparison_free(read->comparison);
}

static void near(double value, double expected)
{
    if (!(fabs(value - expected) < 1e-9))
        fail_msg("%.17g, not %.17g", value, expected);
}

/* On paper: 60 of work and 20 of waiting on each stage; F1 of stage 1 begins at 40. */
static void measured_and_predicted_stand_side_by_side(void **state)
{
    (void)state;
    struct read read = read_it(make_trace());
    const struct vl_comparison *comparison = read.comparison;
    assert_null(read.reason);
    assert_non_null(comparison);
    assert_string_equal(comparison->name, "1f1b");
    near(comparison->measured_seconds, 90e-6); /* neither the forward before nor the update */
    near(comparison->predicted_seconds, 80e-6);
    near(comparison->measured_idle, 1 - 60.0 / 90);
    near(comparison->predicted_idle, 1 - 60.0 / 80);
    near(comparison->predicted_bubble, 20.0 / 60);
    assert_int_equal(comparison->stages[0].live, 2);
    assert_int_equal(comparison->stages[1].live, 1);
    assert_int_equal(comparison->has_more_ranks, 0);
    const struct vl_timeline *rows = comparison->timeline;
    assert_int_equal(rows->rank_count, 4);
    near(rows->seconds, 90e-6);
    near(rows->ranks[0].spans[0].begin, 0);
    near(rows->ranks[2].spans[0].begin, 15e-6);
    near(rows->ranks[3].spans[0].begin, 10e-6);
    assert_string_equal(rows->ranks[2].label, "stage 1 measured");
    assert_string_equal(rows->ranks[3].label, "stage 1 predicted");
    assert_int_equal(read.timeline->ranks[1].stage, 1);
    forget(&read);
}

/* Forwards of 5, 10 and 25: the median stays the same, what was measured does not. */
static void one_slow_task_changes_no_prediction(void **state)
{
    (void)state;
    json_t *trace = make_trace(), *told = told_of(trace);
    for (size_t i = 2; i < 2 + TASKS; i += 6) /* F0 of both ranks */
        json_object_set_new(json_array_get(json_object_get(trace, "traceEvents"), i), "dur",
                            json_real(5));
    json_object_set_new(told, "micro_batches", json_integer(3));
    json_t *rows = json_array();
    for (int rank = 0; rank < 2; rank++) {
        json_array_append_new(rows, json_string("F0 F1 F2 B0 W0 B1 W1 B2 W2"));
        for (int kind = 0; kind < 3; kind++) {
            struct task late = {rank, "FBW"[kind], 2, 1100 + 30 * kind, kind == 0 ? 25 : 10};
            json_array_append_new(json_object_get(trace, "traceEvents"), event_of(&late));
        }
    }
    json_object_set_new(told, "tasks", rows);
    struct read read = read_it(trace);
    assert_non_null(read.comparison);
    near(read.comparison->predicted_seconds, 110e-6); /* p = 2, m = 3, all of 10: 11 tasks */
    near(read.comparison->measured_seconds, 170e-6);
    near(read.comparison->measured_idle, 1 - 100.0 / 170);
    forget(&read);
}

static void replicas_show_their_first(void **state)
{
    (void)state;
    json_t *trace = make_trace();
    for (size_t i = 0; i < TASKS; i++) {
        struct task other = as_measured[i];
        other.rank += 2;
        other.length *= 0.5;
        json_array_append_new(json_object_get(trace, "traceEvents"), event_of(&other));
    }
    json_object_set_new(told_of(trace), "stage_of_rank", json_pack("[iiii]", 0, 1, 0, 1));
    struct read read = read_it(trace);
    assert_non_null(read.comparison);
    assert_int_equal(read.comparison->has_more_ranks, 1);
    assert_int_equal(read.comparison->stages[1].rank, 1);
    near(read.comparison->predicted_seconds, 80e-6);
    forget(&read);
}

/* What a pipeline sends to the next stage is not a gradient of its weights. */
static void bytes_to_other_stages_are_no_gradients(void **state)
{
    (void)state;
    json_t *trace = make_trace(), *events = json_object_get(trace, "traceEvents");
    for (int peer = 0; peer < 3; peer += 2) /* stage 0 again is rank 2 */
        json_array_append_new(events,
                              json_pack("{ss si si ss si si s{si si si}}", "ph", "X", "pid", 1,
                                        "tid", 1, "name", "MPI_Isend", "ts", 1040, "dur", 5, "args",
                                        "peer", peer, "bytes", 100 + peer, "tag", 1));
    struct task other = {2, 'F', 0, 1000, 1};
    json_array_append_new(events, event_of(&other));
    json_object_set_new(told_of(trace), "stage_of_rank", json_pack("[iii]", 0, 1, 1));
    struct read read = read_it(trace);
    struct vl_timeline_facts facts;
    assert_int_equal(vl_timeline_measure(&facts, read.timeline), VL_OK);
    assert_int_equal(facts.ranks[1].sent_bytes, 202);
    assert_int_equal(facts.ranks[1].gradient_bytes, 102);
    forget(&read);
}

static void a_trace_without_a_pipeline_has_no_comparison(void **state)
{
    (void)state;
    json_t *trace = make_trace();
    json_object_del(json_object_get(trace, "otherData"), "schedule");
    struct read read = read_it(trace);
    assert_null(read.comparison);
    assert_null(read.reason);
    assert_int_equal(read.timeline->ranks[1].stage, -1);
    forget(&read);
}

static void assert_not_predicted(json_t *trace)
{
    struct read read = read_it(trace);
    assert_null(read.comparison);
    assert_non_null(read.reason);
    assert_non_null(strstr(read.reason, "nothing is predicted"));
    forget(&read);
}

static void what_does_not_fit_predicts_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *key, *value;
    } wrong[] = {
        {"name", "7"},
        {"stages", "0"},
        {"stages", "3"},
        {"stages", "2.5"},
        {"stages", "99999999999999"},
        {"chunks", "-1"},
        {"chunks", "8193"},
        {"micro_batches", "null"},
        {"micro_batches", "8192"},
        {"tasks", "7"},
        {"tasks", "[]"},
        {"tasks", "[7, \"F0\"]"},
        {"tasks", "[\"F0 F1 B0 W0 B1 W1\", \"F0 B0 W0 F1 B1\"]"},
        {"tasks", "[\"F0 F1 B0 W0 B1 W1\", \"F0\\nB0 W0 F1 B1 W1\"]"},
        {"tasks", "[\"B0 F0 F1 W0 B1 W1\", \"F0 B0 W0 F1 B1 W1\"]"},
        {"stage_of_rank", "[0]"},
        {"stage_of_rank", "[0, 2]"},
        {"stage_of_rank", "[0, -1]"},
        {"stage_of_rank", "[0, \"1\"]"},
        {"stage_of_rank", "[0, 0]"},
        {"stage_of_rank", "7"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        json_t *trace = make_trace();
        json_object_set_new(told_of(trace), wrong[i].key,
                            json_loads(wrong[i].value, JSON_DECODE_ANY, NULL));
        assert_not_predicted(trace);
    }
    json_t *trace = make_trace();
    json_object_set_new(json_object_get(trace, "otherData"), "schedule", json_integer(1));
    assert_not_predicted(trace);
}

/* Spans: one missing, one twice, one twice at the end, one that is not in the schedule. */
static void spans_that_are_not_the_schedules_predict_nothing(void **state)
{
    (void)state;
    json_t *trace = make_trace();
    json_array_remove(json_object_get(trace, "traceEvents"), 5);
    assert_not_predicted(trace);
    trace = make_trace();
    json_array_append_new(json_object_get(trace, "traceEvents"), event_of(&as_measured[3]));
    assert_not_predicted(trace);
    struct task again = {1, 'W', 1, 1200, 10};
    trace = make_trace();
    json_array_append_new(json_object_get(trace, "traceEvents"), event_of(&again));
    assert_not_predicted(trace);
    trace = make_trace(); /* W0 instead of B1 */
    json_array_set_new(json_object_get(trace, "traceEvents"), 2 + 4, event_of(&as_measured[3]));
    assert_not_predicted(trace);
    trace = make_trace();
    struct task strange = {0, 'F', 2, 1000, 1};
    json_array_append_new(json_object_get(trace, "traceEvents"), event_of(&strange));
    assert_not_predicted(trace);
}

/* A layer's work lies inside a task; only the tasks and the update are shown. */
static void layers_inside_tasks_are_not_shown(void **state)
{
    (void)state;
    json_t *trace = make_trace();
    json_array_append_new(json_object_get(trace, "traceEvents"),
                          json_pack("{ss si si ss si si s{si}}", "ph", "X", "pid", 0, "tid", 0,
                                    "name", "backward", "ts", 1001, "dur", 8, "args", "unit", 7));
    struct read read = read_it(trace);
    size_t shown = 0, bytes;
    for (size_t i = 0; i < read.timeline->ranks[0].count; i++)
        shown +=
            (size_t)vl_timeline_shows(&read.timeline->ranks[0], &read.timeline->ranks[0].spans[i]);
    assert_int_equal(shown, 6);
    char *text = NULL;
    struct vl_terminal terminal = {.columns = 120, .stream = open_memstream(&text, &bytes)};
    assert_int_equal(vl_timeline_draw(read.timeline, 0, &terminal), VL_OK);
    fclose(terminal.stream);
    assert_null(strchr(text, '7'));
    free(text);
    forget(&read);
}

static char *drawn(const struct vl_comparison *comparison, int columns)
{
    char *text = NULL;
    size_t bytes;
    struct vl_terminal terminal = {.columns = columns, .stream = open_memstream(&text, &bytes)};
    assert_int_equal(vl_comparison_draw(comparison, &terminal), VL_OK);
    fclose(terminal.stream);
    return text;
}

/* 18 columns of names, and 54 for ninety microseconds: six per task. */
static void the_drawing_is_this_one(void **state)
{
    (void)state;
    struct read read = read_it(make_trace());
    char *text = drawn(read.comparison, 18 + 54);
    assert_non_null(
        strstr(text, "stage 0 measured  ffF0ffFFF1FF............bbB0bbwwW0ww......BBB1BBWWW1WW\n"
                     "stage 0 predicted ffF0ffFFF1FF......bbB0bbwwW0ww......BBB1BBWWW1WW\n"
                     "stage 1 measured  .........ffF0ffbbB0bbwwW0wwFFF1FFBBB1BBWWW1WW.........\n"
                     "stage 1 predicted ......ffF0ffbbB0bbwwW0wwFFF1FFBBB1BBWWW1WW......\n"));
    assert_non_null(strstr(text, "33.3% measured, 25.0% predicted"));
    assert_non_null(strstr(text, " +8.3\n"));
    free(text);
    text = drawn(read.comparison, 60);
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"))
        assert_true(vl_utf8_width(line) <= 60);
    free(text);
    forget(&read);
}

static void pictures_and_numbers_for_machines_are_whole(void **state)
{
    (void)state;
    json_t *trace = make_trace();
    json_object_set_new(told_of(trace), "name", json_string("<script>\x01"));
    struct read read = read_it(trace);
    char *title = vl_comparison_title(read.comparison), *svg;
    const struct vl_timeline_part parts[] = {{read.timeline, NULL},
                                             {read.comparison->timeline, title}};
    assert_int_equal(vl_timeline_svg(&svg, parts, 2), VL_OK);
    assert_null(strstr(svg, "<script"));
    assert_non_null(strstr(svg, "stage 1 predicted"));
    assert_non_null(strstr(svg, "weight part of backward"));
    assert_non_null(strstr(svg, "<title>W1: at 0.080\u00a0ms, for 0.010\u00a0ms</title>"));
    free(svg);
    free(title);
    json_t *json = vl_comparison_json(read.comparison);
    near(json_number_value(json_object_get(json, "difference_points")),
         100 * (60.0 / 80 - 60.0 / 90));
    assert_int_equal(json_array_size(json_object_get(json, "rows")), 2);
    json_decref(json);
    forget(&read);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measured_and_predicted_stand_side_by_side),
        cmocka_unit_test(one_slow_task_changes_no_prediction),
        cmocka_unit_test(replicas_show_their_first),
        cmocka_unit_test(bytes_to_other_stages_are_no_gradients),
        cmocka_unit_test(a_trace_without_a_pipeline_has_no_comparison),
        cmocka_unit_test(what_does_not_fit_predicts_nothing),
        cmocka_unit_test(spans_that_are_not_the_schedules_predict_nothing),
        cmocka_unit_test(layers_inside_tasks_are_not_shown),
        cmocka_unit_test(the_drawing_is_this_one),
        cmocka_unit_test(pictures_and_numbers_for_machines_are_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
