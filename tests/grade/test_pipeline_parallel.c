/*
 * Lab 07's cases as a whole, without starting any rank: the oracle's orders are those of the header
 * and of the formulas, truths pass, and an inspector names what is broken.
 */
#include "engine/schedule/schedule.h"
#include "grade/catalogue/shapes.h"
#include "grade/labs/07_pipeline_parallel/pipeline_parallel.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "grade/whole_lab.h"

static const struct vl_lab_cases *all(void)
{
    return vl_lab_cases(vl_lab_find("07"));
}

enum { MOST = 8 * 3 * 4 * 24 };

/* ---- the oracle, against a hand ---- */

static void assert_row(enum vl_oracle_order order, const struct vl_oracle_pipe *pipe, size_t stage,
                       const char *text)
{
    struct vl_oracle_task row[MOST];
    char got[256] = "";
    vl_oracle_order_row(row, order, pipe, stage);
    for (size_t i = 0; i < 3 * pipe->chunks * pipe->micro_batches; i++)
        snprintf(got + strlen(got), sizeof got - strlen(got), "%s%c%zu", i > 0 ? " " : "",
                 "FBW"[row[i].pass], row[i].micro_batch);
    assert_string_equal(got, text);
}

static void the_drawings_of_the_header_are_the_oracles(void **state)
{
    (void)state;
    const struct vl_oracle_pipe pipe = {2, 1, 3};
    assert_row(VL_ORACLE_AFAB, &pipe, 0, "F0 F1 F2 B0 W0 B1 W1 B2 W2");
    assert_row(VL_ORACLE_AFAB, &pipe, 1, "F0 F1 F2 B0 W0 B1 W1 B2 W2");
    assert_row(VL_ORACLE_1F1B, &pipe, 0, "F0 F1 B0 W0 F2 B1 W1 B2 W2");
    assert_row(VL_ORACLE_1F1B, &pipe, 1, "F0 B0 W0 F1 B1 W1 F2 B2 W2");
    /* Stage 1 puts each weight part off by one micro-batch. */
    assert_row(VL_ORACLE_ZB_H1, &pipe, 0, "F0 F1 B0 W0 F2 B1 W1 B2 W2");
    assert_row(VL_ORACLE_ZB_H1, &pipe, 1, "F0 B0 F1 B1 W0 F2 B2 W1 W2");
}

static void chunks_are_visited_in_groups(void **state)
{
    (void)state;
    const struct vl_oracle_pipe pipe = {2, 2, 4};
    struct vl_oracle_task row[MOST];
    static const size_t chunks[] = {0, 0, 1, 1, 0, 0, 1, 1}, micro[] = {0, 1, 0, 1, 2, 3, 2, 3};
    size_t n[3] = {0};
    vl_oracle_order_row(row, VL_ORACLE_INTERLEAVED, &pipe, 0);
    for (size_t i = 0; i < 24; i++) {
        size_t at = n[row[i].pass]++;
        assert_int_equal(row[i].chunk,
                         row[i].pass == VL_ORACLE_FORWARD ? chunks[at] : 1 - chunks[at]);
        assert_int_equal(row[i].micro_batch, micro[at]);
    }
    /* Two for the stage below, a group on the other chunk, and the one in work. */
    assert_int_equal(vl_oracle_alive(VL_ORACLE_INTERLEAVED, &pipe, 0), 5);
    assert_int_equal(vl_oracle_alive(VL_ORACLE_INTERLEAVED, &pipe, 1), 3);
}

/* Simulated: the orders are sound, and cost what the closed forms say. */
static void orders_hold_and_cost_what_the_formulas_say(void **state)
{
    (void)state;
    static const struct vl_schedule_costs whole = {.forward = 1, .backward = 2};
    static struct vl_task tasks[MOST];
    struct vl_oracle_task row[MOST];
    size_t live[8];
    for (size_t n = 0; n < 8 * 4 * 3 * 3; n++) {
        size_t p = n % 8 + 1, v = n / 8 % 4 + 1, m = p * (n / 32 % 3 + 1);
        enum vl_oracle_order order = (enum vl_oracle_order)(n / 96);
        const struct vl_oracle_pipe pipe = {p, v, m};
        const struct vl_schedule schedule = {p, v, m, tasks};
        struct vl_schedule_times times = {.live = live};
        if (v > 1 && order != VL_ORACLE_INTERLEAVED)
            continue;
        for (size_t i = 0; i < p * 3 * v * m; i++) {
            if (i % (3 * v * m) == 0)
                vl_oracle_order_row(row, order, &pipe, i / (3 * v * m));
            const struct vl_oracle_task *t = &row[i % (3 * v * m)];
            tasks[i] = (struct vl_task){(enum vl_task_kind)t->pass, (uint32_t)t->chunk,
                                        (uint32_t)t->micro_batch};
        }
        assert_int_equal(vl_schedule_simulate(&times, &schedule, &whole), VL_OK);
        assert_true(fabs(times.bubble_of_ideal - vl_oracle_bubble(&pipe)) < 1e-12);
        for (size_t stage = 0; stage < p; stage++)
            assert_int_equal(live[stage], vl_oracle_alive(order, &pipe, stage));
    }
}

