/*
 * Inputs as somebody may have misread them.
 */
#include "grade/experiment/reading/reading.h"

#include "grade/catalogue/maker.h"
#include "grade/experiment/influence/probe.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 2, HEADS = 2, WIDTH = 5 };

/* "x" (ROWS, 3 * HEADS * WIDTH): 0, 1, 2 ...; "w" of the same size: 1000, 1001 ...; "eps". */
static struct vl_bag *inputs(void)
{
    struct vl_bag *bag = vl_bag_create();
    size_t columns = (size_t)3 * HEADS * WIDTH;
    float *x = vl_bag_add_f32(bag, "x", ROWS, columns),
          *w = vl_bag_add_f32(bag, "w", ROWS, columns);
    for (size_t i = 0; i < ROWS * columns; i++) {
        x[i] = (float)i;
        w[i] = 1000 + (float)i;
    }
    vl_bag_set_int(bag, "width", WIDTH);
    vl_bag_set_real(bag, "eps", 4);
    return bag;
}

/* Element i of "x" as this reading has it. */
static float read_at(struct vl_reading reading, size_t i)
{
    struct vl_bag *bag = inputs(), *read;
    reading.input = "x";
    reading.second = "w";
    read = vl_reading_inputs(&reading, bag);
    float value = vl_bag_f32(read, "x")[i];
    vl_bag_free(bag);
    vl_bag_free(read);
    return value;
}

static void a_dimension_by_head_is_read_where_it_is_by_part(void **unused)
{
    (void)unused;
    /* In truth (3, HEADS, WIDTH), read as (HEADS, 3, WIDTH): what is read as k of head 0 is q of head
     * 1, at (0, 1, 0). What truth reads there must come from (head 0, part 1). */
    struct vl_reading r = {.kind = VL_READ_COLUMNS, .one = HEADS, .other = 3, .inner = WIDTH};
    assert_true(read_at(r, 0) == 0);
    assert_true(read_at(r, WIDTH) == 3 * WIDTH); /* q of head 1 */
    assert_true(read_at(r, 2 * WIDTH) == WIDTH); /* k of head 0 */
    assert_true(read_at(r, 2 * WIDTH + 1) == WIDTH + 1);
    assert_true(read_at(r, 30 + 2 * WIDTH) == 30 + WIDTH); /* the second row */
}

static void places_and_values_are_read_as_they_say(void **unused)
{
    (void)unused;
    const struct vl_reading thirds = {.kind = VL_READ_THIRDS, .one = 1, .other = 3};
    assert_true(read_at(thirds, 0) == 20 && read_at(thirds, 20) == 0 && read_at(thirds, 10) == 10);
    assert_true(read_at((struct vl_reading){.kind = VL_READ_HALVES}, 31) == 46);
    assert_true(read_at((struct vl_reading){.kind = VL_READ_TRANSPOSED}, 1) == 30);
    assert_true(read_at((struct vl_reading){.kind = VL_READ_NEXT_ROW}, 1) == 31);
    assert_true(read_at((struct vl_reading){.kind = VL_READ_FIRST_COLUMN}, 33) == 30);
    assert_true(read_at((struct vl_reading){.kind = VL_READ_ONES}, 33) == 1);
    assert_true(read_at((struct vl_reading){.kind = VL_READ_EXCHANGED}, 33) == 1033);
}

static void sizes_are_named_where_they_are_certain(void **unused)
{
    (void)unused;
    struct vl_bag *bag = inputs();
    struct vl_sign finding;
    const struct vl_reading r = {
        .kind = VL_READ_COLUMNS, .input = "saved_x", .one = 2, .other = 3, .inner = WIDTH};
    assert_int_equal(vl_reading_say(&finding, &r, bag), VL_OK);
    assert_non_null(strstr(finding.message, " x, 3 x 2 x width,"));
    free(finding.message);
    vl_bag_free(bag);
}

enum { READ = 2 }; /* of each case */

static void no_reading_makes_a_truth_fail(void **unused)
{
    (void)unused;
    static struct vl_reading readings[VL_READINGS_MOST];
    const struct vl_origin origin = {.seed = 20260101};
    for (size_t lab = 0; lab < vl_lab_count; lab++)
        for (size_t i = 0; i < vl_all_cases[lab]->case_count; i++) {
            const struct vl_case *c = &vl_all_cases[lab]->cases[i];
            struct vl_bag *made = c->sealed ? NULL : vl_case_inputs(c, &origin);
            size_t count = made != NULL ? vl_readings_list(readings, made) : 0;
            for (size_t r = 0; r < count; r += count / READ + 1) {
                struct vl_bag *read = vl_reading_inputs(&readings[r], made),
                              *truth = vl_bag_create();
                assert_int_equal(c->truth(truth, read), VL_OK);
                vl_bag_free(truth);
                vl_bag_free(read);
            }
            vl_bag_free(made);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dimension_by_head_is_read_where_it_is_by_part),
        cmocka_unit_test(places_and_values_are_read_as_they_say),
        cmocka_unit_test(sizes_are_named_where_they_are_certain),
        cmocka_unit_test(no_reading_makes_a_truth_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
