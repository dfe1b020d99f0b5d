#include "wire/bag.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void arrays_start_zeroed_and_are_found_by_name_and_type(void **state)
{
    (void)state;
    struct vl_bag *bag = vl_bag_create();
    float *x = vl_bag_add_f32(bag, "x", 3, 5);
    assert_non_null(x);
    for (size_t i = 0; i < 15; i++)
        assert_true(x[i] == 0);
    assert_ptr_equal(vl_bag_f32(bag, "x"), x);
    assert_null(vl_bag_f64(bag, "x"));
    assert_null(vl_bag_f32(bag, "y"));
    assert_int_equal(vl_bag_find(bag, "x")->count, 15);
    assert_int_equal(vl_bag_find(bag, "x")->shape[1], 5);
    assert_null(vl_bag_add_f32(bag, "x", 1, 1)); /* the name is taken */
    assert_int_equal(vl_bag_count(bag), 1);
    assert_null(vl_bag_entry(bag, 1));
    vl_bag_free(bag);
}

static void scalars_come_back_and_absent_ones_are_zero(void **state)
{
    (void)state;
    struct vl_bag *bag = vl_bag_create();
    assert_true(vl_bag_set_int(bag, "n", -7));
    assert_true(vl_bag_set_real(bag, "lr", 0.25));
    assert_int_equal(vl_bag_int(bag, "n"), -7);
    assert_true(vl_bag_real(bag, "lr") == 0.25);
    assert_int_equal(vl_bag_int(bag, "lr"), 0); /* another type */
    assert_true(vl_bag_real(bag, "nothing") == 0);
    assert_false(vl_bag_set_int(bag, "n", 3));
    vl_bag_add(bag, "hollow", VL_I64, 1, (size_t[]){0});
    assert_int_equal(vl_bag_int(bag, "hollow"), 0);
    vl_bag_free(bag);
}

static void a_size_that_overflows_is_refused(void **state)
{
    (void)state;
    struct vl_bag *bag = vl_bag_create();
    assert_null(vl_bag_add_f32(bag, "a", SIZE_MAX, 2));
    assert_null(vl_bag_add_f64(bag, "b", SIZE_MAX / 8, 1));
    assert_null(vl_bag_add(bag, "c", VL_F32, VL_TENSOR_DIMS + 1, (size_t[]){1, 1, 1, 1, 1}));
    assert_int_equal(vl_bag_count(bag), 0);
    vl_bag_free(bag);
}

static void poison_is_nan_and_told_from_other_nan(void **state)
{
    (void)state;
    struct vl_bag *bag = vl_bag_create();
    vl_bag_add_f32(bag, "f", 1, 3);
    vl_bag_add_f64(bag, "d", 1, 3);
    vl_bag_set_int(bag, "i", 5);
    vl_bag_poison(bag, "f");
    vl_bag_poison(bag, "d");
    assert_true(isnan(vl_bag_f32(bag, "f")[2]) && isnan(vl_bag_f64(bag, "d")[2]));
    vl_bag_f32(bag, "f")[1] = NAN;
    vl_bag_f64(bag, "d")[1] = NAN;
    for (size_t k = 0; k < 3; k++) {
        assert_int_equal(vl_bag_is_poison(vl_bag_find(bag, "f"), k), k != 1);
        assert_int_equal(vl_bag_is_poison(vl_bag_find(bag, "d"), k), k != 1);
    }
    assert_false(vl_bag_is_poison(vl_bag_find(bag, "i"), 0));
    vl_bag_poison(bag, "i");
    assert_true(vl_bag_is_poison(vl_bag_find(bag, "i"), 0));
    vl_bag_poison(bag, "absent");
    vl_bag_free(bag);
}

/* Outputs never have these types; inputs that belong to other ranks do. */
/* Of an experiment (wire/unset.h). */
static void poison_may_be_zeros(void **state)
{
    (void)state;
    struct vl_bag *bag = vl_bag_create();
    float *numbers = vl_bag_add_f32(bag, "f", 1, 3);
    numbers[1] = 7;
    vl_bag_poison_with_zeros(bag);
    vl_bag_poison(bag, "f");
    assert_true(numbers[0] == 0 && numbers[1] == 0 && numbers[2] == 0);
    vl_bag_free(bag);
}

