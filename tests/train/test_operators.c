/* The operators of a step: what they have to do, whose time is whose, and the roof above them. */
#include "train/bench/step/roof/operators.h"
#include "train/bench/step/roof/roofline.h"
#include "vialata/budget.h"
#include "vialata/shape.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* ---- formulas ---- */

/* Worked by hand from the functions' headers, with small sizes that are all different. */
static void work_is_what_was_worked_by_hand(void **state)
{
    (void)state;
    const struct {
        struct vl_work work;
        double flops, elements;
    } cases[] = {
        {vl_work_zeroing(7), 0, 7},
        /* 3 tokens, width 5, 11 rows in the table: 3 numbers, 3 rows in, 3 rows out */
        {vl_work_embedding_forward(3, 5, 11), 0, 3 + 15 + 15},
        /* only 2 rows in the table */
        {vl_work_embedding_forward(3, 5, 2), 0, 3 + 10 + 15},
        {vl_work_embedding_backward_weight(3, 5, 2), 15, 3 + 15 + 20},
        /* 3 rows of 5: 4 per element and 4 per row; x, y, gain, inv_rms */
        {vl_work_rmsnorm_forward(3, 5), 60 + 12, 15 + 15 + 5 + 3},
        {vl_work_rmsnorm_backward_input(3, 5), 90 + 12, 15 + 15 + 15 + 5 + 3},
        {vl_work_rmsnorm_backward_weight(3, 5), 45, 15 + 15 + 10 + 3},
        /* (3,5) by (5,7) */
        {vl_work_linear(3, 5, 7), 210, 15 + 35 + 21},
        {vl_work_linear_backward_weight(3, 5, 7), 210, 15 + 70 + 21},
        /* 2 sequences of 3 tokens, 5 heads of 4: q and k have 2 * 6 * 20 / 2 = 120 pairs of elements */
        {vl_work_rotary(2, 3, 5, 4), 6 * 120, 240 + 240 + 12},
        /* the same: 10 triangles of 6 pairs; a product of 4 terms is 8 */
        {vl_work_attention_forward(2, 3, 5, 4), 60 * (8 + 5 + 8), 360 + 120 + 60},
        {vl_work_attention_backward_input(2, 3, 5, 4), 60 * (32 + 5), 120 + 360 + 360 + 60},
        /* 15 elements */
        {vl_work_swiglu_forward(3, 5), 60, 45},
        {vl_work_swiglu_backward_input(3, 5), 150, 75},
        {vl_work_cross_entropy_forward(3, 5), 60 + 3, 15 + 15 + 3 + 3},
        {vl_work_cross_entropy_backward_input(3, 5), 15 + 3, 15 + 15 + 3},
        {vl_work_gradient_norm(7), 15, 7},
        {vl_work_adamw(7), 119, 28 + 21},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_true(cases[i].work.flops == cases[i].flops);
        assert_true(cases[i].work.bytes == 4 * cases[i].elements);
    }
}

static struct vl_work times(double n, struct vl_work work)
{
    return (struct vl_work){n * work.flops, n * work.bytes};
}

/* The products of a step, as budget.h counts them, are those of the operators and the masked half of
 * attention; per pair that is read, an operator does 5 more in each direction. */
static void products_agree_with_the_count_of_the_step(void **state)
{
    (void)state;
    const struct vl_shape s = {
        .layers = 3, .width = 24, .heads = 2, .ff = 40, .vocabulary = 50, .sequence = 10};
    const size_t batch = 4, n = batch * s.sequence, k = s.width / s.heads;
    const double layers = (double)s.layers, pairs = 4.0 * 2 * 10 * 11 / 2;
    struct vl_work layer = {0, 0};
    const size_t sizes[][2] = {
        {s.width, 3 * s.width}, {s.width, s.width}, {s.width, 2 * s.ff}, {s.ff, s.width}};
    for (size_t i = 0; i < 4; i++)
        layer = vl_work_add(
            layer, vl_work_add(times(2, vl_work_linear(n, sizes[i][0], sizes[i][1])),
                               vl_work_linear_backward_weight(n, sizes[i][0], sizes[i][1])));
    layer = vl_work_add(layer, vl_work_attention_forward(batch, s.sequence, s.heads, k));
    layer = vl_work_add(layer, vl_work_attention_backward_input(batch, s.sequence, s.heads, k));
    double sum = layers * layer.flops + 3 * vl_work_linear(n, s.width, s.vocabulary).flops;
    double masked = 6 * layers * (double)n * (double)s.width * (double)(s.sequence - 1);
    double per_token, softmax = layers * 10 * pairs;
    assert_int_equal(vl_flops_per_token(&per_token, &s), VL_OK);
    assert_true(sum + masked - softmax == (double)n * per_token);
}

