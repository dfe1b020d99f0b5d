/*
 * What probes show, on a made-up function and wrong versions of it:
 *
 *   y[i, j] = scale^2 x[i, j] + w[0, j] + (1 if j is targets[i], else 0)
 */
#include "grade/experiment/influence/influence.h"

#include "grade/catalogue/maker.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 4, COLUMNS = 6 };

static const struct vl_case test_case = {
    .id = "made_up.plain", .function = "vl_made_up", .ranks = 1, .bound = 1e-5, .floor = 1e-6};

static int sizes_of_two; /* sizes that are 2 */

static struct vl_bag *inputs(void)
{
    struct vl_bag *bag = vl_bag_create();
    struct vl_maker maker = vl_maker_start(bag, &test_case, 1);
    vl_maker_normal(&maker, "x", ROWS, COLUMNS, 1);
    vl_maker_normal(&maker, "w", 1, COLUMNS, 1);
    vl_maker_normal(&maker, "old", ROWS, COLUMNS, 1);
    vl_maker_real(&maker, "scale", 0.75);
    vl_maker_below(&maker, "targets", ROWS, 1, COLUMNS);
    if (sizes_of_two > 0)
        vl_bag_set_int(bag, "sequence", 2);
    if (sizes_of_two > 1)
        vl_bag_set_int(bag, "heads", 2);
    return bag;
}

/* What somebody made of the formula. */
typedef double formula(const struct vl_bag *in, size_t row, size_t column);

static double x_at(const struct vl_bag *in, size_t row, size_t column)
{
    return (double)vl_bag_f32(in, "x")[row * COLUMNS + column];
}

static double w_at(const struct vl_bag *in, size_t column)
{
    return (double)vl_bag_f32(in, "w")[column];
}

static double scale(const struct vl_bag *in)
{
    return vl_bag_real(in, "scale");
}

static bool is_target(const struct vl_bag *in, size_t row, size_t column)
{
    return vl_bag_i32(in, "targets")[row] == (int32_t)column;
}

static bool is_compared_below_only; /* the rows above are not compared */

static double right(const struct vl_bag *in, size_t row, size_t column)
{
    if (is_compared_below_only && row < 2)
        return NAN;
    return scale(in) * scale(in) * x_at(in, row, column) + w_at(in, column) +
           is_target(in, row, column);
}

static struct vl_bag *answer(const struct vl_bag *in, formula *of)
{
    struct vl_bag *bag = vl_bag_create();
    double *y = vl_bag_add_f64(bag, "y", ROWS, COLUMNS);
    for (size_t i = 0; i < (size_t)ROWS * COLUMNS; i++)
        y[i] = of(in, i / COLUMNS, i % COLUMNS);
    vl_bag_set_int(bag, "status", VL_OK);
    return bag;
}

/* All probes of the formula 'of', with the last bits of float32. NULL for what comes again: the same. */
static void find(struct vl_sign *finding, formula *of, formula *again)
{
    static struct vl_probe probes[VL_PROBES_MOST];
    static struct vl_probed probed[VL_PROBES_MOST];
    struct vl_bag *in = inputs(), *truth = answer(in, right), *first = answer(in, of);
    struct vl_influence influence = {
        .c = &test_case, .inputs = in, .truth = truth, .answer = first, .probed = probed};
    influence.count = vl_probes_choose(probes, in, 1);
    for (size_t p = 0; p < influence.count; p++) {
        struct vl_bag *changed = vl_probe_inputs(&probes[p], in);
        probed[p] = (struct vl_probed){.probe = probes[p],
                                       .truth = answer(changed, right),
                                       .answer = answer(changed, again != NULL ? again : of)};
        double *y = vl_bag_f64(probed[p].answer, "y");
        for (size_t i = 0; i < (size_t)ROWS * COLUMNS; i++)
            y[i] = (double)(float)y[i];
        vl_bag_free(changed);
    }
    for (size_t i = 0; i < (size_t)ROWS * COLUMNS; i++)
        vl_bag_f64(first, "y")[i] = (double)(float)vl_bag_f64(first, "y")[i];
    assert_int_equal(vl_influence_find(finding, &influence, VL_INFLUENCE_ALL), VL_OK);
    for (size_t p = 0; p < influence.count; p++) {
        vl_bag_free(probed[p].truth);
        vl_bag_free(probed[p].answer);
    }
    vl_bag_free(in);
    vl_bag_free(truth);
    vl_bag_free(first);
}

/* The code, and words of the sentence. */
static void expect(formula *of, const char *code, const char *words)
{
    struct vl_sign finding;
    find(&finding, of, NULL);
    if (finding.code == NULL || strcmp(finding.code, code) != 0)
        fail_msg("%s expected, but: %s %s", code, finding.code, finding.message);
    if (strstr(finding.message, words) == NULL)
        fail_msg("'%s' expected in: %s", words, finding.message);
    free(finding.message);
}

static double without_w(const struct vl_bag *in, size_t row, size_t column)
{
    return scale(in) * scale(in) * x_at(in, row, column) + is_target(in, row, column);
}

static double with_old(const struct vl_bag *in, size_t row, size_t column)
{
    return right(in, row, column) + (double)vl_bag_f32(in, "old")[row * COLUMNS + column];
}

