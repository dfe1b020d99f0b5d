/*
 * The judge and its general signs, on a made-up function with one output "y" of 6 x 4 numbers.
 */
#include "grade/catalogue/case.h"
#include "grade/judge/unwritten.h"
#include "grade/judged.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 6, COLS = 4, COUNT = ROWS * COLS };

static double number(size_t i)
{
    return 1.5 + sin((double)(i * i + 3 * i)) * 3;
}

static enum vl_status truth(struct vl_bag *expected, const struct vl_bag *inputs)
{
    (void)inputs;
    double *y = vl_bag_add_f64(expected, "y", ROWS, COLS);
    for (size_t i = 0; i < COUNT; i++)
        y[i] = number(i);
    return VL_OK;
}

static const struct vl_case test_case = {.id = "made_up.plain",
                                         .function = "vl_made_up",
                                         .ranks = 1,
                                         .share = 0.5,
                                         .bound = 1e-5,
                                         .floor = 1e-6,
                                         .truth = truth};

/* An answer to judge: outputs that are right at first. */
struct answer {
    struct vl_bag *inputs, *outputs;
    float *y;
    const struct vl_cause *cause; /* as found elsewhere; NULL: none */
    struct vl_case_result result;
};

static struct answer begin(void)
{
    struct answer t = {.inputs = vl_bag_create(), .outputs = vl_bag_create()};
    vl_bag_set_int(t.inputs, "head_width", 10);
    vl_bag_set_int(t.inputs, "heads", 4); /* whose root is met by chance */
    vl_bag_set_int(t.outputs, "status", VL_OK);
    t.y = vl_bag_add_f32(t.outputs, "y", ROWS, COLS);
    for (size_t i = 0; i < COUNT; i++)
        t.y[i] = (float)number(i);
    return t;
}

static void judge(struct answer *t)
{
    assert_int_equal(judge_and_explain(&t->result, &test_case, 4, t->inputs, t->outputs, t->cause),
                     VL_OK);
}

static void end(struct answer *t)
{
    free(t->result.code);
    free(t->result.message);
    vl_bag_free(t->inputs);
    vl_bag_free(t->outputs);
}

static void expect(struct answer *t, const char *code)
{
    judge(t);
    assert_int_equal(t->result.status, VL_CASE_FAILED);
    assert_true(t->result.points == 0 && t->result.max_points == 2);
    assert_string_equal(t->result.code, code);
    assert_true(t->result.message && *t->result.message);
}

static void right_numbers_pass_with_their_share(void **state)
{
    (void)state;
    struct answer t = begin();
    judge(&t);
    assert_int_equal(t.result.status, VL_CASE_PASSED);
    assert_true(t.result.points == 2 && t.result.max_points == 2);
    assert_true(t.result.measured < 1e-6);
    assert_null(t.result.code);
    end(&t);
}

static void the_bound_is_kept_on_both_sides(void **state)
{
    (void)state;
    for (int over = 0; over < 2; over++) {
        struct answer t = begin();
        for (size_t i = 0; i < COUNT; i++)
            t.y[i] *= over ? 1 + 1.3e-5f : 1 + 0.7e-5f;
        judge(&t);
        assert_int_equal(t.result.status, over ? VL_CASE_FAILED : VL_CASE_PASSED);
        end(&t);
    }
}

static void the_message_names_the_worst_element(void **state)
{
    (void)state;
    struct answer t = begin();
    t.y[2 * COLS + 3] = 100.25f;
    t.y[1] = 7;
    expect(&t, "wrong_values");
    assert_non_null(strstr(t.result.message, "y[2, 3]"));
    assert_non_null(strstr(t.result.message, "100.25"));
    end(&t);
}

static void nan_and_infinity_never_pass(void **state)
{
    (void)state;
    const float bad[] = {NAN, INFINITY, -INFINITY};
    for (size_t k = 0; k < 3; k++) {
        struct answer t = begin();
        t.y[9] = bad[k];
        expect(&t, "not_a_number");
        assert_non_null(strstr(t.result.message, "y[2, 1]"));
        end(&t);
    }
}

