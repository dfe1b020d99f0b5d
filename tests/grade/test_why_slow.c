/*
 * Why a function is slow, from what it and the reference counted.
 */
#include "grade/cost/sum.h"
#include "grade/cost/why_slow.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "grade/told.h"

#define MS 1000000

/* 'calls' products (m,k) times (k,n), which take that long. */
static void add_products(struct vl_counts *counts, int64_t calls, int64_t m, int64_t n, int64_t k,
                         int64_t ns)
{
    counts->products += calls;
    counts->operations += calls * 2 * m * n * k;
    counts->product_ns += ns;
    counts->turn_ns += ns;
    counts->shape[counts->shapes++] = (struct vl_counted_product){m, n, k, calls};
}

/* The reference takes 1 ms for a product and 1 ms for the rest; the submission nothing yet. */
static struct vl_slow slow_linear(void)
{
    struct vl_slow slow = {.function = "vl_linear_backward_input", .ranks = 1, .sees_all = true};
    add_products(&slow.reference, 1, 512, 512, 704, MS);
    slow.reference.turn_ns += MS;
    return slow;
}

/* Code NULL: nothing is said. 'said' is a part of the sentence, or NULL. */
static void expect(const struct vl_slow *slow, const char *code, const char *said)
{
    struct vl_cause cause;
    assert_int_equal(vl_why_slow(&cause, slow), VL_OK);
    expect_told(cause.code, cause.message, code, said);
    free(cause.message);
}

static void loops_instead_of_a_product_are_told(void **state)
{
    (void)state;
    struct vl_slow slow = slow_linear();
    slow.submission.turn_ns = 20 * MS;
    expect(&slow, "loop_for_product", "cblas_sgemm");
    slow.sees_all = false; /* some function of BLAS is not counted: perhaps it does the product */
    expect(&slow, NULL, NULL);
}

static void some_products_in_loops_are_told_with_their_share(void **state)
{
    (void)state;
    struct vl_slow slow = slow_linear();
    add_products(&slow.submission, 1, 512, 256, 704, MS / 2);
    slow.submission.turn_ns += 20 * MS;
    expect(&slow, "loop_for_some_products", "50%");
}

static void many_small_products_are_counted(void **state)
{
    (void)state;
    struct vl_slow slow = slow_linear();
    add_products(&slow.submission, 4096, 8, 8, 704, 9 * MS);
    slow.submission.turn_ns += MS;
    expect(&slow, "many_small_products", "4096 small matrix products, most of them 8 x 8 x 704");
}

static void as_many_products_as_the_reference_are_not_called_small(void **state)
{
    (void)state;
    struct vl_slow slow = slow_linear();
    add_products(&slow.submission, 7, 512, 512, 100, 9 * MS);
    slow.submission.turn_ns += MS;
    expect(&slow, NULL, NULL);
}

static void dot_products_instead_of_a_product_are_counted(void **state)
{
    (void)state;
    struct vl_slow slow = slow_linear();
    slow.submission.vectors = 262144;
    slow.submission.vector_ns = 30 * MS;
    slow.submission.turn_ns = 32 * MS;
    expect(&slow, "many_vectors", "262,144 times");
}

static void double_products_are_told(void **state)
{
    (void)state;
    struct vl_slow slow = slow_linear();
    add_products(&slow.submission, 1, 512, 512, 704, 4 * MS);
    slow.submission.double_products = 1;
    slow.submission.turn_ns += MS;
    expect(&slow, "double_products", "cblas_dgemm");
}

/* The reference multiplies blocks of 32 queries with the keys up to each block's end. */
static struct vl_slow slow_attention(const char *function)
{
    struct vl_slow slow = {.function = function, .ranks = 1, .sees_all = true};
    for (int64_t end = 32; end <= 128; end += 32) {
        add_products(&slow.reference, 32, 32, end, 64, MS);
        add_products(&slow.reference, 32, 32, 64, end, MS);
    }
    add_products(&slow.submission, 32, 128, 128, 64, 8 * MS);
    add_products(&slow.submission, 32, 128, 64, 128, 8 * MS);
    return slow;
}

