/*
 * Why ranks send more or less than they should, from the wrong figures of all cases.
 */
#include "grade/cost/why_bytes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "grade/told.h"

#define MOST 4

static struct vl_bytes_figure figure(int ranks, double right, double got)
{
    return (struct vl_bytes_figure){.got = got, .right = right, .facts.ranks = ranks};
}

static void add_size(struct vl_bytes_figure *figure, const char *name, int64_t value)
{
    struct vl_fact_number *number = &figure->facts.numbers[figure->facts.number_count++];
    snprintf(number->name, sizeof number->name, "%s", name);
    number->value = value;
}

static void add_array(struct vl_bytes_figure *figure, const char *name, double bytes)
{
    snprintf(figure->arrays[figure->array_count].name, VL_RANKED_NAME, "%s", name);
    figure->arrays[figure->array_count++].bytes = bytes;
}

/* Code NULL: nothing is said. 'said' is a part of the sentence, or NULL. */
static void expect(const struct vl_bytes_figure *figures, size_t count, const char *code,
                   const char *said)
{
    struct vl_cause cause;
    assert_int_equal(vl_why_bytes(&cause, figures, count), VL_OK);
    expect_told(cause.code, cause.message, code, said);
    free(cause.message);
}

static void one_factor_in_all_figures_is_told(void **state)
{
    (void)state;
    static const struct {
        double of_four, of_six; /* factors on 4 and on 6 ranks */
        const char *code;
    } expected[] = {{2, 2, "bytes_twice"}, /* on 4 ranks also P / 2, but not on 6 */
                    {4, 6, "bytes_times_ranks"},
                    {2, 3, "bytes_all_to_each"},
                    {4.0 / 3, 6.0 / 5, "bytes_own_chunk"},
                    {1.5, 1.5, "bytes_above"},
                    {4, 4, "bytes_above"}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const struct vl_bytes_figure figures[] = {figure(4, 1200, 1200 * expected[i].of_four),
                                                  figure(6, 6000, 6000 * expected[i].of_six)};
        expect(figures, 2, expected[i].code, NULL);
    }
}

static void a_factor_with_two_reasons_is_not_told(void **state)
{
    (void)state;
    const struct vl_bytes_figure two = figure(2, 1000, 2000); /* twice, P, P / (P - 1) */
    expect(&two, 1, "bytes_above", NULL);
    const struct vl_bytes_figure eight[] = {figure(8, 1000, 8000), figure(8, 300, 2400)};
    expect(eight, 2, "bytes_times_ranks", NULL);
    struct vl_bytes_figure width[] = {eight[0], eight[1]};
    for (int i = 0; i < 2; i++)
        add_size(&width[i], "d", 8);
    expect(width, 2, "bytes_above", NULL);
}

static void a_size_by_its_name_is_told(void **state)
{
    (void)state;
    struct vl_bytes_figure figures[] = {figure(3, 1000, 17000), figure(5, 1000, 23000)};
    add_size(&figures[0], "vocabulary", 17);
    add_size(&figures[1], "vocabulary", 23);
    expect(figures, 2, "bytes_times_size", "`vocabulary` times");
    figures[1].got = 24000;
    expect(figures, 2, "bytes_above", NULL);
}

static void an_array_that_travels_is_told(void **state)
{
    (void)state;
    struct vl_bytes_figure figures[] = {figure(3, 600, 2 * 7000), figure(5, 1200, 4 * 9000)};
    add_array(&figures[0], "logits", 7000);
    add_array(&figures[1], "logits", 9000);
    add_array(&figures[0], "probs", 500);
    expect(figures, 2, "array_gathered", "the size of `logits` seems to be gathered");
    for (int i = 0; i < 2; i++)
        figures[i].got += figures[i].right; /* on top of what is needed */
    expect(figures, 2, "array_gathered", NULL);
    for (int i = 0; i < 2; i++)
        figures[i].got = 2 * (figures[i].got - figures[i].right);
    expect(figures, 2, "array_reduced", "the size of `logits` seems to be added up");
    snprintf(figures[0].arrays[1].name, VL_RANKED_NAME, "dlogits");
    figures[0].arrays[1].bytes = 7000;
    add_array(&figures[1], "dlogits", 9000); /* as large: the sentence is true of both */
    expect(figures, 2, "array_reduced", "`logits`");
    figures[0].arrays[1].bytes = 14000; /* gathered, it would be as much */
    figures[1].arrays[1].bytes = 18000;
    expect(figures, 2, "bytes_above", NULL);
}

