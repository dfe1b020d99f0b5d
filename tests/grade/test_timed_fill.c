/*
 * The inputs of timed calls are the same numbers on every processor. The runner is never linked with
 * the grader, so the file of it that is needed is included here.
 */
#include "runner/timed_work.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { MOST = 100 };

MPI_Comm vl_case_comm(void)
{
    return MPI_COMM_NULL; /* it is not asked for a rank */
}

static uint32_t mix(uint32_t h)
{
    h = (h ^ (h >> 16)) * 0x85ebca6bU;
    h = (h ^ (h >> 13)) * 0xc2b2ae35U;
    return h ^ (h >> 16);
}

/* One after the other, as in the formula. */
static void fill_plainly(float *array, size_t n, float scale, uint32_t first, uint32_t step)
{
    for (size_t i = 0; i < n; i++)
        array[i] = scale * ((float)(mix(first + (uint32_t)i * step) >> 8) * 0x1p-23f - 1.0f);
}

static void check(void (*way)(float *, size_t, float, uint32_t, uint32_t))
{
    for (size_t n = 0; n < MOST; n++) {
        float expected[MOST], got[MOST];
        uint32_t first = (uint32_t)vl_random_bits(1, n, 0),
                 step = (uint32_t)vl_random_bits(2, n, 0);
        fill_plainly(expected, n, 3.3f, first, step);
        got[n] = 77;
        way(got, n, 3.3f, first, step);
        assert_memory_equal(got, expected, n * sizeof *got);
        assert_true(got[n] == 77); /* and not one too many */
    }
}

static void every_way_makes_the_same_bits(void **state)
{
    (void)state;
    check(fill);
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2"))
        check(fill_avx2);
    if (__builtin_cpu_supports("avx512f"))
        check(fill_avx512);
#endif
}

static void numbers_lie_between_plus_and_minus_the_scale(void **state)
{
    (void)state;
    enum { MANY = 4096 };
    float array[MANY], least = 0, most = 0, sum = 0;
    vl_timed_fill(array, MANY, 2, 7, 3);
    for (size_t i = 0; i < MANY; i++) {
        least = array[i] < least ? array[i] : least;
        most = array[i] > most ? array[i] : most;
        sum += array[i];
    }
    assert_true(-2 <= least && least < -1.9f && 1.9f < most && most < 2);
    assert_true(-0.1f < sum / MANY && sum / MANY < 0.1f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_way_makes_the_same_bits),
        cmocka_unit_test(numbers_lie_between_plus_and_minus_the_scale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