/* ---- the clock ---- */

static double now;

static double clock_of_test(void)
{
    return now;
}

static const struct vl_work some = {10, 4};

static void inner_time_is_counted_once(void **state)
{
    (void)state;
    struct vl_operators list;
    now = 100;
    vl_operators_open(&list, 512, clock_of_test);
    now = 101;
    vl_operators_enter(VL_OPERATOR_ATTENTION_FORWARD);
    now = 103;
    vl_operators_enter(VL_OPERATOR_LINEAR_FORWARD);
    now = 108;
    vl_operators_leave(some);
    vl_operators_enter(VL_OPERATOR_LINEAR_FORWARD);
    now = 109;
    vl_operators_leave(some);
    now = 113;
    vl_operators_leave(some);
    now = 114;
    assert_int_equal(vl_operators_close(&list), VL_OK);
    const struct vl_operator_row *outer = &list.rows[VL_OPERATOR_ATTENTION_FORWARD],
                                 *inner = &list.rows[VL_OPERATOR_LINEAR_FORWARD];
    assert_true(outer->seconds == 6 && outer->calls == 1 && outer->work.flops == 10);
    assert_true(inner->seconds == 6 && inner->calls == 2 && inner->work.bytes == 8);
    assert_true(list.seconds == 14);
    assert_true(vl_operators_rest(&list) == 2);
    assert_true(vl_operators_work(&list).flops == 30);
}

static void nothing_is_noted_while_no_list_is_open(void **state)
{
    (void)state;
    struct vl_operators list;
    now = 0;
    vl_operators_enter(VL_OPERATOR_ROTARY_FORWARD);
    vl_operators_leave(some);
    vl_operators_open(&list, 512, clock_of_test);
    vl_operators_enter(VL_OPERATOR_ROTARY_FORWARD);
    vl_operators_leave(some);
    assert_int_equal(vl_operators_close(&list), VL_OK);
    vl_operators_enter(VL_OPERATOR_ROTARY_FORWARD);
    vl_operators_leave(some);
    assert_true(list.rows[VL_OPERATOR_ROTARY_FORWARD].calls == 1);
}

static void a_list_that_cannot_be_right_is_refused(void **state)
{
    (void)state;
    struct vl_operators list;
    vl_operators_open(&list, 512, clock_of_test); /* as in a program without wrappers */
    vl_operators_enter(VL_OPERATOR_UPDATE);
    vl_operators_leave(some);
    assert_int_equal(vl_operators_close(&list), VL_EINVAL);

    vl_operators_open(&list, 512, clock_of_test);
    vl_operators_enter(VL_OPERATOR_ROTARY_FORWARD);
    vl_operators_leave(some);
    vl_operators_enter(VL_OPERATOR_ROTARY_FORWARD); /* never left */
    assert_int_equal(vl_operators_close(&list), VL_EINVAL);

    vl_operators_open(&list, 512, clock_of_test);
    for (int i = 0; i <= VL_OPERATORS_DEEP; i++)
        vl_operators_enter(VL_OPERATOR_ROTARY_FORWARD);
    for (int i = 0; i <= VL_OPERATORS_DEEP; i++)
        vl_operators_leave(some);
    assert_int_equal(vl_operators_close(&list), VL_EINVAL);
}

