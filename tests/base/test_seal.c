/*
 * Seals: every bit and the key count, the order of the arrays does not.
 */
#include "wire/seal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { NUMBERS = 3 * 49 }; /* some blocks, and a rest */

static struct vl_bag *make_bag(int backwards)
{
    static const char *const names[] = {"y", "losses"};
    struct vl_bag *bag = vl_bag_create();
    for (int i = 0; i < 2; i++) {
        int which = backwards ? 1 - i : i;
        float *array = vl_bag_add_f32(bag, names[which], 3, NUMBERS / 3);
        for (int j = 0; j < NUMBERS; j++)
            array[j] = (float)(j + which);
    }
    return bag;
}

static void every_bit_counts(void **state)
{
    (void)state;
    struct vl_bag *bag = make_bag(0);
    uint64_t before = vl_seal(bag, 5);
    unsigned char *bytes = (unsigned char *)vl_bag_f32(bag, "y");
    for (size_t bit = 0; bit < 8 * NUMBERS * sizeof(float); bit++) {
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        assert_true(vl_seal(bag, 5) != before);
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    assert_true(vl_seal(bag, 5) == before);
    vl_bag_free(bag);
}

static void arrays_that_are_exchanged_are_seen(void **state)
{
    (void)state;
    struct vl_bag *bag = make_bag(0);
    uint64_t before = vl_seal(bag, 5);
    float *y = vl_bag_f32(bag, "y"), *losses = vl_bag_f32(bag, "losses");
    for (int i = 0; i < NUMBERS; i++) {
        float kept = y[i];
        y[i] = losses[i];
        losses[i] = kept;
    }
    assert_true(vl_seal(bag, 5) != before);
    vl_bag_free(bag);
}

static void the_key_counts_and_the_order_of_arrays_does_not(void **state)
{
    (void)state;
    struct vl_bag *bag = make_bag(0), *backwards = make_bag(1);
    assert_true(vl_seal(bag, 5) != vl_seal(bag, 6));
    assert_true(vl_seal(bag, 5) == vl_seal(backwards, 5));
    vl_bag_free(bag);
    vl_bag_free(backwards);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bit_counts),
        cmocka_unit_test(arrays_that_are_exchanged_are_seen),
        cmocka_unit_test(the_key_counts_and_the_order_of_arrays_does_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
