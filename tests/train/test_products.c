/* The products of a step: written down while a list is open, and made again as they were. */
#include "train/bench/step/products.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const float a[] = {1, 2, 3, 4}, b[] = {1, 0, 0, 1};

/* What a call of a 2 x 2 product is told; it adds to c. */
static struct vl_product adding_to(float *c)
{
    return (struct vl_product){
        CblasRowMajor, CblasTrans, CblasNoTrans, 2, 2, 2, 1, a, 2, b, 2, 1, c, 2};
}

static void calls_are_made_again_in_order(void **state)
{
    (void)state;
    float first[4] = {0}, second[4] = {0};
    struct vl_product one = adding_to(first), two = adding_to(second);
    two.alpha = 10;
    struct vl_products list;
    vl_products_open(&list);
    vl_products_note(&one);
    vl_products_note(&two);
    assert_int_equal(vl_products_close(&list), VL_OK);
    vl_products_note(&one); /* too late: nothing is open */
    assert_int_equal(list.count, 2);

    vl_products_repeat(&list);
    vl_products_repeat(&list);
    const float transposed[] = {1, 3, 2, 4};
    for (int i = 0; i < 4; i++) {
        assert_true(first[i] == 2 * transposed[i]);
        assert_true(second[i] == 20 * transposed[i]);
    }
    vl_products_free(&list);
    assert_int_equal(list.count, 0);
}

static void a_list_without_calls_is_refused(void **state)
{
    (void)state;
    struct vl_products list;
    vl_products_open(&list);
    assert_int_equal(vl_products_close(&list), VL_EINVAL);
    vl_products_free(&list);
}

static void many_calls_are_kept(void **state)
{
    (void)state;
    float c[4] = {0};
    struct vl_products list;
    vl_products_open(&list);
    for (int i = 0; i < 5000; i++) {
        struct vl_product call = adding_to(c);
        call.m = i;
        vl_products_note(&call);
    }
    assert_int_equal(vl_products_close(&list), VL_OK);
    assert_int_equal(list.count, 5000);
    for (int i = 0; i < 5000; i++)
        assert_int_equal(list.calls[i].m, i);
    vl_products_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_are_made_again_in_order),
        cmocka_unit_test(a_list_without_calls_is_refused),
        cmocka_unit_test(many_calls_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
