/*
 * The evidence for and against a mistake, on a made-up function with one output "y".
 */
#include "grade/diagnose/evidence.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { COUNT = 6 };

static const struct vl_case test_case = {
    .id = "made_up.plain", .function = "vl_made_up", .ranks = 1, .bound = 1e-5, .floor = 1e-6};

/* An answer "y": 1, 2, 3 ... times 'factor', plus 'more' in its first element. */
static struct vl_bag *answer(double factor, double more)
{
    struct vl_bag *bag = vl_bag_create();
    double *y = vl_bag_add_f64(bag, "y", 1, COUNT);
    for (size_t i = 0; i < COUNT; i++)
        y[i] = factor * (double)(i + 1) + (i == 0 ? more : 0);
    vl_bag_set_int(bag, "status", VL_OK);
    return bag;
}

/* Add one case to the evidence; frees what is given. */
static void add(struct vl_evidence *evidence, struct vl_bag *submission, struct vl_bag *mistake)
{
    struct vl_bag *truth = answer(1, 0);
    vl_evidence_add(evidence, &test_case, submission, mistake, truth, VL_EVIDENCE_NEARER);
    vl_bag_free(truth);
    vl_bag_free(submission);
    vl_bag_free(mistake);
}

static void the_same_wrong_numbers_are_explained(void **unused)
{
    (void)unused;
    struct vl_evidence evidence = {0};
    add(&evidence, answer(2, 0), answer(2, 0));
    assert_false(evidence.refuted);
    assert_int_equal(evidence.failures, 1);
    assert_true(evidence.distance == 0);
}

/* Two statuses agree by chance; many of them, or one number with digits, do not. */
static void few_small_whole_numbers_are_not_enough_for_a_machine(void **unused)
{
    (void)unused;
    static const struct {
        size_t count;
        int64_t wrong, step; /* the first one, and from each to the next */
        bool suffices;
    } table[] = {{2, 4, 1, false}, {11, 4, 1, false}, {12, 4, 1, true}, {1, 1000, 0, true},
                 {3, 0, 0, false}, {12, 4, 0, false}}; /* all the same: any way leads there */
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        struct vl_evidence evidence = {0};
        struct vl_bag *truth = vl_bag_create(), *mistake = vl_bag_create();
        size_t shape[] = {1, table[k].count};
        vl_bag_add(truth, "statuses", VL_I64, 2, shape);
        int64_t *wrong = vl_bag_add(mistake, "statuses", VL_I64, 2, shape);
        for (size_t i = 0; i < table[k].count; i++)
            wrong[i] = table[k].wrong + (int64_t)i * table[k].step;
        vl_evidence_add(&evidence, &test_case, mistake, mistake, truth, VL_EVIDENCE_MACHINE);
        assert_true(vl_evidence_suffices(&evidence) == table[k].suffices);
        vl_bag_free(truth);
        vl_bag_free(mistake);
    }
}

static void a_tenth_of_its_distance_from_the_truth_is_the_limit(void **unused)
{
    (void)unused;
    for (int over = 0; over < 2; over++) {
        struct vl_evidence evidence = {0};
        add(&evidence, answer(over ? 2.11 : 2.09, 0), answer(2, 0));
        assert_true(evidence.refuted == over);
    }
}

static void what_a_machine_made_proves_nothing_where_numbers_are_none(void **unused)
{
    (void)unused;
    for (int machine = 0; machine < 2; machine++) {
        struct vl_evidence evidence = {0};
        struct vl_bag *truth = answer(1, 0), *submission = answer(1, (double)NAN),
                      *mistake = answer(1, (double)NAN);
        vl_evidence_add(&evidence, &test_case, submission, mistake, truth,
                        machine ? VL_EVIDENCE_MACHINE : VL_EVIDENCE_NEARER);
        assert_true(evidence.refuted == machine);
        vl_bag_free(truth);
        vl_bag_free(submission);
        vl_bag_free(mistake);
    }
}

/* Below the floor all answers are near each other, seen from the truth. */
static void two_answers_close_to_zero_need_not_be_the_same(void **unused)
{
    (void)unused;
    static const double factors[][2] = {{3e-9, 3e-9}, {3e-9, 1e-9}, {1e-9, 3e-9}};
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
        struct vl_evidence evidence = {0};
        struct vl_bag *truth = answer(1, 0), *submission = answer(factors[i][0], 0),
                      *mistake = answer(factors[i][1], 0);
        vl_evidence_add(&evidence, &test_case, submission, mistake, truth, VL_EVIDENCE_MACHINE);
        assert_true(evidence.refuted == (factors[i][0] != factors[i][1]));
        vl_bag_free(truth);
        vl_bag_free(submission);
        vl_bag_free(mistake);
    }
}