/* Only these numbers of y are written; the message must say this. */
static void expect_unwritten(const bool written[COUNT], const char *place, const char *extent)
{
    struct answer t = begin();
    float kept[COUNT];
    memcpy(kept, t.y, sizeof kept);
    vl_bag_poison(t.outputs, "y");
    for (size_t i = 0; i < COUNT; i++)
        if (written[i])
            t.y[i] = kept[i];
    expect(&t, "unwritten");
    assert_non_null(strstr(t.result.message, place));
    if (extent != NULL)
        assert_non_null(strstr(t.result.message, extent));
    else
        assert_string_equal(strchr(t.result.message, '.'), "."); /* nothing but the place */
    end(&t);
}

static void an_unwritten_element_is_named_and_how_many_there_are(void **state)
{
    (void)state;
    bool written[COUNT] = {false};
    expect_unwritten(written, "y[0, 0]", "None of it");
    for (size_t i = 0; i < COUNT - 1; i++)
        written[i] = i < 17;
    expect_unwritten(written, "y[4, 1]", "after it either");
    for (size_t i = 17; i < COUNT - 1; i++)
        written[i] = true;
    expect_unwritten(written, "y[5, 3]", NULL);
    written[3] = false;
    expect_unwritten(written, "y[0, 3]", "2 of its 24");
}

/* Rows of 12 floats, of which 3 were written: 12 bytes. */
static void a_quarter_of_a_row_asks_for_bytes(void **state)
{
    (void)state;
    struct vl_bag *expected = vl_bag_create(), *outputs = vl_bag_create();
    vl_bag_add_f64(expected, "x", 2, 12);
    float *x = vl_bag_add_f32(outputs, "x", 2, 12);
    vl_bag_poison(outputs, "x");
    for (size_t i = 0; i < 12; i++)
        x[i] = 0.0f;
    for (size_t i = 12; i < 15; i++)
        x[i] = 0.0f;
    struct vl_case_result result = {0};
    struct vl_judgement t = {.result = &result};
    assert_true(vl_judge_unwritten(&t, vl_bag_entry(expected, 0), vl_bag_entry(outputs, 0)));
    assert_non_null(strstr(result.message, "x[1, 3]"));
    assert_non_null(strstr(result.message, "first 3 of 12"));
    free(result.code);
    free(result.message);
    vl_bag_free(expected);
    vl_bag_free(outputs);
}

static void cause_is_told_by_its_code_and_its_sentence(void **state)
{
    (void)state;
    struct answer t = begin();
    t.cause = &(struct vl_cause){.code = "squared", .sentence = "The numbers are squared."};
    for (size_t i = 0; i < COUNT; i++)
        t.y[i] = (float)(number(i) * number(i));
    expect(&t, "squared");
    assert_non_null(strstr(t.result.message, "The numbers are squared. y["));
    end(&t);
}

static void prediction_of_zero_is_not_sealed(void **state)
{
    (void)state;
    for (int sealed = 0; sealed < 2; sealed++) {
        struct answer t = begin();
        struct vl_case prediction = test_case;
        prediction.sealed = sealed;
        memset(t.y, 0, COUNT * sizeof *t.y);
        assert_int_equal(judge_and_explain(&t.result, &prediction, 4, t.inputs, t.outputs, NULL),
                         VL_OK);
        assert_int_equal(t.result.status, sealed ? VL_CASE_NOT_STARTED : VL_CASE_FAILED);
        assert_string_equal(t.result.code, sealed ? "not_sealed" : "all_zero");
        end(&t);
    }
}