static void the_masked_half_is_told_in_attention_alone(void **state)
{
    (void)state;
    struct vl_slow slow = slow_attention("vl_attention_forward");
    expect(&slow, "multiplies_masked_half", "1.6 times");
    slow = slow_attention("vl_training_step");
    expect(&slow, "too_many_operations", "1.6 times");
    slow = slow_attention("vl_attention_forward");
    slow.submission.shape[0].n = 127; /* no square */
    expect(&slow, "too_many_operations", NULL);
}

static void the_right_number_of_operations_is_no_cause(void **state)
{
    (void)state;
    struct vl_slow slow = slow_linear();
    add_products(&slow.submission, 1, 512, 512, 704, 4 * MS);
    slow.submission.turn_ns += MS;
    expect(&slow, NULL, NULL);
}

static void loops_around_the_same_products_are_told_with_their_share(void **state)
{
    (void)state;
    struct vl_slow slow = slow_linear();
    add_products(&slow.submission, 1, 512, 512, 704, MS);
    slow.submission.turn_ns += 9 * MS;
    expect(&slow, "slow_between_products", "90%");
}

static void slow_loops_without_products_have_no_visible_cause(void **state)
{
    (void)state;
    const struct vl_slow slow = {
        .function = "f", .sees_all = true, .submission.turn_ns = 9 * MS, .reference.turn_ns = MS};
    expect(&slow, NULL, NULL);
}

static void calls_of_libm_are_told_if_they_take_most_of_the_excess(void **state)
{
    (void)state;
    struct vl_slow slow = {.function = "f",
                           .submission.turn_ns = 5 * MS,
                           .submission.math[VL_MATH_EXPF] = 720896,
                           .submission.math_ns[VL_MATH_EXPF] = 3 * MS,
                           .reference.turn_ns = MS};
    expect(&slow, "exp_one_by_one", "`expf` is called 720,896 times");
    slow.submission.math_ns[VL_MATH_EXPF] = 2 * MS; /* half of the excess */
    expect(&slow, NULL, NULL);
    slow.submission.math_ns[VL_MATH_EXPF] = 3 * MS;
    slow.reference.math[VL_MATH_EXPF] = 720896; /* as the reference does */
    expect(&slow, NULL, NULL);
    slow.submission.math[VL_MATH_POW] = 1000000;
    slow.submission.math_ns[VL_MATH_POW] = 4 * MS;
    slow.submission.math_ns[VL_MATH_EXPF] = 0;
    slow.reference.math[VL_MATH_POW] = 2;
    expect(&slow, "function_in_loop", "1,000,000 times, and 2 times in the reference");
}

static void memory_and_copies_are_told(void **state)
{
    (void)state;
    struct vl_slow slow = {.function = "f",
                           .submission.turn_ns = 5 * MS,
                           .submission.allocations = 1024,
                           .submission.allocation_ns = 3 * MS,
                           .reference.turn_ns = MS};
    expect(&slow, "many_allocations", "1024 times");
    slow.submission.allocation_ns = 0;
    slow.submission.copy_ns = 3 * MS;
    slow.submission.copied_bytes = 1 << 20;
    expect(&slow, "many_copies", "`memcpy` moves 1.0");
    slow.reference.copied_bytes = 1 << 20;
    expect(&slow, NULL, NULL);
    slow.submission.copy_ns = 0;
    slow.submission.sleep_ns = 3 * MS;
    slow.submission.sleeps = 5;
    expect(&slow, "sleeps", "5 times");
}

/* Two ranks; the reference sends and receives 8 MiB in 12 transfers, up to 6 at once. */
static struct vl_slow slow_ring(void)
{
    return (struct vl_slow){.function = "vl_all_reduce_start",
                            .ranks = 2,
                            .submission = {.turn_ns = 20 * MS,
                                           .mpi_ns = 19 * MS,
                                           .transfers = 24,
                                           .transfer_bytes = 8 << 20,
                                           .most_open = 2},
                            .reference = {.turn_ns = 5 * MS,
                                          .mpi_ns = 4 * MS,
                                          .transfers = 24,
                                          .transfer_bytes = 8 << 20,
                                          .most_open = 6}};
}

static void transfers_that_wait_for_each_other_are_told(void **state)
{
    (void)state;
    struct vl_slow slow = slow_ring();
    expect(&slow, NULL, NULL);
    slow.submission.most_open = 1;
    expect(&slow, "waits_for_each", "before the next one is started");
    slow.submission.others = 1; /* a collective of MPI's own: who knows what it does */
    expect(&slow, NULL, NULL);
    slow = slow_ring();
    slow.submission.most_open = slow.reference.most_open = 1;
    expect(&slow, NULL, NULL);
}

