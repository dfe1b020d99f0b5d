/*
 * The reference of lab 07 over many sizes: every schedule holds, and its bubble and the
 * number of live activations are those of the formulas. The bubble to compare with comes from a
 * simulation of the order, never from a formula alone.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "made_schedule.h"

/* Backward in one piece, and split with F = B = W. */
static const struct vl_schedule_costs whole = {.forward = 1, .backward = 2};
static const struct vl_schedule_costs split = {.forward = 1, .backward = 1, .weight = 1};

static double bubble_of(const struct vl_schedule *schedule, const struct vl_schedule_costs *costs,
                        size_t *live)
{
    struct vl_schedule_times times = {.live = live};
    assert_int_equal(vl_schedule_simulate(&times, schedule, costs), VL_OK);
    return times.bubble_of_ideal;
}

static void assert_is(double x, double truth, const struct vl_schedule *schedule)
{
    if (!(fabs(x - truth) < 1e-12)) /* true for a NaN */
        fail_msg("p = %zu, v = %zu, m = %zu: %.17g is not %.17g", schedule->stages,
                 schedule->chunks, schedule->micro_batches, x, truth);
}

static int fits(size_t p, size_t v, size_t m)
{
    return v == 1 || m % p == 0;
}

/* ---- bubbles, and what lives ---- */

static void bubbles_of_whole_backwards_are_those_of_the_formulas(void **state)
{
    (void)state;
    for (size_t p = 1; p <= MOST_STAGES; p++)
        for (size_t m = p; m <= 4 * p; m++) {
            double truth = (double)(p - 1) / (double)m, paper = -1;
            struct vl_schedule schedule = made(vl_schedule_afab, p, 1, m);
            assert_is(bubble_of(&schedule, &whole, NULL), truth, &schedule);
            schedule = made(vl_schedule_1f1b, p, 1, m);
            assert_is(bubble_of(&schedule, &whole, NULL), truth, &schedule);
            for (size_t v = 1; v <= MOST_CHUNKS; v++) {
                if (!fits(p, v, m))
                    continue;
                schedule = made(vl_schedule_interleaved, p, v, m);
                assert_is(bubble_of(&schedule, &whole, NULL), truth / (double)v, &schedule);
                assert_int_equal(vl_bubble_of_ideal(&paper, p, v, m), VL_OK);
                assert_is(paper, truth / (double)v, &schedule);
            }
        }
}

/* Each of the p - 1 gradients on their way is sent on a W sooner: (p-1) (F+B), not (F+B+W). */
static void a_gradient_sent_on_before_the_weight_part_saves_a_third_of_the_bubble(void **state)
{
    (void)state;
    for (size_t p = 2; p <= MOST_STAGES; p++)
        for (size_t m = p; m <= 4 * p; m++) {
            double truth = 2.0 / 3 * (double)(p - 1) / (double)m;
            struct vl_schedule schedule = made(vl_schedule_afab, p, 1, m);
            assert_is(bubble_of(&schedule, &split, NULL), truth, &schedule);
            schedule = made(vl_schedule_1f1b, p, 1, m);
            assert_is(bubble_of(&schedule, &split, NULL), truth, &schedule);
        }
}

/* (p-1) (F+B-W) where 1F1B has (p-1) (F+B+W). */
static void zero_bubble_h1_leaves_a_third_of_the_bubble(void **state)
{
    (void)state;
    for (size_t p = 2; p <= MOST_STAGES; p++)
        for (size_t m = p; m <= 4 * p; m++) {
            struct vl_schedule schedule = made(vl_schedule_zb_h1, p, 1, m);
            assert_is(bubble_of(&schedule, &split, NULL), (double)(p - 1) / (3 * (double)m),
                      &schedule);
        }
}

static void what_lives_is_what_the_formulas_say(void **state)
{
    (void)state;
    size_t live[MOST_STAGES], paper;
    for (size_t p = 1; p <= MOST_STAGES; p++)
        for (size_t m = 1; m <= 4 * p; m++)
            for (size_t s = 0; s < p; s++) {
                struct vl_schedule schedule = made(vl_schedule_afab, p, 1, m);
                bubble_of(&schedule, &whole, live);
                assert_int_equal(vl_live_afab(&paper, p, m, s), VL_OK);
                assert_int_equal(live[s], m);
                assert_int_equal(paper, m);
                schedule = made(vl_schedule_1f1b, p, 1, m);
                bubble_of(&schedule, &whole, live);
                assert_int_equal(vl_live_1f1b(&paper, p, m, s), VL_OK);
                assert_int_equal(live[s], m < p - s ? m : p - s);
                assert_int_equal(paper, live[s]);
                schedule = made(vl_schedule_zb_h1, p, 1, m);
                bubble_of(&schedule, &split, live);
                assert_int_equal(live[s], m < p ? m : p);
            }
}