/* Neither in words, nor as the error from which it follows, nor as a factor. */
static void wrong_prediction_does_not_tell_the_right_one(void **state)
{
    (void)state;
    const struct vl_cause cause = {.code = "doubled", .sentence = "It was counted twice."};
    for (int known = 0; known < 2; known++) {
        struct answer t = begin();
        struct vl_case prediction = test_case;
        prediction.sealed = 1;
        for (size_t i = 0; i < COUNT; i++)
            t.y[i] *= 2;
        assert_int_equal(judge_and_explain(&t.result, &prediction, 4, t.inputs, t.outputs,
                                           known ? &cause : NULL),
                         VL_OK);
        assert_int_equal(t.result.status, VL_CASE_FAILED);
        assert_string_equal(t.result.code, known ? "doubled" : "wrong_values");
        assert_null(strstr(t.result.message, "expected"));
        assert_true(isnan(t.result.measured));
        end(&t);
    }
}

static void manners_come_before_numbers(void **state)
{
    (void)state;
    struct answer t = begin();
    t.y[0] = NAN;
    vl_bag_set_int(t.outputs, "damaged", 2);
    vl_bag_set_int(t.outputs, "inputs_changed", 1);
    expect(&t, "out_of_bounds");
    assert_non_null(strstr(t.result.message, " y"));
    end(&t);

    t = begin();
    vl_bag_set_int(t.outputs, "inputs_changed", 1);
    expect(&t, "input_modified");
    assert_non_null(strstr(t.result.message, "head_width"));
    end(&t);

    t = begin();
    vl_bag_set_int(t.outputs, "damaged", -5);
    expect(&t, "out_of_bounds");
    end(&t);
}

static void statuses_have_their_codes(void **state)
{
    (void)state;
    static const struct {
        enum vl_status status;
        enum vl_case_status told;
        const char *code;
    } table[] = {{VL_TODO, VL_CASE_NOT_STARTED, "not_started"},
                 {VL_EMISSING, VL_CASE_FAILED, "function_missing"},
                 {VL_EINVAL, VL_CASE_FAILED, "unexpected_status"},
                 {VL_EINTERNAL, VL_CASE_FAILED, "unexpected_status"}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct answer t = {.inputs = vl_bag_create(), .outputs = vl_bag_create()};
        vl_bag_set_int(t.outputs, "status", table[i].status);
        judge(&t);
        assert_int_equal(t.result.status, table[i].told);
        assert_string_equal(t.result.code, table[i].code);
        end(&t);
    }
}

typedef void (*spoil_fn)(float *y);

static void twice(float *y)
{
    for (size_t i = 0; i < COUNT; i++)
        y[i] *= 2;
}

static void by_root_of_head_width(float *y)
{
    for (size_t i = 0; i < COUNT; i++)
        y[i] *= sqrtf(10);
}

static void negative(float *y)
{
    for (size_t i = 0; i < COUNT; i++)
        y[i] = -y[i];
}

static void zero(float *y)
{
    memset(y, 0, COUNT * sizeof *y);
}

static void transposed(float *y)
{
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < COLS; j++)
            y[j * ROWS + i] = (float)number(i * COLS + j);
}

static void rotated_up(float *y)
{
    for (size_t i = 0; i < COUNT; i++)
        y[i] = (float)number((i + COLS) % COUNT);
}

static void rotated_down(float *y)
{
    for (size_t i = 0; i < COUNT; i++)
        y[(i + COLS) % COUNT] = (float)number(i);
}

static void swapped(float *y)
{
    for (size_t i = 0; i < COUNT; i++)
        y[i] = (float)number(i / COLS * COLS + (i + COLS / 2) % COLS);
}

static void rows_exchanged(float *y)
{
    for (size_t i = 0; i < COLS; i++) {
        y[i] = (float)number(2 * COLS + i);
        y[2 * COLS + i] = (float)number(i);
    }
}

static void columns_exchanged(float *y)
{
    for (size_t i = 0; i < COUNT; i += COLS) {
        y[i + 1] = (float)number(i + COLS - 1);
        y[i + COLS - 1] = (float)number(i + 1);
    }
}

