/*
 * Which inputs an experiment changes, and how.
 */
#include "grade/experiment/influence/probe.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 4, COLUMNS = 9, RANKS = 4 };

/* "n"; "x" (ROWS, COLUMNS) with a zero and a NaN; "counts", whole; "targets"; "units"; "eps". */
static struct vl_bag *inputs(void)
{
    struct vl_bag *bag = vl_bag_create();
    vl_bag_set_int(bag, "n", ROWS);
    float *x = vl_bag_add_f32(bag, "x", ROWS, COLUMNS);
    for (size_t i = 0; i < (size_t)ROWS * COLUMNS; i++)
        x[i] = i % 2 ? 1.5f : -1.5f;
    x[3] = 0;
    x[5] = NAN;
    double *counts = vl_bag_add_f64(bag, "counts", 1, 3);
    for (size_t i = 0; i < 3; i++)
        counts[i] = (double)i;
    int32_t *targets = vl_bag_add_i32(bag, "targets", ROWS, 1);
    for (int32_t i = 0; i < ROWS; i++)
        targets[i] = i / 2;
    int32_t *units = vl_bag_add_i32(bag, "units", 1, 3);
    for (int32_t i = 0; i < 3; i++)
        units[i] = 10 * i;
    vl_bag_set_real(bag, "eps", 0.5);
    return bag;
}

static void the_same_probes_are_chosen_each_time(void **unused)
{
    (void)unused;
    static struct vl_probe one[VL_PROBES_MOST], other[VL_PROBES_MOST];
    struct vl_bag *bag = inputs();
    size_t count = vl_probes_choose(one, bag, 1);
    assert_int_equal(vl_probes_choose(other, bag, 1), count);
    assert_memory_equal(one, other, count * sizeof *one);
    for (size_t p = 0; p < count; p++) {
        struct vl_bag *first = vl_probe_inputs(&one[p], bag);
        struct vl_bag *second = vl_probe_inputs(&one[p], bag);
        assert_null(vl_bag_difference(first, second));
        vl_bag_free(first);
        vl_bag_free(second);
    }
    vl_bag_free(bag);
}

/* What differs from the inputs is the probe's input alone; for most, it differs. */
static void one_input_changes_at_a_time_and_no_size(void **unused)
{
    (void)unused;
    static struct vl_probe probes[VL_PROBES_MOST];
    struct vl_bag *bag = inputs();
    size_t count = vl_probes_choose(probes, bag, 1), kinds[VL_PROBE_ONE + 1] = {0};
    for (size_t p = 0; p < count; p++) {
        struct vl_bag *changed = vl_probe_inputs(&probes[p], bag);
        const char *input = vl_bag_entry(bag, probes[p].input)->name;
        kinds[probes[p].kind]++;
        for (size_t i = 0; i < vl_bag_count(bag); i++) {
            const struct vl_tensor_entry *before = vl_bag_entry(bag, i);
            const struct vl_tensor_entry *after = vl_bag_entry(changed, i);
            bool same = memcmp(before->data, after->data,
                               before->count * vl_dtype_bytes(before->dtype)) == 0;
            assert_true(same == (probes[p].kind == VL_PROBE_SAME || i != probes[p].input));
        }
        assert_string_not_equal(input, "units"); /* offsets only fit together */
        assert_true(probes[p].kind == VL_PROBE_SAME || strcmp(input, "n") != 0);
        vl_bag_free(changed);
    }
    for (size_t kind = 0; kind <= VL_PROBE_ONE; kind++)
        assert_true(kinds[kind] > 0);
    vl_bag_free(bag);
}

static void signs_zeros_and_whole_numbers_stay_what_they_are(void **unused)
{
    (void)unused;
    struct vl_bag *bag = inputs();
    const struct vl_probe x = {.kind = VL_PROBE_ALL, .input = 1};
    const struct vl_probe counts = {.kind = VL_PROBE_ALL, .input = 2};
    const struct vl_probe targets = {
        .kind = VL_PROBE_EXCHANGE, .input = 3, .element = 2, .other = 0};
    struct vl_bag *changed = vl_probe_inputs(&x, bag);
    const float *now = vl_bag_f32(changed, "x");
    for (size_t i = 0; i < (size_t)ROWS * COLUMNS; i++)
        if (i == 3 || i == 5)
            assert_true(i == 3 ? now[i] == 0 : isnan(now[i]));
        else
            assert_true(i % 2 ? now[i] > 0 : now[i] < 0);
    vl_bag_free(changed);
    changed = vl_probe_inputs(&counts, bag);
    for (size_t i = 0; i < 3; i++)
        assert_true(vl_bag_f64(changed, "counts")[i] == rint(vl_bag_f64(changed, "counts")[i]));
    vl_bag_free(changed);
    changed = vl_probe_inputs(&targets, bag);
    const int32_t exchanged[ROWS] = {1, 0, 0, 1};
    assert_memory_equal(vl_bag_i32(changed, "targets"), exchanged, sizeof exchanged);
    vl_bag_free(changed);
    vl_bag_free(bag);
}

static void each_rank_s_row_is_changed_alone(void **unused)
{
    (void)unused;
    static struct vl_probe probes[VL_PROBES_MOST];
    struct vl_bag *bag = inputs();
    size_t count = vl_probes_choose(probes, bag, RANKS), of[RANKS] = {0};
    for (size_t p = 0; p < count; p++)
        if (probes[p].kind == VL_PROBE_ONE && probes[p].input == 1)
            of[probes[p].element / COLUMNS]++;
    for (size_t rank = 0; rank < RANKS; rank++)
        assert_true(of[rank] >= 2);
    vl_bag_free(bag);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_probes_are_chosen_each_time),
        cmocka_unit_test(one_input_changes_at_a_time_and_no_size),
        cmocka_unit_test(signs_zeros_and_whole_numbers_stay_what_they_are),
        cmocka_unit_test(each_rank_s_row_is_changed_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