static void chunks_alive_are_what_the_formula_says(void **state)
{
    (void)state;
    size_t live[MOST_STAGES], paper;
    for (size_t p = 1; p <= MOST_STAGES; p++)
        for (size_t v = 2; v <= MOST_CHUNKS; v++)
            for (size_t m = p; m <= 4 * p; m += p) {
                struct vl_schedule schedule = made(vl_schedule_interleaved, p, v, m);
                bubble_of(&schedule, &whole, live);
                for (size_t s = 0; s < p; s++) {
                    size_t truth = 2 * (p - s - 1) + (v - 1) * p + 1;
                    assert_int_equal(live[s], truth < m * v ? truth : m * v);
                    assert_int_equal(vl_live_interleaved(&paper, p, v, m, s), VL_OK);
                    assert_int_equal(paper, live[s]);
                }
            }
}

/* ---- orders ---- */

static void interleaved_with_one_chunk_is_1f1b(void **state)
{
    (void)state;
    static struct vl_task kept[MOST_TASKS];
    for (size_t p = 1; p <= MOST_STAGES; p++)
        for (size_t m = 1; m <= 2 * p + 1; m++) {
            size_t paper = 0, live[MOST_STAGES];
            struct vl_schedule schedule = made(vl_schedule_1f1b, p, 1, m);
            memcpy(kept, tasks, sizeof kept);
            schedule = made(vl_schedule_interleaved, p, 1, m);
            bubble_of(&schedule, &whole, live);
            for (size_t i = 0; i < p * 3 * m; i++) {
                assert_int_equal(tasks[i].kind, kept[i].kind);
                assert_int_equal(tasks[i].micro_batch, kept[i].micro_batch);
            }
            assert_int_equal(vl_live_interleaved(&paper, p, 1, m, 0), VL_OK);
            assert_int_equal(paper, live[0]);
        }
}

/* p = 4, v = 2, m = 8: Megatron's stage 0 does 2 (p-1) + (v-1) p = 10 forwards ahead and one more
 * before its first backward; here as chunk and micro-batch. */
static void interleaved_starts_as_megatron_does(void **state)
{
    (void)state;
    static const uint32_t truth[11][2] = {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {1, 0}, {1, 1},
                                          {1, 2}, {1, 3}, {0, 4}, {0, 5}, {0, 6}};
    made(vl_schedule_interleaved, 4, 2, 8);
    for (size_t i = 0; i < 11; i++) {
        assert_int_equal(tasks[i].kind, VL_TASK_FORWARD);
        assert_int_equal(tasks[i].chunk, truth[i][0]);
        assert_int_equal(tasks[i].micro_batch, truth[i][1]);
    }
    assert_int_equal(tasks[11].kind, VL_TASK_BACKWARD); /* the last chunk first */
    assert_int_equal(tasks[11].chunk, 1);
    assert_int_equal(tasks[11].micro_batch, 0);
}

static void few_micro_batches_are_enough_for_a_schedule_that_holds(void **state)
{
    (void)state;
    make_fn *const all[] = {vl_schedule_afab, vl_schedule_1f1b, vl_schedule_interleaved,
                            vl_schedule_zb_h1};
    for (size_t i = 0; i < 4; i++)
        for (size_t p = 1; p <= MOST_STAGES; p++)
            for (size_t m = 1; m < p; m++)
                made(all[i], p, 1, m);
}

static void sizes_outside_the_contract_are_refused(void **state)
{
    (void)state;
    make_fn *const all[] = {vl_schedule_afab, vl_schedule_1f1b, vl_schedule_zb_h1,
                            vl_schedule_interleaved};
    for (size_t i = 0; i < 4; i++) {
        struct vl_schedule schedule = {
            .stages = 4, .chunks = 2, .micro_batches = 6, .tasks = tasks};
        assert_int_equal(all[i](&schedule), VL_ESHAPE); /* v = 1 only; p does not divide m */
        schedule.micro_batches = 0;
        assert_int_equal(all[i](&schedule), VL_EINVAL);
    }
    double share;
    size_t live;
    assert_int_equal(vl_bubble_of_ideal(&share, 4, 2, 6), VL_ESHAPE);
    assert_int_equal(vl_bubble_of_ideal(&share, 0, 1, 6), VL_EINVAL);
    assert_int_equal(vl_live_interleaved(&live, 4, 2, 6, 0), VL_ESHAPE);
    assert_int_equal(vl_live_interleaved(&live, 4, 2, 8, 4), VL_EINVAL);
    assert_int_equal(vl_live_1f1b(&live, 4, 8, 4), VL_EINVAL);
    assert_int_equal(vl_live_afab(&live, 4, 0, 0), VL_EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bubbles_of_whole_backwards_are_those_of_the_formulas),
        cmocka_unit_test(a_gradient_sent_on_before_the_weight_part_saves_a_third_of_the_bubble),
        cmocka_unit_test(zero_bubble_h1_leaves_a_third_of_the_bubble),
        cmocka_unit_test(what_lives_is_what_the_formulas_say),
        cmocka_unit_test(chunks_alive_are_what_the_formula_says),
        cmocka_unit_test(interleaved_with_one_chunk_is_1f1b),
        cmocka_unit_test(interleaved_starts_as_megatron_does),
        cmocka_unit_test(few_micro_batches_are_enough_for_a_schedule_that_holds),
        cmocka_unit_test(sizes_outside_the_contract_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