/* One row twice, and another one nowhere. */
static void row_repeated(float *y)
{
    for (size_t i = 0; i < COLS; i++)
        y[i] = y[COLS + i] = (float)number(2 * COLS + i);
}

static void last_row(float *y)
{
    for (size_t i = COUNT - COLS; i < COUNT; i++)
        y[i] += i % 2 == 0 ? 0.5f : -1.5f;
}

static void one_of_the_last_row(float *y)
{
    y[COUNT - 1] += 0.5f;
}

static void only_first_row_right(float *y)
{
    for (size_t i = COLS; i < COUNT; i++)
        y[i] = (float)cos((double)i);
}

static void last_column(float *y)
{
    for (size_t i = COLS - 1; i < COUNT; i += COLS)
        y[i] = 0.125f * (float)i;
}

static void general_signs_are_recognised(void **state)
{
    (void)state;
    static const struct {
        spoil_fn spoil;
        const char *code, *said;
    } table[] = {{twice, "scaled", "2 times what it should be."},
                 {by_root_of_head_width, "scaled", "sqrt(head_width)"},
                 {negative, "sign_flipped", ""},
                 {zero, "all_zero", ""},
                 {transposed, "transposed", ""},
                 {rotated_up, "rotated", ""},
                 {rotated_down, "rotated", ""},
                 {swapped, "halves_swapped", ""},
                 {rows_exchanged, "places_exchanged", "row 0 has what row 2"},
                 {columns_exchanged, "places_exchanged", "column 1 has what column"},
                 {row_repeated, "wrong_values", "The numbers are wrong"},
                 {last_row, "last_row", "last row is"},
                 {one_of_the_last_row, "wrong_values", "The numbers are wrong"},
                 {only_first_row_right, "wrong_values", "The numbers are wrong"},
                 {last_column, "last_column", ""}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct answer t = begin();
        table[i].spoil(t.y);
        expect(&t, table[i].code);
        assert_non_null(strstr(t.result.message, table[i].said));
        end(&t);
    }
}

static void what_stood_there_before_is_recognised(void **state)
{
    (void)state;
    for (int added = 0; added < 2; added++) {
        struct answer t = begin();
        float *before = vl_bag_add_f32(t.inputs, "y", ROWS, COLS);
        for (size_t i = 0; i < COUNT; i++) {
            before[i] = (float)cos((double)i);
            t.y[i] += added ? before[i] : -before[i];
        }
        expect(&t, added ? "accumulated" : "not_accumulated");
        end(&t);
    }
}

static void noise_is_not_given_a_name(void **state)
{
    (void)state;
    struct answer t = begin();
    for (size_t i = 0; i < COUNT; i++)
        t.y[i] += (float)sin((double)(7 * i)) * 0.01f;
    expect(&t, "wrong_values");
    end(&t);
}

/* ---- what was asked ---- */

static enum vl_status table_truth(struct vl_bag *expected, const struct vl_bag *inputs)
{
    (void)inputs;
    memcpy(vl_bag_add_f64(expected, "bytes", 1, 3), (double[]){10, 20, 30}, 3 * sizeof(double));
    return VL_OK;
}

static struct vl_case table_case(void)
{
    struct vl_case c = test_case;
    c.truth = table_truth;
    return c;
}

/* The numbers of a table of three calls, and what is said of the second one. */
static void expect_question(enum vl_status status, const double got[3], const char *code,
                            const char *said)
{
    const struct vl_case c = table_case();
    struct vl_case_result result = {0};
    struct vl_bag *inputs = vl_bag_create(), *outputs = vl_bag_create();
    vl_bag_set_int(inputs, "chosen", 3);
    vl_bag_set_int(inputs, "bad", 0);
    memcpy(vl_bag_add_i32(inputs, "tokens", 1, 3), (int32_t[]){96, 1041, 2007},
           3 * sizeof(int32_t));
    vl_bag_set_int(outputs, "status", status);
    if (status != VL_OK)
        vl_bag_set_int(outputs, "answered", 1);
    memcpy(vl_bag_add_f64(outputs, "bytes", 1, 3), got, 3 * sizeof *got);
    assert_int_equal(judge_and_explain(&result, &c, 4, inputs, outputs, NULL), VL_OK);
    assert_string_equal(result.code, code);
    if (strstr(result.message, said) == NULL)
        fail_msg("'%s' expected in: %s", said, result.message);
    free(result.code);
    free(result.message);
    vl_bag_free(inputs);
    vl_bag_free(outputs);
}

