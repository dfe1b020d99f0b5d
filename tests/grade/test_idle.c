/*
 * Which cases are idle: right for a function that does nothing, or always refuses.
 */
#include "grade/catalogue/case.h"
#include "grade/judge/judge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { RANKS = 2, N = 3 };

static struct {
    enum vl_status status;
    size_t count;   /* of the expected array */
    double add;     /* to what the input is */
    int zero;       /* zero is expected */
    const char *in; /* the name of the input */
} now;

/* Two ranks with N numbers each: the input holds those of both. */
static enum vl_status truth(struct vl_bag *expected, const struct vl_bag *inputs)
{
    (void)inputs;
    vl_bag_set_int(expected, "status", now.status);
    for (int rank = 0; rank < RANKS; rank++) {
        double *y = vl_bag_add_f64(expected, VL_RANKED("y", rank), 1, now.count);
        for (size_t i = 0; i < now.count; i++)
            y[i] = now.zero ? 0 : (double)((size_t)rank * N + i + 1) + now.add;
    }
    return VL_OK;
}

static bool is_idle(int flag)
{
    const struct vl_case c = {.id = "made_up.plain",
                              .function = "vl_made_up",
                              .ranks = RANKS,
                              .per_rank = 1,
                              .share = 1,
                              .bound = 1e-5,
                              .floor = 1e-6,
                              .idle = flag,
                              .truth = truth};
    struct vl_bag *inputs = vl_bag_create(), *nothing = vl_bag_create();
    struct vl_case_result result = {0};
    struct vl_judged judged;
    float *x = vl_bag_add_f32(inputs, now.in, RANKS, N);
    for (size_t i = 0; i < RANKS * (size_t)N; i++)
        x[i] = (float)(i + 1);
    assert_int_equal(vl_judge(&result, &judged, &c, 1, inputs, nothing), VL_OK);
    free(result.code);
    free(result.message);
    vl_bag_free(inputs);
    vl_bag_free(nothing);
    return judged.idle;
}

static void numbers_are_work(void **state)
{
    (void)state;
    now = (typeof(now)){.count = N, .add = 0.5, .in = "y"};
    assert_false(is_idle(0));
    now = (typeof(now)){.count = N, .in = "x"}; /* from one array into another */
    assert_false(is_idle(0));
}

static void a_refusal_is_none(void **state)
{
    (void)state;
    now = (typeof(now)){.status = VL_EINVAL, .count = N, .add = 0.5, .in = "y"};
    assert_true(is_idle(0));
}

static void empty_and_zero_and_unchanged_arrays_are_none(void **state)
{
    (void)state;
    now = (typeof(now)){.count = 0, .add = 0.5, .in = "y"};
    assert_true(is_idle(0));
    now = (typeof(now)){.count = N, .zero = 1, .in = "y"};
    assert_true(is_idle(0));
    now = (typeof(now)){.count = N, .add = 1e-7, .in = "y"}; /* less than the bound */
    assert_true(is_idle(0));
}

static void a_case_can_say_it_itself(void **state)
{
    (void)state;
    now = (typeof(now)){.count = N, .add = 0.5, .in = "y"};
    assert_true(is_idle(1));
    now = (typeof(now)){.count = 0, .in = "y"};
    assert_false(is_idle(-1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_work),
        cmocka_unit_test(a_refusal_is_none),
        cmocka_unit_test(empty_and_zero_and_unchanged_arrays_are_none),
        cmocka_unit_test(a_case_can_say_it_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
