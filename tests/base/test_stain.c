/*
 * Stains: what is computed from them still says which one it was.
 */
#include "wire/stain.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { NUMBER = 137, COUNT = 5 };

/* Stain the array, but for the first element. */
static struct vl_tensor_entry *stained(struct vl_bag *bag, enum vl_dtype type)
{
    size_t count = COUNT, bytes = COUNT * vl_dtype_bytes(type);
    char *array = vl_bag_add(bag, "y", type, 1, &count);
    memset(array, 0, bytes);
    vl_stain_put(array + vl_dtype_bytes(type), bytes - vl_dtype_bytes(type), NUMBER);
    return (struct vl_tensor_entry *)vl_bag_find(bag, "y");
}

static void floats_keep_it(void **state)
{
    (void)state;
    struct vl_bag *bag = vl_bag_create();
    struct vl_tensor_entry *entry = stained(bag, VL_F32);
    float *y = vl_bag_f32(bag, "y");
    assert_int_equal(vl_stain_find(entry), NUMBER);
    for (int i = 1; i < COUNT; i++)
        y[i] = -2.0f * y[i] + 3.0f;
    assert_int_equal(vl_stain_find(entry), NUMBER);
    volatile double wide = y[1];
    for (int i = 1; i < COUNT; i++)
        y[i] = (float)(wide * 0.5 + y[0]);
    assert_int_equal(vl_stain_find(entry), NUMBER);
    for (int i = 1; i < COUNT; i++)
        y[i] = (float)i / y[0]; /* infinity is none */
    assert_int_equal(vl_stain_find(entry), -1);
    for (int i = 1; i < COUNT; i++)
        y[i] = y[i] - y[i]; /* nor is any other NaN */
    assert_int_equal(vl_stain_find(entry), -1);
    vl_bag_free(bag);
}

static void doubles_keep_it_and_become_floats(void **state)
{
    (void)state;
    struct vl_bag *bag = vl_bag_create();
    struct vl_tensor_entry *entry = stained(bag, VL_F64);
    double *wide = (double *)entry->data;
    wide[1] = wide[1] + 1.0;
    assert_int_equal(vl_stain_find(entry), NUMBER);
    volatile float narrow = (float)wide[1];
    for (int i = 1; i < COUNT; i++)
        wide[i] = (double)narrow * 2.0; /* what is left of it in a float */
    size_t one = 1;
    float *y = vl_bag_add(bag, "narrow", VL_F32, 1, &one);
    *y = narrow;
    assert_int_equal(vl_stain_find(vl_bag_find(bag, "narrow")), NUMBER);
    vl_bag_free(bag);
}

static void floats_become_doubles(void **state)
{
    (void)state;
    struct vl_bag *bag = vl_bag_create();
    stained(bag, VL_F32);
    volatile float narrow = vl_bag_f32(bag, "y")[1];
    size_t one = 1;
    double *wide = vl_bag_add(bag, "wide", VL_F64, 1, &one);
    *wide = (double)narrow + 1.0;
    assert_int_equal(vl_stain_find(vl_bag_find(bag, "wide")), NUMBER);
    vl_bag_free(bag);
}

static void counts_keep_it(void **state)
{
    (void)state;
    struct vl_bag *bag = vl_bag_create();
    struct vl_tensor_entry *entry = stained(bag, VL_I64);
    int64_t *count = (int64_t *)entry->data;
    for (int i = 1; i < COUNT; i++)
        count[i] += 1000;
    assert_int_equal(vl_stain_find(entry), NUMBER);
    for (int i = 1; i < COUNT; i++)
        count[i] = i;
    assert_int_equal(vl_stain_find(entry), -1);
    vl_bag_free(bag);
}

static void poison_is_no_stain(void **state)
{
    (void)state;
    struct vl_bag *bag = vl_bag_create();
    static const enum vl_dtype types[] = {VL_F32, VL_F64, VL_I64};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        size_t count = COUNT;
        const char names[] = {(char)('a' + (char)i), '\0'};
        vl_bag_add(bag, names, types[i], 1, &count);
        vl_bag_poison(bag, names);
        assert_int_equal(vl_stain_find(vl_bag_find(bag, names)), -1);
    }
    vl_bag_free(bag);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floats_keep_it),
        cmocka_unit_test(doubles_keep_it_and_become_floats),
        cmocka_unit_test(floats_become_doubles),
        cmocka_unit_test(counts_keep_it),
        cmocka_unit_test(poison_is_no_stain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
