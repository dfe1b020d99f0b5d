/*
 * Lab 10's cases as a whole, without a runner: truths pass, every division that is drawn is
 * possible, and the sealed numbers are those of the text.
 */
#include "grade/catalogue/shapes.h"
#include "grade/judge/inspect.h"
#include "grade/labs/10_bandwidth/bandwidth.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "grade/whole_lab.h"

static const struct vl_lab_cases *all(void)
{
    return vl_lab_cases(vl_lab_find("10"));
}

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-12 * fabs(expected)))
        fail_msg("%.17g instead of %.17g", value, expected);
}

static const struct vl_case *case_of(const char *id)
{
    for (size_t i = 0; i < all()->case_count; i++)
        if (strcmp(all()->cases[i].id, id) == 0)
            return &all()->cases[i];
    fail_msg("no case %s", id);
    return NULL;
}

/* ---- what is drawn ---- */

/* What occurs somewhere in the cases of all seeds. */
struct seen {
    int across, exact_share, cut_share, interleaved, dense, sparse, whole_batch, cut_batch;
    int shared_keys, two_matrices, groups, one_ring;
    int zero[4], keep[3];
};

static void see(struct seen *seen, const struct vl_plan *plan, const struct vl_group *group)
{
    const struct vl_blueprint *m = &plan->setting.model;
    const struct vl_division *d = &plan->division;
    size_t parts = d->data * d->expert * d->micro_batches;
    seen->across += group->inside > 1 && group->across > 1;
    *(m->layers % (d->pipeline * d->chunks) == 0 ? &seen->exact_share : &seen->cut_share) += 1;
    seen->interleaved += d->chunks > 1;
    *(m->experts == 0 ? &seen->dense : &seen->sparse) += 1;
    *(plan->setting.recipe.batch % parts == 0 ? &seen->whole_batch : &seen->cut_batch) += 1;
    seen->shared_keys += m->kv_heads < m->heads;
    seen->two_matrices += m->ff_matrices == 2;
    seen->groups += m->groups_met < m->expert_groups;
    seen->one_ring += plan->setting.cluster.levels == 1;
    seen->zero[d->zero]++;
    seen->keep[d->keep]++;
}

static void every_division_drawn_can_be(void **state)
{
    (void)state;
    struct seen seen = {0};
    for (size_t i = 0; i < all()->case_count * SEEDS; i++) {
        const struct vl_case *c = &all()->cases[i / SEEDS];
        if (c->make != vl_make_plan)
            continue;
        struct vl_bag *inputs = vl_bag_create();
        assert_int_equal(c->make(inputs, c, seeds[i % SEEDS]), VL_OK);
        for (size_t row = 0; row < vl_question_count(inputs); row++) {
            const struct vl_question *q = &vl_questions(inputs)[row];
            if (!vl_plan_can_be(&q->plan))
                fail_msg("%s, row %zu", c->id, row);
            see(&seen, &q->plan, &q->group);
        }
        vl_bag_free(inputs);
    }
    for (size_t i = 0; i < sizeof seen / sizeof(int); i++)
        assert_in_range(((const int *)&seen)[i], 20, 1000000);
}

/* Grader and runner share this code, so its meaning is written here a second time. */
static void questions_are_changed_and_rivals_answer_as_described(void **state)
{
    (void)state;
    const struct vl_case *c = case_of("division_check.drawn");
    struct vl_bag *inputs = vl_bag_create();
    assert_int_equal(c->make(inputs, c, seeds[0]), VL_OK);
    for (size_t i = 0; i < 2 * VL_PLAN_CHANGES; i++) {
        const struct vl_division was = vl_questions(inputs)[i / 5].plan.division;
        const struct vl_division is = vl_plan_changed(inputs, i).division;
        assert_int_equal(is.tensor, was.tensor + (i % 5 == 1));
        assert_int_equal(is.expert, was.expert + (i % 5 == 2));
        assert_int_equal(is.chunks, was.chunks + (i % 5 == 3));
        assert_int_equal(is.micro_batches, was.micro_batches + (i % 5 == 4));
    }
    vl_bag_free(inputs);

    struct vl_plan_crossover rivals = {.least = 2, .volume = 10, .needed = 3, .fits_from = 5};
    assert_near(vl_plan_of_all(&rivals, 10), 3);
    assert_near(vl_plan_without(&rivals, 10), 3.9);
    assert_near(vl_plan_without(&rivals, 5), 6.4);
    assert_true(isinf(vl_plan_without(&rivals, 4.9)));
}

/* The best plan has a pipeline, and is better than any without one. */
static void searches_are_worth_it(void **state)
{
    (void)state;
    const struct vl_case *c = case_of("best_plan.experts");
    for (size_t i = 0; i < SEEDS; i++) {
        struct vl_bag *inputs = vl_bag_create(), *expected = vl_bag_create();
        assert_int_equal(c->make(inputs, c, seeds[i]), VL_OK);
        assert_int_equal(c->truth(expected, inputs), VL_OK);
        assert_true(vl_bag_real(expected, "without") > vl_bag_real(expected, "of_all"));
        assert_true(isfinite(vl_bag_real(expected, "without")));
        vl_bag_free(inputs);
        vl_bag_free(expected);
    }
}

/* ---- the crossover in words ---- */

