/*
 * Lab 03's cases as a whole, without starting any rank: truths pass, and the oracle counts what
 * one counts by hand.
 */
#include "grade/catalogue/case.h"
#include "grade/judge/inspect.h"
#include "grade/labs/03_data_parallel/data_parallel.h"
#include "oracle/replicas.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "whole_lab.h"

static const struct vl_lab_cases *all(void)
{
    return vl_lab_cases(vl_lab_find("data_parallel"));
}

/* ---- the oracle ---- */

static void a_ring_sends_what_a_hand_counts(void **state)
{
    (void)state;
    /* 10 = 3 + 3 + 2 + 2. Rank 0 sends chunks 3 2 1, then 0 3 2; it receives 2 1 0, then 3 2 1. */
    size_t sent, received;
    vl_oracle_ring(&sent, &received, 10, 0, 4);
    assert_int_equal(sent, 2 + 2 + 3 + 3 + 2 + 2);
    assert_int_equal(received, 2 + 3 + 3 + 2 + 2 + 3);
    size_t everywhere = 0;
    for (int r = 0; r < 4; r++) {
        vl_oracle_ring(&sent, &received, 10, r, 4);
        everywhere += sent;
    }
    assert_int_equal(everywhere, 2 * 3 * 10);
    vl_oracle_ring(&sent, &received, 10, 0, 1);
    assert_int_equal(sent + received, 0);
    vl_oracle_ring(&sent, &received, 1, 2, 3); /* only chunk 0 has anything */
    assert_int_equal(sent, 0 + 1 + 0 + 0);
}

static void buckets_close_where_a_hand_closes_them(void **state)
{
    (void)state;
    const size_t units[] = {0, 5, 7, 11, 13};
    size_t started[4], open_end[4];
    /* Six elements are exactly the two last units; seven are left for unit 0 to close. */
    assert_int_equal(vl_oracle_buckets(started, open_end, units, 4, 6 * sizeof(float)), 2);
    const size_t want_started[] = {0, 1, 1, 2}, want_end[] = {13, 7, 7, 0};
    assert_memory_equal(started, want_started, sizeof want_started);
    assert_memory_equal(open_end, want_end, sizeof want_end);
    assert_int_equal(vl_oracle_buckets(started, open_end, units, 4, 0), 4);
    assert_int_equal(vl_oracle_buckets(started, open_end, units, 4, 1000), 1);
}

static void the_prediction_is_that_of_the_text(void **state)
{
    (void)state;
    int found = 0;
    for (size_t i = 0; i < all()->case_count; i++) {
        const struct vl_case *c = &all()->cases[i];
        if (strcmp(c->function, "vl_predict_data_parallel") != 0)
            continue;
        struct vl_bag *inputs = inputs_of(c, seeds[0]), *expected = truth_of(c, inputs);
        if (vl_bag_find(expected, "predicted_bytes"))
            found += vl_bag_int(expected, "predicted_bytes") == 5217024;
        else if (vl_bag_find(expected, "predicted_accumulated"))
            found += vl_bag_int(expected, "predicted_accumulated") == 5217024;
        else
            found += fabs(vl_bag_real(expected, "hidden_share") - 0.962) < c->bound * 0.962;
        vl_bag_free(expected);
        vl_bag_free(inputs);
    }
    assert_int_equal(found, 3);
}

static void every_truth_passes_and_earns_its_share(void **state)
{
    (void)state;
    assert_truths_pass(all(), "losses");
}

static void ids_say_how_many_ranks(void **state)
{
    (void)state;
    for (size_t i = 0; i < all()->case_count; i++) {
        const struct vl_case *c = &all()->cases[i];
        const char *special = strchr(c->id, '.');
        assert_non_null(special);
        if (c->per_rank)
            assert_int_equal(atoi(special + 2), c->ranks);
    }
}

/* The words if so many buckets went on; "" if none. */
static void expect_said(const char *id, int64_t driven, const char *words)
{
    struct vl_sign sign = {0};
    const struct vl_case *c = all()->cases;
    while (strcmp(c->id, id) != 0)
        c++;
    struct vl_bag *inputs = inputs_of(c, seeds[0]), *expected = truth_of(c, inputs);
    struct vl_bag *outputs = vl_bag_copy(expected);
    int64_t *number = (int64_t *)vl_bag_find(outputs, "driven@0")->data;
    *number += driven;
    assert_int_equal(vl_inspector_of(c->function)->tell(&sign, inputs, expected, outputs), VL_OK);
    assert_true((sign.message == NULL) == (words[0] == '\0'));
    assert_true(sign.message == NULL || strstr(sign.message, words) != NULL);
    free(sign.message);
    vl_bag_free(outputs);
    vl_bag_free(expected);
    vl_bag_free(inputs);
}

static void buckets_that_do_not_go_on_are_told(void **state)
{
    (void)state;
    expect_said("buckets_poll.p3_ended", -1, "while another bucket was already done");
    expect_said("buckets_poll.p3_reversed", -1, "Rank 0 polled, and");
    expect_said("buckets_poll.p3_ended", 0, "");
    expect_said("buckets_poll.p3_ended", 2, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ring_sends_what_a_hand_counts),
        cmocka_unit_test(buckets_close_where_a_hand_closes_them),
        cmocka_unit_test(the_prediction_is_that_of_the_text),
        cmocka_unit_test(every_truth_passes_and_earns_its_share),
        cmocka_unit_test(ids_say_how_many_ranks),
        cmocka_unit_test(buckets_that_do_not_go_on_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
