/* The arena: measured first, carved afterwards. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "base/arena.h"

static void what_was_measured_can_be_taken_and_no_more(void **state)
{
    (void)state;
    struct vl_arena arena;
    size_t bytes = vl_arena_size(3, sizeof(float)) + vl_arena_size(100, sizeof(double));
    assert_int_equal(vl_arena_create(&arena, bytes), VL_OK);
    assert_non_null(vl_arena_take(&arena, 3, sizeof(float)));
    assert_non_null(vl_arena_take(&arena, 100, sizeof(double)));
    assert_int_equal(arena.used, bytes);
    assert_null(vl_arena_take(&arena, 1, 1));
    assert_int_equal(arena.used, bytes);
    vl_arena_free(&arena);
}

static void pieces_are_zeroed_aligned_and_apart(void **state)
{
    (void)state;
    struct vl_arena arena;
    unsigned char *piece[3];
    assert_int_equal(vl_arena_create(&arena, 3 * vl_arena_size(5, 1)), VL_OK);
    memset(arena.memory, 0xff, arena.size);
    for (int k = 0; k < 3; k++) {
        piece[k] = vl_arena_take(&arena, 5, 1);
        assert_non_null(piece[k]);
        assert_int_equal((uintptr_t)piece[k] % VL_ARENA_ALIGN, 0);
        for (int i = 0; i < 5; i++)
            assert_int_equal(piece[k][i], 0);
        memset(piece[k], k + 1, 5);
    }
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 5; i++)
            assert_int_equal(piece[k][i], k + 1);
    vl_arena_free(&arena);
}

static void sizes_that_overflow_are_refused(void **state)
{
    (void)state;
    struct vl_arena arena;
    assert_int_equal(vl_arena_size(SIZE_MAX / 2, 4), 0);
    assert_int_equal(vl_arena_create(&arena, SIZE_MAX), VL_ENOMEM);
    assert_int_equal(vl_arena_create(&arena, 64), VL_OK);
    assert_null(vl_arena_take(&arena, SIZE_MAX / 2, 4));
    vl_arena_free(&arena);
}

static void an_empty_arena_may_be_made_and_freed_twice(void **state)
{
    (void)state;
    struct vl_arena arena;
    assert_int_equal(vl_arena_create(&arena, 0), VL_OK);
    assert_null(vl_arena_take(&arena, 1, 1));
    vl_arena_free(&arena);
    vl_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_measured_can_be_taken_and_no_more),
        cmocka_unit_test(pieces_are_zeroed_aligned_and_apart),
        cmocka_unit_test(sizes_that_overflow_are_refused),
        cmocka_unit_test(an_empty_arena_may_be_made_and_freed_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
