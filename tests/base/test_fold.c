#include "wire/bag.h"
#include "wire/fold.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ROWS    5
#define COLUMNS 3001 /* a row does not end where a block does */

/* What a bag is in a file. */
static char *bytes_of(size_t *n, const struct vl_bag *bag)
{
    char *bytes = NULL;
    FILE *stream = open_memstream(&bytes, n);
    assert_int_equal(vl_bag_put(bag, stream), VL_OK);
    fclose(stream);
    return bytes;
}

static struct vl_bag *read_again(const struct vl_bag *bag, size_t *n)
{
    struct vl_bag *read = NULL;
    char *bytes = bytes_of(n, bag);
    assert_int_equal(vl_bag_parse(&read, bytes, *n), VL_OK);
    free(bytes);
    return read;
}

/* One row of an array of that type, the rest poison; row -1: nothing but poison. */
static void check_row(enum vl_dtype dtype, int row)
{
    const size_t bytes = COLUMNS * vl_dtype_bytes(dtype);
    struct vl_bag *bag = vl_bag_create();
    char *x = vl_bag_add(bag, "x", dtype, 2, (size_t[]){ROWS, COLUMNS});
    vl_bag_poison(bag, "x");
    vl_bag_set_int(bag, "n", 7);
    if (row >= 0)
        memset(x + (size_t)row * bytes, 1, bytes);
    size_t n;
    struct vl_bag *read = read_again(bag, &n);
    assert_null(vl_bag_difference(bag, read));
    assert_null(vl_bag_difference(read, bag));
    assert_int_equal(vl_bag_find(read, "x")->dims, 2);
    assert_int_equal(vl_bag_find(read, "x")->shape[1], COLUMNS);
    const size_t kept = row >= 0 ? bytes : ROWS * bytes / VL_FOLD_MOST;
    assert_in_range(n, kept, kept + 2 * VL_POISON_BLOCK + 512 /* header */);
    vl_bag_free(read);
    vl_bag_free(bag);
}

static void poison_at_both_ends_stays_out_of_a_file(void **state)
{
    (void)state;
    static const enum vl_dtype types[] = {VL_F32, VL_F64, VL_I32, VL_I64, VL_U8};
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (int row = -1; row < ROWS; row++)
            check_row(types[t], row);
}

static void poison_between_numbers_travels(void **state)
{
    (void)state;
    struct vl_bag *bag = vl_bag_create();
    float *x = vl_bag_add_f32(bag, "x", ROWS, COLUMNS);
    size_t n, count = (size_t)ROWS * COLUMNS;
    vl_bag_poison(bag, "x");
    x[0] = x[count - 1] = 1;
    struct vl_bag *read = read_again(bag, &n);
    assert_null(vl_bag_difference(bag, read));
    assert_true(n > count * sizeof *x);
    vl_bag_free(read);
    vl_bag_free(bag);
}

/* A file of one array of floats and a text that says what it was before. */
static enum vl_status status_of(size_t dims, size_t count, const char *text)
{
    static const float numbers[6] = {1, 2, 3, 4, 5, 6};
    const struct vl_tensor_entry entry = {.name = "x",
                                          .dtype = VL_F32,
                                          .dims = dims,
                                          .shape = {count, 1},
                                          .count = count,
                                          .data = numbers};
    const struct vl_metadata metadata = {"whole x", text};
    char *bytes = NULL;
    size_t n = 0;
    FILE *stream = open_memstream(&bytes, &n);
    assert_int_equal(vl_safetensors_put(stream, &entry, 1, &metadata, 1), VL_OK);
    fclose(stream);
    struct vl_bag *bag = NULL;
    enum vl_status status = vl_bag_parse(&bag, bytes, n);
    free(bytes);
    assert_true((bag != NULL) == (status == VL_OK));
    vl_bag_free(bag);
    return status;
}

static void a_text_that_cannot_be_true_is_refused(void **state)
{
    (void)state;
    assert_int_equal(status_of(1, 6, "0 6"), VL_OK);
    assert_int_equal(status_of(1, 6, "2 2 2 2 1"), VL_OK);
    assert_int_equal(status_of(1, 6, "42 48"), VL_OK);
    assert_int_equal(status_of(1, 6, "0 49"), VL_EFORMAT); /* more than eight times as many */
    assert_int_equal(status_of(1, 0, "0 1"), VL_EFORMAT);
    assert_int_equal(status_of(1, 0, "0 0 9223372036854775807"), VL_OK);
    assert_int_equal(status_of(1, 0, "0 0 9223372036854775808"), VL_EFORMAT);
    assert_int_equal(status_of(1, 6, "2 7"), VL_EFORMAT);
    assert_int_equal(status_of(1, 6, "8 7"), VL_EFORMAT);
    assert_int_equal(status_of(2, 6, "0 6"), VL_EFORMAT);
    assert_int_equal(status_of(1, 6, "18446744073709551615 6"), VL_EFORMAT);
    assert_int_equal(status_of(1, 6, "18446744073709551616 6"), VL_EFORMAT);
    assert_int_equal(status_of(1, 6, "0 4294967296 4294967296"), VL_EFORMAT);
    assert_int_equal(status_of(1, 6, "0 1 1 1 1 6"), VL_EFORMAT);
    assert_int_equal(status_of(1, 1, "0"), VL_OK); /* a single number, of no dimension */
    static const char *const no_numbers[] = {"", "x", "0 -6", "0  6", "-0 6", "0 6 x", "0x0 6"};
    for (size_t i = 0; i < sizeof no_numbers / sizeof *no_numbers; i++)
        assert_int_equal(status_of(1, 6, no_numbers[i]), VL_EFORMAT);
}

/* In all, and not each; and the arrays that are not folded, too. */
static void parsed_bags_are_bounded(void **state)
{
    (void)state;
    const size_t half = VL_BAG_MOST_BYTES / 2;
    for (size_t more = 0; more <= 1; more++) {
        struct vl_bag *bag = vl_bag_create(), *read = NULL;
        vl_bag_add(bag, "x", VL_U8, 1, &half);
        vl_bag_add(bag, "y", VL_U8, 1, (size_t[]){half + more});
        vl_bag_poison(bag, "x");
        size_t n;
        char *bytes = bytes_of(&n, bag);
        assert_int_equal(vl_bag_parse(&read, bytes, n), more ? VL_EFORMAT : VL_OK);
        free(bytes);
        vl_bag_free(read);
        vl_bag_free(bag);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(poison_at_both_ends_stays_out_of_a_file),
        cmocka_unit_test(poison_between_numbers_travels),
        cmocka_unit_test(a_text_that_cannot_be_true_is_refused),
        cmocka_unit_test(parsed_bags_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