static void whole_numbers_and_bytes_are_poisoned_too(void **state)
{
    (void)state;
    struct vl_bag *bag = vl_bag_create();
    int32_t *numbers = vl_bag_add_i32(bag, "numbers", 1, 2);
    unsigned char *bytes = vl_bag_add(bag, "bytes", VL_U8, 1, (size_t[]){2});
    vl_bag_poison(bag, "numbers");
    vl_bag_poison(bag, "bytes");
    numbers[0] = bytes[0] = 0;
    for (size_t k = 0; k < 2; k++) {
        assert_int_equal(vl_bag_is_poison(vl_bag_find(bag, "numbers"), k), k == 1);
        assert_int_equal(vl_bag_is_poison(vl_bag_find(bag, "bytes"), k), k == 1);
    }
    vl_bag_free(bag);
}

static void a_copy_is_equal_until_one_bit_changes(void **state)
{
    (void)state;
    struct vl_bag *bag = vl_bag_create();
    vl_bag_add_f32(bag, "x", 4, 4);
    vl_bag_add_i32(bag, "t", 2, 1);
    struct vl_bag *copy = vl_bag_copy(bag);
    assert_null(vl_bag_difference(bag, copy));
    vl_bag_i32(copy, "t")[1] = 1;
    assert_string_equal(vl_bag_difference(bag, copy), "t");
    vl_bag_i32(copy, "t")[1] = 0;
    vl_bag_f32(copy, "x")[0] = -0.0f; /* equal as a number, changed all the same */
    assert_string_equal(vl_bag_difference(bag, copy), "x");
    assert_string_equal(vl_bag_difference(bag, NULL), "x");
    vl_bag_free(copy);
    vl_bag_free(bag);
}

static void a_bag_survives_a_file_bit_for_bit(void **state)
{
    (void)state;
    char path[] = "/tmp/vialata_bag_XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
    struct vl_bag *bag = vl_bag_create(), *read = NULL;
    float *x = vl_bag_add_f32(bag, "x", 3, 7);
    for (size_t i = 0; i < 21; i++)
        x[i] = 0.1f * (float)i;
    x[20] = NAN;
    vl_bag_add_f32(bag, "poisoned", 1, 3);
    vl_bag_poison(bag, "poisoned");
    vl_bag_add_f32(bag, "empty", 0, 5);
    vl_bag_set_int(bag, "n", INT64_MAX);
    vl_bag_set_real(bag, "r", 1.0 / 3);
    vl_bag_add_i32(bag, "t", 5, 1)[4] = -1;
    assert_int_equal(vl_bag_write(bag, path), VL_OK);
    assert_int_equal(vl_bag_read(&read, path), VL_OK);
    assert_null(vl_bag_difference(bag, read));
    assert_null(vl_bag_difference(read, bag));
    assert_int_equal(vl_bag_find(read, "empty")->shape[1], 5);
    vl_bag_free(read);
    vl_bag_free(bag);
    unlink(path);
}

/* What follows a bag in memory at any place: its arrays need not be aligned there. */
static void bytes_are_read_as_a_file_is(void **state)
{
    (void)state;
    struct vl_bag *bag = vl_bag_create(), *read = NULL;
    char *bytes = NULL;
    size_t n = 0;
    FILE *stream = open_memstream(&bytes, &n);
    fputc('x', stream);
    vl_bag_add_f64(bag, "x", 2, 2)[3] = 1.0 / 3;
    vl_bag_add_f32(bag, "empty", 0, 5);
    vl_bag_set_int(bag, "n", INT64_MIN);
    assert_int_equal(vl_bag_put(bag, stream), VL_OK);
    fclose(stream);
    assert_int_equal(vl_bag_parse(&read, bytes + 1, n - 1), VL_OK);
    free(bytes); /* the bag has copies */
    assert_null(vl_bag_difference(bag, read));
    assert_null(vl_bag_difference(read, bag));
    assert_int_equal((uintptr_t)vl_bag_find(read, "x")->data % sizeof(double), 0);
    vl_bag_free(read);
    vl_bag_free(bag);
}

static void bytes_that_are_no_bag_are_refused(void **state)
{
    (void)state;
    struct vl_bag *bag = vl_bag_create(), *read = NULL;
    char *bytes = NULL;
    size_t n = 0;
    FILE *stream = open_memstream(&bytes, &n);
    vl_bag_add_f64(bag, "x", 2, 2);
    assert_int_equal(vl_bag_put(bag, stream), VL_OK);
    fclose(stream);
    for (size_t less = 1; less <= n; less++) {
        char *copy = malloc(n - less); /* a sanitizer sees who reads beyond it */
        memcpy(copy, bytes, n - less);
        assert_int_equal(vl_bag_parse(&read, copy, n - less), VL_EFORMAT);
        assert_null(read);
        free(copy);
    }
    memset(bytes, 0xff, 8); /* a header of 2^64 - 1 bytes */
    assert_int_equal(vl_bag_parse(&read, bytes, n), VL_EFORMAT);
    free(bytes);
    vl_bag_free(bag);
}