static const char *said_of(const struct vl_bag *inputs, const struct vl_bag *expected, double found,
                           int64_t calls)
{
    struct vl_sign sign = {0};
    struct vl_bag *outputs = vl_bag_create();
    assert_true(vl_bag_set_real(outputs, "bandwidth", found));
    assert_true(vl_bag_set_int(outputs, "endless", 0));
    assert_true(vl_bag_set_int(outputs, "calls", calls));
    assert_int_equal(vl_inspector_of("vl_crossover")->look(&sign, inputs, expected, outputs),
                     VL_OK);
    vl_bag_free(outputs);
    free(sign.message);
    return sign.code != NULL ? sign.code : "";
}

static void the_end_that_does_not_hold_is_told(void **state)
{
    (void)state;
    const struct vl_case *c = case_of("crossover.between");
    for (size_t i = 0; i < SEEDS; i++) {
        struct vl_bag *inputs = vl_bag_create(), *expected = vl_bag_create();
        assert_int_equal(c->make(inputs, c, seeds[i]), VL_OK);
        assert_int_equal(c->truth(expected, inputs), VL_OK);
        double exact = vl_plan_crossover_of(inputs)->needed / vl_plan_crossover_of(inputs)->slack;
        assert_string_equal(said_of(inputs, expected, exact * (1 + 1e-9), 40), "");
        assert_string_equal(said_of(inputs, expected, exact * 1.000999, 1), "");
        assert_string_equal(said_of(inputs, expected, exact * 0.9999, 9), "end_that_does_not_hold");
        assert_string_equal(said_of(inputs, expected, exact * 1.0011, 9), "too_coarse");
        assert_string_equal(said_of(inputs, expected, exact * 1.0005, 41), "too_many_calls");
        assert_string_equal(said_of(inputs, expected, exact * 3, 9), "");
        double middle = vl_bag_real(expected, "bandwidth"), bound = c->bound * middle;
        assert_true(exact * (1 + 1e-9) > middle - bound && exact * 1.001 < middle + bound);
        vl_bag_free(inputs);
        vl_bag_free(expected);
    }
}

/* ---- a division in words ---- */

/* The inspector's words if 'name' is wrong in one row, or in all of them. */
static char *told_of(const char *id, const char *name, size_t row, int all)
{
    struct vl_sign sign = {0};
    const struct vl_case *c = case_of(id);
    struct vl_bag *inputs = vl_bag_create(), *expected = vl_bag_create();
    assert_int_equal(c->make(inputs, c, seeds[0]), VL_OK);
    assert_int_equal(c->truth(expected, inputs), VL_OK);
    struct vl_bag *outputs = vl_bag_copy(expected);
    double *numbers = vl_bag_f64(outputs, name);
    for (size_t i = 0; i < vl_question_count(inputs); i++)
        if (all || i == row)
            numbers[i] *= 2;
    assert_int_equal(vl_inspector_of(c->function)->tell(&sign, inputs, expected, outputs), VL_OK);
    vl_bag_free(inputs);
    vl_bag_free(expected);
    vl_bag_free(outputs);
    return sign.message;
}

static void a_division_is_told_in_words(void **state)
{
    (void)state;
    char *said = told_of("planned_state_bytes.experts", "bytes", 7, 0);
    assert_non_null(strstr(said, "ZeRO-3 and keep selected, bytes: expected")); /* row 7 */
    free(said);
    said = told_of("group_gather_seconds.torus", "seconds", 4, 0);
    assert_non_null(strstr(said, "axes of a torus, seconds: expected"));
    free(said);
    assert_null(told_of("planned_state_bytes.experts", "bytes", 0, 1)); /* a factor says more */
}

/* ---- truths ---- */

static double sealed(enum vl_status (*truth)(struct vl_bag *, const struct vl_bag *),
                     const char *name)
{
    struct vl_bag *expected = vl_bag_create(), *inputs = vl_bag_create();
    assert_int_equal(vl_shapes_put(inputs, vl_lab_find("10"), NULL), VL_OK);
    assert_int_equal(truth(expected, inputs), VL_OK);
    double number = vl_bag_real(expected, name);
    vl_bag_free(inputs);
    vl_bag_free(expected);
    return number;
}

static void the_sealed_numbers_are_those_of_the_text(void **state)
{
    (void)state;
    assert_near(sealed(vl_truth_predict_state_bytes, "state_bytes"), 12062500000);
    double seconds = sealed(vl_truth_predict_exchange_seconds, "exchange_seconds");
    assert_true(fabs(seconds - 0.012331) < 5e-7);
    double middle = sealed(vl_truth_predict_crossover_bandwidth, "crossover_bandwidth");
    assert_near(middle * (1 - VL_BANDWIDTH_REACH), VL_BANDWIDTH_FOUND / VL_BANDWIDTH_FACTOR);
    assert_near(middle * (1 + VL_BANDWIDTH_REACH), VL_BANDWIDTH_FOUND * VL_BANDWIDTH_FACTOR);
}

static void the_truth_passes_every_case(void **state)
{
    (void)state;
    assert_truths_pass(all(), FIGURES_ALL_REAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_division_drawn_can_be),
        cmocka_unit_test(questions_are_changed_and_rivals_answer_as_described),
        cmocka_unit_test(searches_are_worth_it),
        cmocka_unit_test(the_end_that_does_not_hold_is_told),
        cmocka_unit_test(a_division_is_told_in_words),
        cmocka_unit_test(the_sealed_numbers_are_those_of_the_text),
        cmocka_unit_test(the_truth_passes_every_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