static double of_next_row(const struct vl_bag *in, size_t row, size_t column)
{
    return scale(in) * scale(in) * x_at(in, (row + 1) % ROWS, column) + w_at(in, column) +
           is_target(in, row, column);
}

/* Its first row is the last one, read from its end; the last one has it, too. */
static double of_last_row_twice(const struct vl_bag *in, size_t row, size_t column)
{
    const double x = row > 0 ? x_at(in, row, column) : x_at(in, ROWS - 1, COLUMNS - 1 - column);
    return scale(in) * scale(in) * x + w_at(in, column) + is_target(in, row, column);
}

static double without_square(const struct vl_bag *in, size_t row, size_t column)
{
    return right(in, row, column) + (scale(in) - scale(in) * scale(in)) * x_at(in, row, column);
}

static double half_of_w(const struct vl_bag *in, size_t row, size_t column)
{
    return right(in, row, column) - w_at(in, column) / 2;
}

static double sine_of_w(const struct vl_bag *in, size_t row, size_t column)
{
    return right(in, row, column) - w_at(in, column) + sin(2 * w_at(in, column));
}

static double plus_two(const struct vl_bag *in, size_t row, size_t column)
{
    return right(in, row, column) + 2;
}

static double at_target(const struct vl_bag *in, size_t row, size_t column)
{
    return right(in, row, column) + 3 * is_target(in, row, column);
}

static void what_is_ignored_or_must_not_matter_is_named(void **unused)
{
    (void)unused;
    expect(without_w, "independent_of_input", "In made_up.plain, a change in w should change y");
    expect(with_old, "depends_on_wrong_input", "In made_up.plain, a change in old changes y");
}

static void places_that_follow_other_elements_are_named(void **unused)
{
    (void)unused;
    expect(of_next_row, "wrong_element",
           "In made_up.plain, a change in x[2, 1] changes y[1, 1]. It should change "
           "y[2, 1] instead.");
    expect(of_last_row_twice, "wrong_element",
           "In made_up.plain, y[0, 2] should follow x[0, 2], but follows x[");
}

static void powers_and_weights_are_named(void **unused)
{
    (void)unused;
    expect(without_square, "wrong_power",
           "scale to the power 2, but changes with it to the power "
           "1");
    expect(half_of_w, "wrong_weight", "w on y is 0.5 times");
}

static void the_input_that_an_error_follows_is_named(void **unused)
{
    (void)unused;
    expect(sine_of_w, "wrong_power", "Halving w should halve its share in y");
    expect(plus_two, "constant_added", "The error of y is the same");
}

static void elements_that_an_index_points_at_are_named(void **unused)
{
    (void)unused;
    expect(at_target, "wrong_at_index", "only the element that targets points at");
}

static double wrong_below(const struct vl_bag *in, size_t row, size_t column)
{
    return right(in, row, column) + (row < 2 ? 0 : 2);
}

static void rows_above_the_wrong_ones_are_named_if_they_are_compared(void **unused)
{
    (void)unused;
    struct vl_sign finding;
    expect(wrong_below, "first_rows_right", "Of y, only the first 2 rows are right");
    sizes_of_two = 1;
    expect(wrong_below, "first_rows_right",
           "In made_up.plain, only the first 2 rows of y are right, and `sequence` is 2 there");
    sizes_of_two = 2;
    expect(wrong_below, "first_rows_right", "Of y, only the first 2 rows are right");
    sizes_of_two = 0;
    is_compared_below_only = true;
    find(&finding, wrong_below, NULL);
    is_compared_below_only = false;
    assert_true(finding.code == NULL || strcmp(finding.code, "first_rows_right") != 0);
    free(finding.message);
}

static void another_answer_to_the_same_inputs_is_told_first(void **unused)
{
    (void)unused;
    struct vl_sign finding;
    find(&finding, without_w, plus_two);
    assert_string_equal(finding.code, "not_repeatable");
    free(finding.message);
}

static double nearly_right(const struct vl_bag *in, size_t row, size_t column)
{
    return right(in, row, column) * (1 + 4e-5 * sin((double)(row * COLUMNS + column)));
}

static void rounding_and_right_arrays_show_nothing(void **unused)
{
    (void)unused;
    formula *const quiet[] = {right, nearly_right};
    for (size_t i = 0; i < sizeof quiet / sizeof *quiet; i++) {
        struct vl_sign finding;
        find(&finding, quiet[i], NULL);
        if (finding.code != NULL)
            fail_msg("%s: %s", finding.code, finding.message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_ignored_or_must_not_matter_is_named),
        cmocka_unit_test(places_that_follow_other_elements_are_named),
        cmocka_unit_test(powers_and_weights_are_named),
        cmocka_unit_test(the_input_that_an_error_follows_is_named),
        cmocka_unit_test(elements_that_an_index_points_at_are_named),
        cmocka_unit_test(rows_above_the_wrong_ones_are_named_if_they_are_compared),
        cmocka_unit_test(another_answer_to_the_same_inputs_is_told_first),
        cmocka_unit_test(rounding_and_right_arrays_show_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