static void a_wrong_number_of_a_table_says_what_was_asked(void **state)
{
    (void)state;
    static const char said[] = "In this call: `chosen = 3`, `tokens = 1041`.";
    expect_question(VL_OK, (double[]){10, 21, 30}, "wrong_values", said);
    expect_question(VL_ESHAPE, (double[]){10, 0, 0}, "unexpected_status", said);
}

static enum vl_status refuses(struct vl_bag *expected, const struct vl_bag *inputs)
{
    (void)inputs;
    return vl_bag_set_int(expected, "status", VL_EINVAL) ? VL_OK : VL_ENOMEM;
}

/* The runner says for which argument a call had to be refused. It runs a stranger's code, so only characters that
 * code is written in are told. */
static void expect_argument(const char *argument, size_t length, const char *said)
{
    struct vl_case c = test_case;
    c.truth = refuses;
    struct vl_bag *inputs = vl_bag_create(), *outputs = vl_bag_create();
    struct vl_case_result result = {0};
    vl_bag_set_int(inputs, "n", 5);
    vl_bag_set_int(outputs, "status", VL_OK);
    memcpy(vl_bag_add(outputs, "unrefused", VL_U8, 1, &length), argument, length);
    assert_int_equal(judge_and_explain(&result, &c, 4, inputs, outputs, NULL), VL_OK);
    assert_string_equal(result.code, "unexpected_status");
    assert_string_equal(result.message, said);
    free(result.code);
    free(result.message);
    vl_bag_free(inputs);
    vl_bag_free(outputs);
}

static void a_call_that_was_not_refused_says_which(void **state)
{
    (void)state;
    static const char at_rank[] =
        "Called with `rank = -1`, the function returned status VL_OK, but the "
        "contract asks for VL_EINVAL.",
                      at_all[] = "The function returned status VL_OK, but the contract asks for "
                                 "VL_EINVAL here. In this call: `n = 5`.";
    char long_one[200];
    memset(long_one, 'x', sizeof long_one);
    expect_argument("rank = -1", 9, at_rank);
    expect_argument("ra\033n`k = \200-1\n", 13, at_rank);
    expect_argument("", 0, at_all);
    expect_argument("\033\n", 2, at_all);
    expect_argument(long_one, sizeof long_one, at_all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_that_was_not_refused_says_which),
        cmocka_unit_test(a_wrong_number_of_a_table_says_what_was_asked),
        cmocka_unit_test(right_numbers_pass_with_their_share),
        cmocka_unit_test(the_bound_is_kept_on_both_sides),
        cmocka_unit_test(the_message_names_the_worst_element),
        cmocka_unit_test(nan_and_infinity_never_pass),
        cmocka_unit_test(an_unwritten_element_is_named_and_how_many_there_are),
        cmocka_unit_test(a_quarter_of_a_row_asks_for_bytes),
        cmocka_unit_test(cause_is_told_by_its_code_and_its_sentence),
        cmocka_unit_test(prediction_of_zero_is_not_sealed),
        cmocka_unit_test(wrong_prediction_does_not_tell_the_right_one),
        cmocka_unit_test(manners_come_before_numbers),
        cmocka_unit_test(statuses_have_their_codes),
        cmocka_unit_test(general_signs_are_recognised),
        cmocka_unit_test(what_stood_there_before_is_recognised),
        cmocka_unit_test(noise_is_not_given_a_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
