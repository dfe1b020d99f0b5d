#include "wire/guards.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The volatile pointer keeps the compiler from seeing that this is out of bounds. */
static void write_at(const struct vl_bag *bag, const char *name, ptrdiff_t byte,
                     unsigned char value)
{
    unsigned char *volatile data = (unsigned char *)vl_bag_find(bag, name)->data;
    data[byte] = value;
}

static struct vl_bag *begin(void)
{
    struct vl_bag *bag = vl_bag_create();
    vl_bag_add_f32(bag, "first", 2, 2);
    vl_bag_add_f32(bag, "second", 1, 13);
    vl_bag_add_f32(bag, "empty", 0, 4);
    return bag;
}

/* What is seen once the guards are shown, and how many runs they are shown in. */
static void check(struct vl_bag *bag, int64_t damaged, size_t runs)
{
    assert_true(vl_guards_add(bag));
    assert_int_equal(vl_guards_damaged(bag, VL_GUARD_VALUE), damaged);
    assert_int_equal(vl_bag_find(bag, VL_GUARDS_NAME)->shape[0], runs);
    vl_bag_free(bag);
}

static void whole_guards_are_one_run(void **state)
{
    (void)state;
    struct vl_bag *bag = begin();
    write_at(bag, "second", 13 * 4 - 1, 1); /* inside: nothing to see */
    check(bag, 0, 1);
    check(vl_bag_create(), 0, 0);
}

static void a_write_outside_is_seen_on_both_sides_and_in_an_empty_array(void **state)
{
    (void)state;
    const ptrdiff_t places[] = {-1, -256, 13 * 4, 13 * 4 + 255};
    for (size_t i = 0; i < 4; i++) {
        struct vl_bag *bag = begin();
        write_at(bag, "second", places[i], (unsigned char)i);
        check(bag, 2, 3);
    }
    struct vl_bag *bag = begin();
    write_at(bag, "empty", 0, 7);
    check(bag, 3, 3);
}

static void the_first_and_the_last_byte_count(void **state)
{
    (void)state;
    struct vl_bag *bag = begin();
    write_at(bag, "first", -VL_GUARD_BYTES, 0);
    check(bag, 1, 2);
    bag = begin();
    write_at(bag, "empty", VL_GUARD_BYTES - 1, 0);
    check(bag, 3, 2);
}

static void only_the_first_array_is_named(void **state)
{
    (void)state;
    struct vl_bag *bag = begin();
    write_at(bag, "empty", -1, 0);
    write_at(bag, "second", -1, 0);
    check(bag, 2, 5);
}

/* What another rank's guards hold is as wrong as any other value. */
static void each_rank_has_guards_of_its_own(void **state)
{
    (void)state;
    struct vl_bag *bag = begin();
    vl_bag_guard(bag, vl_guard_of(3));
    vl_bag_add_f32(bag, "later", 2, 3);
    write_at(bag, "second", 13 * 4 - 1, 1);
    write_at(bag, "later", 4, vl_guard_of(2));
    assert_true(vl_guards_add(bag));
    assert_int_equal(vl_guards_damaged(bag, vl_guard_of(3)), 0);
    assert_int_equal(vl_guards_damaged(bag, vl_guard_of(2)), 1);
    vl_bag_free(bag);
    bag = begin();
    vl_bag_guard(bag, vl_guard_of(3));
    write_at(bag, "second", 13 * 4, vl_guard_of(2));
    assert_true(vl_guards_add(bag));
    assert_int_equal(vl_guards_damaged(bag, vl_guard_of(3)), 2);
    vl_bag_free(bag);
}

/* Runs as a hostile process may send them, after two arrays. */
static int64_t damaged_in(size_t numbers, const int64_t *runs)
{
    struct vl_bag *bag = vl_bag_create();
    vl_bag_add_f32(bag, "x", 1, 1);
    vl_bag_add_f32(bag, "y", 1, 1);
    int64_t *sent = vl_bag_add(bag, VL_GUARDS_NAME, VL_I64, 1, &numbers);
    for (size_t i = 0; i < numbers; i++)
        sent[i] = runs[i];
    int64_t damaged = vl_guards_damaged(bag, VL_GUARD_VALUE);
    vl_bag_free(bag);
    return damaged;
}
#define DAMAGED_IN(...)                                                                            \
    damaged_in(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t), (int64_t[]){__VA_ARGS__})

static void runs_that_do_not_add_up_are_no_guards(void **state)
{
    (void)state;
    const int64_t all = 4 * VL_GUARD_BYTES;
    assert_int_equal(DAMAGED_IN(all, VL_GUARD_VALUE), 0);
    assert_int_equal(DAMAGED_IN(all - 1, VL_GUARD_VALUE, 1, 0), 2);
    assert_int_equal(DAMAGED_IN(all, INT64_MAX), 1);
    assert_int_equal(DAMAGED_IN(all - 1, VL_GUARD_VALUE), -1);
    assert_int_equal(DAMAGED_IN(all + 1, VL_GUARD_VALUE), -1);
    assert_int_equal(DAMAGED_IN(all, VL_GUARD_VALUE, 1, VL_GUARD_VALUE), -1);
    assert_int_equal(DAMAGED_IN(-1, 0, all, VL_GUARD_VALUE, 1, VL_GUARD_VALUE), -1);
    assert_int_equal(DAMAGED_IN(INT64_MAX, 0, INT64_MAX, 0, all + 2, 0), -1);
    assert_int_equal(DAMAGED_IN(all), -1);
    assert_int_equal(damaged_in(0, NULL), -1);
}

static void what_shows_no_guards_is_not_whole(void **state)
{
    (void)state;
    struct vl_bag *bag = begin();
    assert_int_equal(vl_guards_damaged(bag, VL_GUARD_VALUE), -1);
    vl_bag_add_f32(bag, VL_GUARDS_NAME, 1, 2);
    assert_int_equal(vl_guards_damaged(bag, VL_GUARD_VALUE), -1);
    assert_false(vl_guards_add(bag));
    vl_bag_free(bag);
    assert_false(vl_guards_add(NULL));
    assert_int_equal(vl_guards_damaged(NULL, VL_GUARD_VALUE), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_guards_are_one_run),
        cmocka_unit_test(a_write_outside_is_seen_on_both_sides_and_in_an_empty_array),
        cmocka_unit_test(the_first_and_the_last_byte_count),
        cmocka_unit_test(only_the_first_array_is_named),
        cmocka_unit_test(each_rank_has_guards_of_its_own),
        cmocka_unit_test(runs_that_do_not_add_up_are_no_guards),
        cmocka_unit_test(what_shows_no_guards_is_not_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