static void messages_go_to_the_next_virtual_stage(void **state)
{
    (void)state;
    const struct vl_oracle_pipe pipe = {3, 2, 3};
    const struct vl_oracle_task up = {VL_ORACLE_FORWARD, 0, 1}, down = {VL_ORACLE_BACKWARD, 1, 1},
                                weight = {VL_ORACLE_WEIGHT, 1, 1};
    struct vl_oracle_task other;
    assert_int_equal(vl_oracle_peer(&other, &pipe, 2, &up, 1), 0); /* stage 2, chunk 0 -> 0, 1 */
    assert_int_equal(other.chunk, 1);
    assert_int_equal(vl_oracle_peer(&other, &pipe, 0, &up, -1), -1);
    assert_int_equal(vl_oracle_peer(&other, &pipe, 0, &down, 1), 2);
    assert_int_equal(other.chunk, 0);
    assert_int_equal(vl_oracle_peer(&other, &pipe, 2, &down, -1), -1);
    assert_int_equal(vl_oracle_peer(&other, &pipe, 1, &weight, 1), -1);
}

/* Two stages, one micro-batch, one number: x = 4, c = 1 and 2, target 3. */
static void the_toy_is_worked_out_by_hand(void **state)
{
    (void)state;
    struct vl_bag *inputs = vl_bag_create(), *answer = vl_bag_create();
    static const char *const names[] = {"stages", "chunks", "micro_batches", "order", "n"};
    static const int64_t sizes[] = {2, 1, 1, VL_ORACLE_1F1B, 1};
    for (size_t i = 0; i < 5; i++)
        assert_true(vl_bag_set_int(inputs, names[i], sizes[i]));
    float *c = vl_bag_add_f32(inputs, "c", 2, 1);
    c[0] = 1;
    c[1] = 2;
    *vl_bag_add_f32(inputs, "first", 1, 1) = 4;
    *vl_bag_add_f32(inputs, "target", 1, 1) = 3;
    assert_int_equal(vl_truth_pipe_whole(answer, inputs), VL_OK);
    /* y = 4/2 + 1 = 3, then 3/2 + 2 = 3.5; dy = 0.5, then 0.5/2 + 3 = 3.25 */
    assert_true(vl_bag_f64(answer, "x@1")[0] == 3);
    assert_true(vl_bag_f64(answer, "dy@1")[0] == 0.5);
    assert_true(vl_bag_f64(answer, "dy@0")[0] == 3.25);
    assert_true(vl_bag_f64(answer, "gradients@0")[0] == 3.25);
    vl_bag_free(inputs);
    vl_bag_free(answer);
}

static void the_figures_are_those_of_the_text(void **state)
{
    (void)state;
    struct vl_bag *answer = vl_bag_create(), *inputs = vl_bag_create();
    assert_int_equal(vl_shapes_put(inputs, vl_lab_find("07"), NULL), VL_OK);
    assert_int_equal(vl_truth_predict_pipe_bubble(answer, inputs), VL_OK);
    assert_int_equal(vl_truth_predict_pipe_chunked(answer, inputs), VL_OK);
    assert_int_equal(vl_truth_predict_pipe_live(answer, inputs), VL_OK);
    assert_int_equal(vl_truth_predict_pipe_sent(answer, inputs), VL_OK);
    vl_bag_free(inputs);
    assert_true(fabs(vl_bag_real(answer, "bubble_of_ideal") - 0.375) < 1e-15);
    assert_true(fabs(vl_bag_real(answer, "bubble_chunked") - 0.1875) < 1e-15);
    assert_int_equal(vl_bag_int(answer, "live_first"), 4);
    assert_int_equal(vl_bag_int(answer, "step_bytes"), 1048576);
    vl_bag_free(answer);
}

/* ---- truths ---- */

static const struct vl_case *case_of(const char *id)
{
    for (size_t i = 0; i < all()->case_count; i++)
        if (strcmp(all()->cases[i].id, id) == 0)
            return &all()->cases[i];
    fail_msg("%s", id);
    return NULL;
}

/* All cases but those that only an inspector decides. */
static struct vl_lab_cases with_truths(void)
{
    static struct vl_case kept[128];
    struct vl_lab_cases asked = {.cases = kept};
    for (size_t i = 0; i < all()->case_count; i++)
        if (all()->cases[i].truth != vl_truth_pipe_status)
            kept[asked.case_count++] = all()->cases[i];
    return asked;
}