static void a_file_that_is_no_bag_is_refused(void **state)
{
    (void)state;
    char path[] = "/tmp/vialata_bag_XXXXXX";
    int descriptor = mkstemp(path);
    assert_int_equal(write(descriptor, "not a bag at all", 16), 16);
    close(descriptor);
    struct vl_bag *read = NULL;
    assert_int_equal(vl_bag_read(&read, path), VL_EFORMAT);
    assert_null(read);
    unlink(path);
    assert_int_equal(vl_bag_read(&read, path), VL_EIO);
    assert_null(read);
}

/* Many arrays, or few with long names. */
static void check_too_much(size_t arrays, size_t name_length)
{
    char name[4096], *path = NULL;
    assert_true(asprintf(&path, "%s/many.%d.st", P_tmpdir, (int)getpid()) > 0);
    struct vl_bag *bag = vl_bag_create(), *read = NULL;
    for (size_t i = 0; i < arrays; i++) {
        snprintf(name, sizeof name, "%0*zu", (int)name_length, i);
        assert_true(vl_bag_set_int(bag, name, 1));
    }
    assert_int_equal(vl_bag_write(bag, path), VL_OK);
    assert_int_equal(vl_bag_read(&read, path), VL_EFORMAT);
    assert_null(read);
    vl_bag_free(bag);
    unlink(path);
    free(path);
}

static void a_file_that_would_take_minutes_to_read_is_refused(void **state)
{
    (void)state;
    check_too_much(VL_BAG_MOST_ARRAYS + 1, 1);
    check_too_much(VL_BAG_MOST_HEADER / 4000, 4000);
}

static void a_lent_array_is_not_copied(void **state)
{
    (void)state;
    float numbers[] = {1, 2, 3};
    struct vl_bag *bag = vl_bag_create();
    assert_true(vl_bag_lend(bag, "y", VL_F32, 3, numbers));
    assert_false(vl_bag_lend(bag, "y", VL_F32, 3, numbers));
    assert_false(vl_bag_lend(bag, "z", VL_F32, SIZE_MAX, numbers));
    assert_false(vl_bag_lend(bag, "z", VL_F32, 3, NULL));
    assert_ptr_equal(vl_bag_f32(bag, "y"), numbers);
    struct vl_bag *copy = vl_bag_copy(bag);
    numbers[1] = 5;
    assert_true(vl_bag_f32(copy, "y")[1] == 2);
    assert_string_equal(vl_bag_difference(bag, copy), "y");
    vl_bag_free(bag);
    vl_bag_free(copy);
    assert_true(numbers[1] == 5);
}

static void nothing_is_safe_to_ask(void **state)
{
    (void)state;
    vl_bag_free(NULL);
    assert_int_equal(vl_bag_count(NULL), 0);
    assert_null(vl_bag_find(NULL, "x"));
    assert_int_equal(vl_bag_int(NULL, "x"), 0);
    vl_bag_poison(NULL, "x");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_start_zeroed_and_are_found_by_name_and_type),
        cmocka_unit_test(scalars_come_back_and_absent_ones_are_zero),
        cmocka_unit_test(a_size_that_overflows_is_refused),
        cmocka_unit_test(poison_is_nan_and_told_from_other_nan),
        cmocka_unit_test(poison_may_be_zeros),
        cmocka_unit_test(whole_numbers_and_bytes_are_poisoned_too),
        cmocka_unit_test(a_copy_is_equal_until_one_bit_changes),
        cmocka_unit_test(a_bag_survives_a_file_bit_for_bit),
        cmocka_unit_test(bytes_are_read_as_a_file_is),
        cmocka_unit_test(bytes_that_are_no_bag_are_refused),
        cmocka_unit_test(a_file_that_is_no_bag_is_refused),
        cmocka_unit_test(a_file_that_would_take_minutes_to_read_is_refused),
        cmocka_unit_test(a_lent_array_is_not_copied),
        cmocka_unit_test(nothing_is_safe_to_ask),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