static void less_than_needed_was_not_sent(void **state)
{
    (void)state;
    const struct vl_bytes_figure less[] = {figure(4, 1000, 900), figure(3, 1000, 700)};
    expect(less, 2, "not_all_sent", "something is not sent.");
    const struct vl_bytes_figure half = figure(4, 1000, 500);
    expect(&half, 1, "not_all_sent", "or is sent in a smaller type");
    const struct vl_bytes_figure mixed[] = {figure(4, 1000, 900), figure(3, 1000, 2000)};
    expect(mixed, 2, NULL, NULL);
    const struct vl_bytes_figure none = figure(4, 1000, 0);
    expect(&none, 1, NULL, NULL);
}

static void who_sends_what_may_be_all_that_is_wrong(void **state)
{
    (void)state;
    const struct vl_bytes_figure uneven[] = {figure(4, 1000, 1000), figure(8, 300, 300)};
    expect(uneven, 2, "bytes_uneven", "do the work of others");
    const struct vl_bytes_figure mixed[] = {uneven[0], figure(8, 300, 400)};
    expect(mixed, 2, NULL, NULL);
}

/* ---- figures ---- */

static const struct vl_case traffic = {
    .ranks = 2, .per_rank = 1, .bound = 1e-12, .floor = 1, .function = "layer_traffic"};

static void set(struct vl_bag *bag, const char *name, int64_t first, int64_t second)
{
    assert_true(vl_bag_set_int(bag, VL_RANKED(name, 0), first));
    assert_true(vl_bag_set_int(bag, VL_RANKED(name, 1), second));
}

static void figures_are_sums_over_ranks(void **state)
{
    (void)state;
    struct vl_bytes_figure figures[MOST];
    struct vl_bag *inputs = vl_bag_create(), *expected = vl_bag_create(),
                  *outputs = vl_bag_create();
    vl_bag_set_int(inputs, "ranks", 2);
    vl_bag_set_int(inputs, "d", 64);
    vl_bag_add_f32(inputs, "x", 5, 3);
    set(expected, "status", 0, 0);
    set(outputs, "status", 0, 0);
    set(expected, "forward_bytes", 100, 120);
    set(outputs, "forward_bytes", 100, 340);
    set(expected, "backward_bytes", 100, 120);
    set(outputs, "backward_bytes", 100, 120);
    assert_int_equal(vl_bytes_figures(figures, MOST, &traffic, inputs, expected, outputs), 1);
    assert_true(figures[0].right == 220 && figures[0].got == 440);
    assert_int_equal(figures[0].facts.ranks, 2);
    assert_int_equal(figures[0].array_count, 1);
    assert_true(figures[0].arrays[0].bytes == 60);
    set(expected, "sent_messages", 1, 1); /* more bytes come in more messages */
    set(outputs, "sent_messages", 2, 2);
    assert_int_equal(vl_bytes_figures(figures, MOST, &traffic, inputs, expected, outputs), 1);
    set(expected, "answer", 7, 7); /* the bytes are not all that is wrong */
    set(outputs, "answer", 7, 8);
    assert_int_equal(vl_bytes_figures(figures, MOST, &traffic, inputs, expected, outputs), 0);
    vl_bag_free(inputs);
    vl_bag_free(expected);
    vl_bag_free(outputs);
}

static void figures_of_memory_are_not_sent(void **state)
{
    (void)state;
    struct vl_bytes_figure figures[MOST];
    struct vl_bag *inputs = vl_bag_create(), *expected = vl_bag_create(),
                  *outputs = vl_bag_create();
    struct vl_case memory = traffic;
    set(expected, "kept_bytes", 100, 120);
    set(outputs, "kept_bytes", 200, 240);
    assert_int_equal(vl_bytes_figures(figures, MOST, &memory, inputs, expected, outputs), 1);
    memory.function = "model_memory";
    assert_int_equal(vl_bytes_figures(figures, MOST, &memory, inputs, expected, outputs), 0);
    vl_bag_free(inputs);
    vl_bag_free(expected);
    vl_bag_free(outputs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_factor_in_all_figures_is_told),
        cmocka_unit_test(a_factor_with_two_reasons_is_not_told),
        cmocka_unit_test(a_size_by_its_name_is_told),
        cmocka_unit_test(an_array_that_travels_is_told),
        cmocka_unit_test(less_than_needed_was_not_sent),
        cmocka_unit_test(who_sends_what_may_be_all_that_is_wrong),
        cmocka_unit_test(figures_are_sums_over_ranks),
        cmocka_unit_test(figures_of_memory_are_not_sent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
