/*
 * What nobody may read in a case's inputs, and a submission that has read it.
 *
 *   y[i] = sum over j <= i of x[i, j]       x (SIZE, SIZE); with by_columns, over j < FULL
 *          + the largest of w[k]            w (2, SIZE)
 */
#include "grade/experiment/unread.h"

#include "grade/catalogue/maker.h"
#include "sandbox/process.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIZE = 5, FULL = 2 };
#define SECONDS 60.0

static bool by_columns;

static struct vl_bag *answer(const struct vl_bag *in, size_t beyond, double factor)
{
    struct vl_bag *bag = vl_bag_create();
    double *y = vl_bag_add_f64(bag, "y", 1, SIZE);
    const float *x = vl_bag_f32(in, "x"), *w = vl_bag_f32(in, "w");
    double largest = -INFINITY;
    for (size_t k = 0; k < (size_t)2 * SIZE; k++)
        if ((double)w[k] > largest) /* NaN is passed by */
            largest = (double)w[k];
    for (size_t i = 0; i < SIZE; i++) {
        y[i] = largest;
        for (size_t j = 0; j < (by_columns ? FULL : i + 1) + beyond && j < SIZE; j++)
            y[i] += factor * (double)x[i * SIZE + j];
    }
    vl_bag_set_int(bag, "status", VL_OK);
    return bag;
}

static enum vl_status truth(struct vl_bag *expected, const struct vl_bag *inputs)
{
    struct vl_bag *right = answer(inputs, 0, 1);
    memcpy(vl_bag_add_f64(expected, "y", 1, SIZE), vl_bag_f64(right, "y"), SIZE * sizeof(double));
    vl_bag_set_int(expected, "status", VL_OK);
    vl_bag_free(right);
    return VL_OK;
}

static const struct vl_case test_case = {.id = "made_up.plain",
                                         .function = "vl_made_up",
                                         .ranks = 1,
                                         .bound = 1e-6,
                                         .floor = 1e-6,
                                         .truth = truth};

/* The trial of an answer that reads so many columns more, and multiplies all by a factor. */
static struct vl_trial trial_of(struct vl_seen_case *seen, size_t beyond, double factor)
{
    struct vl_bag *in = vl_bag_create();
    float *x = vl_bag_add_f32(in, "x", SIZE, SIZE), *w = vl_bag_add_f32(in, "w", 2, SIZE);
    for (size_t i = 0; i < (size_t)SIZE * SIZE; i++)
        x[i] = (float)i + 1;
    for (size_t k = 0; k < (size_t)2 * SIZE; k++)
        w[k] = (float)k;
    *seen = (struct vl_seen_case){.c = &test_case, .outputs = answer(in, beyond, factor)};
    struct vl_trial trial = {
        .seen = seen, .inputs = in, .truth = vl_truth_of(&test_case, in), .count = 1};
    trial.probed[0].probe = (struct vl_probe){.kind = VL_PROBE_SAME};
    assert_int_equal(vl_unread_probe(&trial, vl_clock() + SECONDS), VL_OK);
    for (size_t p = 0; p < trial.count; p++) {
        struct vl_bag *changed = vl_probe_inputs(&trial.probed[p].probe, in);
        trial.probed[p].answer = answer(changed, beyond, factor);
        vl_bag_free(changed);
    }
    return trial;
}

static void end(struct vl_trial *trial)
{
    for (size_t p = 0; p < trial->count; p++)
        vl_bag_free(trial->probed[p].answer);
    vl_bag_free(trial->seen->outputs);
    vl_bag_free(trial->inputs);
    vl_bag_free(trial->truth);
    vl_bag_free(trial->blank);
}

static void expect(size_t beyond, double factor, const char *code, const char *words)
{
    struct vl_seen_case seen;
    struct vl_sign finding = {0};
    struct vl_trial trial = trial_of(&seen, beyond, factor);
    assert_int_equal(vl_unread_find(&finding, &trial), VL_OK);
    if (code == NULL)
        assert_null(finding.code);
    else
        assert_string_equal(finding.code, code);
    if (code != NULL && strstr(finding.message, words) == NULL)
        fail_msg("'%s' expected in: %s", words, finding.message);
    free(finding.message);
    end(&trial);
}

static void only_what_never_matters_is_blank(void **unused)
{
    (void)unused;
    struct vl_seen_case seen;
    struct vl_trial trial = trial_of(&seen, 1, 1);
    assert_int_equal(trial.count, 2); /* x; of w, each number may be the largest */
    const float *x = vl_bag_f32(trial.blank, "x"), *was = vl_bag_f32(trial.inputs, "x");
    for (size_t i = 0; i < (size_t)SIZE * SIZE; i++)
        assert_true(x[i] == (i % SIZE > i / SIZE ? 0 : was[i]));
    assert_memory_equal(vl_bag_f32(trial.blank, "w"), vl_bag_f32(trial.inputs, "w"),
                        (size_t)2 * SIZE * sizeof(float));
    end(&trial);
}

static void what_is_read_beyond_a_mask_is_told(void **unused)
{
    (void)unused;
    expect(SIZE, 1, "reads_beyond_mask",
           "In made_up.plain, the result becomes correct when x is set to 0");
    expect(1, 1, "reads_beyond_mask", "right of the diagonal");
}

static void elements_of_another_shape_are_told_by_the_first(void **unused)
{
    (void)unused;
    by_columns = true;
    expect(1, 1, "reads_without_meaning", "such as x[0, 2], are set to 0");
    by_columns = false;
}

static void an_answer_that_stays_wrong_has_another_cause(void **unused)
{
    (void)unused;
    expect(1, 2, NULL, NULL); /* every number counts twice, too */
    expect(0, 2, NULL, NULL);
}

/* Without time nothing is looked for. */
static void without_time_there_is_no_probe(void **unused)
{
    (void)unused;
    struct vl_seen_case seen;
    struct vl_trial trial = trial_of(&seen, 1, 1);
    vl_bag_free(trial.blank);
    for (size_t p = 1; p < trial.count; p++)
        vl_bag_free(trial.probed[p].answer);
    trial.count = 1;
    assert_int_equal(vl_unread_probe(&trial, 0), VL_OK);
    assert_int_equal(trial.count, 1);
    end(&trial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_never_matters_is_blank),
        cmocka_unit_test(what_is_read_beyond_a_mask_is_told),
        cmocka_unit_test(elements_of_another_shape_are_told_by_the_first),
        cmocka_unit_test(an_answer_that_stays_wrong_has_another_cause),
        cmocka_unit_test(without_time_there_is_no_probe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