/* On the first stage of an interleaved pipeline with one group, every chunk is alive. */
static void a_stage_where_all_chunks_live_is_asked_for(void **state)
{
    (void)state;
    for (size_t i = 0; i < SEEDS; i++) {
        struct vl_bag *inputs = inputs_of(case_of("live_interleaved.chunks"), seeds[i]);
        const int32_t *row = &vl_bag_i32(inputs, "sizes")[4 * 2]; /* p, v, m, stage */
        assert_int_equal(row[2], row[0]);
        assert_true(2 * (row[0] - row[3] - 1) + (row[1] - 1) * row[0] + 1 > row[1] * row[2]);
        vl_bag_free(inputs);
    }
}

static void the_truth_passes_every_case(void **state)
{
    (void)state;
    struct vl_lab_cases asked = with_truths();
    assert_truths_pass(&asked, "share");
}

/* ---- inspectors ---- */

/* What is planted into an answer: number 'at' of the array becomes 'value'. */
struct planted {
    const char *array;
    size_t at;
    int64_t value;
};

/* The truth of a case with something planted into it must get this code. Only for cases on one rank
 * whose answer needs no run. */
static void assert_planted(const char *id, const struct vl_bag *inputs, struct vl_bag *outputs,
                           const struct planted *planted, size_t count, const char *code,
                           const char *words)
{
    const struct vl_case *c = case_of(id);
    struct vl_case_result result = {0};
    for (size_t i = 0; i < count; i++)
        ((int64_t *)vl_bag_find(outputs, planted[i].array)->data)[planted[i].at] = planted[i].value;
    assert_int_equal(judge_and_explain(&result, c, 1, inputs, outputs, NULL), VL_OK);
    if (result.code == NULL || strcmp(result.code, code) != 0)
        fail_msg("%s: %s instead of %s: %s", id, result.code, code, result.message);
    if (strstr(result.message, words) == NULL)
        fail_msg("%s: %s", code, result.message);
    free(result.code);
    free(result.message);
}

struct scene {
    struct vl_bag *inputs, *outputs;
    struct vl_pipe pipe;
};

static struct scene right_answer(const char *id)
{
    const struct vl_case *c = case_of(id);
    struct scene s = {.inputs = vl_bag_create(), .outputs = vl_bag_create()};
    assert_int_equal(c->make(s.inputs, c, 1), VL_OK);
    assert_int_equal(c->truth(s.outputs, s.inputs), VL_OK);
    assert_true(vl_bag_set_int(s.outputs, "status", VL_OK) || 1);
    s.pipe = vl_pipe_read(s.inputs);
    return s;
}

static void leave_scene(struct scene *s)
{
    vl_bag_free(s->inputs);
    vl_bag_free(s->outputs);
}

static int64_t *numbers(const struct scene *s, const char *name)
{
    return (int64_t *)vl_bag_find(s->outputs, name)->data;
}

/* Write a stage's row that keeps 'alive' micro-batches alive. */
static void put_row(const struct vl_bag *outputs, const struct vl_pipe *pipe, size_t stage,
                    size_t alive)
{
    struct vl_oracle_task row[MOST];
    int64_t *tasks = (int64_t *)vl_bag_find(outputs, "tasks")->data + 3 * stage * pipe->width;
    vl_oracle_row(row, &pipe->size, alive, 0, pipe->size.stages);
    for (size_t i = 0; i < pipe->width; i++) {
        *tasks++ = (int64_t)row[i].pass;
        *tasks++ = (int64_t)row[i].chunk;
        *tasks++ = (int64_t)row[i].micro_batch;
    }
}

static void a_broken_schedule_is_named(void **state)
{
    (void)state;
    static const char *const id = "schedule_1f1b.p4";
    /* Stage 3 begins with F0 B0 W0 F1 B1 W1: three numbers a task. */
    struct scene s = right_answer(id);
    size_t last = 3 * 3 * s.pipe.width;
    const struct planted early[] = {{"tasks", last, 1}, {"tasks", last + 3, 0}},
                         twice[] = {{"tasks", last + 9 + 2, 0}}, empty[] = {{"tasks", last, 3}},
                         strange[] = {{"tasks", last + 2, 99}};
    assert_planted(id, s.inputs, s.outputs, early, 2, "task_too_early", "Stage 3 has B0");
    leave_scene(&s);
    s = right_answer(id);
    assert_planted(id, s.inputs, s.outputs, twice, 1, "task_twice", "Stage 3 does F0 twice");
    leave_scene(&s);
    s = right_answer(id);
    assert_planted(id, s.inputs, s.outputs, empty, 1, "task_missing", "Stage 3 never does F0");
    leave_scene(&s);
    s = right_answer(id);
    assert_planted(id, s.inputs, s.outputs, strange, 1, "unknown_task", "F99");
    leave_scene(&s);
    /* Stage 0 waits for a gradient before it does F1, and stage 1 for F1 before it gives one. */
    s = right_answer(id);
    put_row(s.outputs, &s.pipe, 0, 1);
    assert_planted(id, s.inputs, s.outputs, NULL, 0, "deadlock", "Before B0, stage 0 waits");
    leave_scene(&s);
}