static void products_with_the_vocabulary_are_the_logits(void **state)
{
    (void)state;
    struct vl_operators list;
    assert_int_equal(vl_operators_product(VL_OPERATOR_LINEAR_FORWARD, 512),
                     VL_OPERATOR_LINEAR_FORWARD);
    vl_operators_open(&list, 512, clock_of_test);
    assert_int_equal(vl_operators_product(VL_OPERATOR_LINEAR_FORWARD, 512),
                     VL_OPERATOR_LOGITS_FORWARD);
    assert_int_equal(vl_operators_product(VL_OPERATOR_LINEAR_BACKWARD_INPUT, 512),
                     VL_OPERATOR_LOGITS_BACKWARD_INPUT);
    assert_int_equal(vl_operators_product(VL_OPERATOR_LINEAR_BACKWARD_WEIGHT, 512),
                     VL_OPERATOR_LOGITS_BACKWARD_WEIGHT);
    assert_int_equal(vl_operators_product(VL_OPERATOR_LINEAR_FORWARD, 256),
                     VL_OPERATOR_LINEAR_FORWARD);
    vl_operators_close(&list);
}

/* Rows and rest of a mean add up to its step, as those of each list do. */
static void a_mean_adds_up(void **state)
{
    (void)state;
    struct vl_operators lists[2], mean;
    for (int i = 0; i < 2; i++) {
        now = 0;
        vl_operators_open(&lists[i], 512, clock_of_test);
        vl_operators_enter(VL_OPERATOR_SWIGLU_FORWARD);
        now = 2 + 4 * i;
        vl_operators_leave(some);
        now += 1 + i;
        assert_int_equal(vl_operators_close(&lists[i]), VL_OK);
    }
    const struct vl_operators *const both[] = {&lists[0], &lists[1]};
    vl_operators_mean(&mean, both, 2);
    assert_true(mean.rows[VL_OPERATOR_SWIGLU_FORWARD].seconds == 4);
    assert_true(mean.rows[VL_OPERATOR_SWIGLU_FORWARD].calls == 1);
    assert_true(mean.rows[VL_OPERATOR_SWIGLU_FORWARD].work.flops == 10);
    assert_true(mean.seconds == 5.5);
    assert_true(vl_operators_rest(&mean) == 1.5);
}

static void every_operator_has_a_name_of_its_own(void **state)
{
    (void)state;
    for (int i = 0; i < VL_OPERATORS; i++) {
        assert_non_null(vl_operator_name((enum vl_operator)i));
        for (int k = 0; k < i; k++)
            assert_string_not_equal(vl_operator_name((enum vl_operator)i),
                                    vl_operator_name((enum vl_operator)k));
    }
}

/* ---- the roof ---- */

/* 100 FLOP/s and 20 bytes/s meet at 5 FLOPs per byte. */
static void the_roof_is_the_lower_of_both_limits(void **state)
{
    (void)state;
    const struct vl_roof roof = {.flops_per_second = 100, .bytes_per_second = 20};
    assert_true(vl_roof_height(&roof, 2) == 40);
    assert_true(vl_roof_height(&roof, 5) == 100);
    assert_true(vl_roof_height(&roof, 50) == 100);
    assert_true(vl_roof_intensity((struct vl_work){60, 30}) == 2);
    assert_true(vl_roof_intensity((struct vl_work){0, 0}) == 0);
    assert_true(vl_roof_seconds(&roof, (struct vl_work){400, 40}) == 4);
    assert_true(vl_roof_seconds(&roof, (struct vl_work){40, 40}) == 2);
    assert_true(vl_roof_share(&roof, (struct vl_work){0, 40}, 8) == 0.25);
    assert_true(vl_roof_share(&roof, (struct vl_work){0, 40}, 0) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_is_what_was_worked_by_hand),
        cmocka_unit_test(products_agree_with_the_count_of_the_step),
        cmocka_unit_test(inner_time_is_counted_once),
        cmocka_unit_test(nothing_is_noted_while_no_list_is_open),
        cmocka_unit_test(a_list_that_cannot_be_right_is_refused),
        cmocka_unit_test(products_with_the_vocabulary_are_the_logits),
        cmocka_unit_test(a_mean_adds_up),
        cmocka_unit_test(every_operator_has_a_name_of_its_own),
        cmocka_unit_test(the_roof_is_the_lower_of_both_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