/* A mode left as it was, 77, makes all others look near to each other. */
static void another_choice_refutes_however_near_its_number_is(void **unused)
{
    (void)unused;
    static const int64_t rows[][2] = {{0, 1}, {77, 2}, {77, 1}}; /* truth, mistake, submission */
    for (int choices = 0; choices < 2; choices++) {
        struct vl_evidence evidence = {0};
        struct vl_case c = test_case;
        struct vl_bag *bag[3];
        for (size_t k = 0; k < 3; k++) {
            bag[k] = vl_bag_create();
            memcpy(vl_bag_add(bag[k], "modes", VL_I64, 2, (size_t[]){1, 2}), rows[k], sizeof *rows);
        }
        c.choices = choices;
        vl_evidence_add(&evidence, &c, bag[2], bag[1], bag[0], VL_EVIDENCE_NEARER);
        assert_true(evidence.refuted == choices);
        for (size_t k = 0; k < 3; k++)
            vl_bag_free(bag[k]);
    }
}

static void one_failure_that_is_not_explained_refutes(void **unused)
{
    (void)unused;
    struct vl_evidence evidence = {0};
    add(&evidence, answer(2, 0), answer(2, 0));
    add(&evidence, answer(3, 0), answer(2, 0));
    assert_true(evidence.refuted);
}

static void case_that_passed_refutes_what_fails_in_it(void **unused)
{
    (void)unused;
    struct vl_evidence harmless = {0}, harmful = {0}, silent = {0};
    add(&harmless, NULL, answer(1, 0));
    add(&harmful, NULL, answer(2, 0));
    add(&silent, NULL, NULL);
    assert_false(harmless.refuted);
    assert_true(harmful.refuted);
    assert_true(silent.refuted);
}

static void mistake_that_does_no_harm_explains_no_failure(void **unused)
{
    (void)unused;
    struct vl_evidence evidence = {0};
    add(&evidence, answer(1.001, 0), answer(1, 0));
    assert_true(evidence.refuted);
}

static void nothing_came_back_explains_nothing(void **unused)
{
    (void)unused;
    struct vl_evidence evidence = {0};
    add(&evidence, answer(2, 0), NULL);
    assert_true(evidence.refuted);
}

static void infinity_is_explained_by_infinity_in_the_same_place(void **unused)
{
    (void)unused;
    struct vl_evidence same = {0}, other = {0};
    add(&same, answer(1, INFINITY), answer(1, NAN));
    add(&other, answer(1, INFINITY), answer(2, 0));
    assert_false(same.refuted);
    assert_true(other.refuted);
}

static void another_order_of_adding_stands_for_all(void **unused)
{
    (void)unused;
    struct vl_evidence bits = {0}, more = {0};
    add(&bits, answer(1, 3e-7), answer(1, -2e-7));
    assert_false(bits.refuted);
    add(&more, answer(1, 3e-7), answer(1, -2e-7));
    add(&more, answer(1, 0.5), answer(1, -2e-7));
    assert_true(more.refuted);
}

static void statuses_must_agree(void **unused)
{
    (void)unused;
    struct vl_evidence evidence = {0};
    struct vl_bag *refused = vl_bag_create();
    vl_bag_set_int(refused, "status", VL_EINVAL);
    double *y = vl_bag_add_f64(refused, "y", 1, COUNT);
    for (size_t i = 0; i < COUNT; i++)
        y[i] = 2 * (double)(i + 1);
    add(&evidence, answer(2, 0), refused);
    assert_true(evidence.refuted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_machine_made_proves_nothing_where_numbers_are_none),
        cmocka_unit_test(the_same_wrong_numbers_are_explained),
        cmocka_unit_test(few_small_whole_numbers_are_not_enough_for_a_machine),
        cmocka_unit_test(a_tenth_of_its_distance_from_the_truth_is_the_limit),
        cmocka_unit_test(two_answers_close_to_zero_need_not_be_the_same),
        cmocka_unit_test(another_choice_refutes_however_near_its_number_is),
        cmocka_unit_test(one_failure_that_is_not_explained_refutes),
        cmocka_unit_test(case_that_passed_refutes_what_fails_in_it),
        cmocka_unit_test(mistake_that_does_no_harm_explains_no_failure),
        cmocka_unit_test(nothing_came_back_explains_nothing),
        cmocka_unit_test(infinity_is_explained_by_infinity_in_the_same_place),
        cmocka_unit_test(another_order_of_adding_stands_for_all),
        cmocka_unit_test(statuses_must_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