static void messages_that_do_not_meet_are_named(void **state)
{
    (void)state;
    static const char *const two = "schedule_actions.p2_1f1b", *const four =
                                                                   "schedule_actions.p4_1f1b";
    enum { TAGS, TO_ITSELF, NOBODY, COLLIDE, PEER, TRIALS };
    static const char *const codes[] = {"tag_mismatch", "message_to_itself", "receive_missing",
                                        "tags_collide", "peer_mismatch"};
    for (int trial = 0; trial < TRIALS; trial++) {
        const char *id = trial == PEER ? four : two;
        struct scene s = right_answer(id);
        size_t most = s.pipe.most;
        int64_t *table = numbers(&s, "actions"), *counts = numbers(&s, "counts"),
                *tags =
                    vl_bag_add(s.outputs, "tags", VL_I64, 2, (size_t[]){s.pipe.size.stages, most});
        for (size_t i = 0; i < s.pipe.size.stages * most; i++) {
            const int64_t *a = &table[5 * i];
            if (a[0] > VL_ACTION_COMPUTE)
                tags[i] = 2 * a[3] + a[1];
        }
        /* Stage 0: F0, send F0, ...; stage 1: receive F0, F0, B0, send B0, ... */
        assert_int_equal(table[5], VL_ACTION_SEND);
        assert_int_equal(table[5 * most], VL_ACTION_RECEIVE);
        struct planted planted = {"tags", most, 77};
        if (trial == PEER || trial == TO_ITSELF) /* stage 0 sends its first message elsewhere */
            planted = (struct planted){"actions", 9, trial == PEER ? 2 : 0};
        if (trial == NOBODY) { /* the receive is left out */
            memmove(&table[5 * most], &table[5 * (most + 1)],
                    5 * (size_t)(counts[1] - 1) * sizeof *table);
            memmove(&tags[most], &tags[most + 1], (size_t)(counts[1] - 1) * sizeof *tags);
            planted = (struct planted){"counts", 1, counts[1] - 1};
        }
        if (trial == COLLIDE) { /* F1 of stage 0 takes the tag of F0, at both ends */
            for (size_t i = 0; i < s.pipe.size.stages * most; i++)
                if (table[5 * i] > VL_ACTION_COMPUTE && table[5 * i + 1] == 0 &&
                    table[5 * i + 3] == 1)
                    tags[i] = 0;
            planted = (struct planted){"tags", 1, 0};
        }
        assert_planted(id, s.inputs, s.outputs, &planted, 1, codes[trial], "Stage");
        leave_scene(&s);
    }
}

static void schedules_that_cost_too_much_are_told_so(void **state)
{
    (void)state;
    static const struct {
        const char *id, *code;
        size_t alive;
    } trials[] = {{"live_chunks.1f1b_p4", "too_many_alive", 99},
                  {"bubble.1f1b_p4", "bubble_too_large", 1}};
    for (size_t t = 0; t < 2; t++) {
        struct scene s = right_answer(trials[t].id);
        assert_non_null(vl_bag_add(s.outputs, "tasks", VL_I64, 2,
                                   (size_t[]){s.pipe.size.stages * s.pipe.width, 3}));
        for (size_t stage = 0; stage < s.pipe.size.stages; stage++)
            put_row(s.outputs, &s.pipe, stage, trials[t].alive);
        assert_planted(trials[t].id, s.inputs, s.outputs, NULL, 0, trials[t].code,
                       "The schedule is valid");
        leave_scene(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_drawings_of_the_header_are_the_oracles),
        cmocka_unit_test(chunks_are_visited_in_groups),
        cmocka_unit_test(orders_hold_and_cost_what_the_formulas_say),
        cmocka_unit_test(messages_go_to_the_next_virtual_stage),
        cmocka_unit_test(the_toy_is_worked_out_by_hand),
        cmocka_unit_test(the_figures_are_those_of_the_text),
        cmocka_unit_test(a_stage_where_all_chunks_live_is_asked_for),
        cmocka_unit_test(the_truth_passes_every_case),
        cmocka_unit_test(a_broken_schedule_is_named),
        cmocka_unit_test(messages_that_do_not_meet_are_named),
        cmocka_unit_test(schedules_that_cost_too_much_are_told_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