static void small_messages_and_barriers_and_bytes_are_told(void **state)
{
    (void)state;
    struct vl_slow slow = slow_ring();
    slow.submission.transfers = 32768;
    expect(&slow, "many_small_messages", "16,384 messages of about 512");
    slow = slow_ring();
    slow.submission.barriers = 100;
    expect(&slow, "many_barriers", "100 times");
    slow = slow_ring();
    slow.submission.transfer_bytes = 16 << 20;
    expect(&slow, "sends_more", "16.0");
}

static void what_does_not_show_again_has_no_cause(void **state)
{
    (void)state;
    struct vl_slow slow = slow_linear();
    slow.submission.turn_ns = slow.reference.turn_ns * 11 / 10;
    expect(&slow, NULL, NULL);
}

/* ---- what comes back ---- */

static struct vl_bag *bag_with(const struct vl_counts *counts, size_t numbers)
{
    struct vl_bag *bag = vl_bag_create();
    void *array = vl_bag_add(bag, VL_COUNTS_ARRAY, VL_I64, 1, &numbers);
    assert_non_null(array);
    memcpy(array, counts, numbers * sizeof(int64_t));
    return bag;
}

static void counts_of_ranks_are_added(void **state)
{
    (void)state;
    struct vl_counts sum = {0}, one = {.turn_ns = MS, .most_open = 2};
    add_products(&one, 3, 8, 8, 8, MS);
    for (int rank = 0; rank < 2; rank++) {
        one.most_open = 2 - rank;
        struct vl_bag *bag = bag_with(&one, VL_COUNTS_NUMBERS);
        assert_true(vl_counts_take(&sum, bag));
        vl_bag_free(bag);
    }
    assert_int_equal(sum.turn_ns, 4 * MS);
    assert_int_equal(sum.products, 6);
    assert_int_equal(sum.most_open, 2);
    assert_int_equal(sum.shapes, 1);
    assert_int_equal(sum.shape[0].m, 8);
    assert_int_equal(sum.shape[0].calls, 6);
}

static void impossible_counts_are_refused(void **state)
{
    (void)state;
    const struct vl_counts right = {.turn_ns = MS};
    struct vl_counts wrong[] = {right, right, right, right}, sum = {0};
    wrong[0].turn_ns = 0;
    wrong[1].products = -1;
    wrong[2].shapes = VL_COUNTS_SHAPES + 1;
    wrong[3].operations = INT64_MAX;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct vl_bag *bag = bag_with(&wrong[i], VL_COUNTS_NUMBERS);
        assert_false(vl_counts_take(&sum, bag));
        vl_bag_free(bag);
    }
    struct vl_bag *bag = bag_with(&right, VL_COUNTS_NUMBERS - 1);
    assert_false(vl_counts_take(&sum, bag));
    vl_bag_free(bag);
    assert_false(vl_counts_take(&sum, NULL));
    assert_int_equal(sum.turn_ns, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_instead_of_a_product_are_told),
        cmocka_unit_test(some_products_in_loops_are_told_with_their_share),
        cmocka_unit_test(many_small_products_are_counted),
        cmocka_unit_test(as_many_products_as_the_reference_are_not_called_small),
        cmocka_unit_test(dot_products_instead_of_a_product_are_counted),
        cmocka_unit_test(double_products_are_told),
        cmocka_unit_test(the_masked_half_is_told_in_attention_alone),
        cmocka_unit_test(the_right_number_of_operations_is_no_cause),
        cmocka_unit_test(loops_around_the_same_products_are_told_with_their_share),
        cmocka_unit_test(slow_loops_without_products_have_no_visible_cause),
        cmocka_unit_test(calls_of_libm_are_told_if_they_take_most_of_the_excess),
        cmocka_unit_test(memory_and_copies_are_told),
        cmocka_unit_test(transfers_that_wait_for_each_other_are_told),
        cmocka_unit_test(small_messages_and_barriers_and_bytes_are_told),
        cmocka_unit_test(what_does_not_show_again_has_no_cause),
        cmocka_unit_test(counts_of_ranks_are_added),
        cmocka_unit_test(impossible_counts_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
