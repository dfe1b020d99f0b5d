/* What the planner says of this machine, against closed forms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "train/bench/parallel/planned_step.h"
#include "vialata/budget.h"

enum { BATCH = 8 };

static const struct vl_shape shape = {
    .layers = 6, .width = 512, .heads = 8, .ff = 1376, .vocabulary = 4096, .sequence = 256};
static const struct vl_measured_machine machine = {.alone = 3.0, .road = {1e-5, 2e-10}};
static const struct vl_measured_machine no_road = {.alone = 3.0, .road = {0.0, 1e-300}};

static void assert_near(double got, double wanted, double within)
{
    if (fabs(got - wanted) > within)
        fail_msg("%.9g instead of %.9g", got, wanted);
}

static struct vl_division division_of(size_t tensor, size_t data, size_t pipeline)
{
    return (struct vl_division){.tensor = tensor,
                                .expert = 1,
                                .data = data,
                                .pipeline = pipeline,
                                .chunks = 1,
                                .micro_batches = pipeline > 1 ? BATCH : 1};
}

static double planned(const struct vl_measured_machine *on, const struct vl_division division)
{
    double seconds;
    assert_int_equal(vl_planned_step_here(&seconds, &shape, NULL, BATCH, on, &division, NULL),
                     VL_OK);
    return seconds;
}

static void test_one_core_takes_what_it_took(void **state)
{
    (void)state;
    assert_near(planned(&machine, division_of(1, 1, 1)), 3.0, 1e-12);
}

static void test_without_roads_only_the_bubble_is_lost(void **state)
{
    (void)state;
    assert_near(planned(&no_road, division_of(2, 1, 1)), 1.5, 1e-12);
    assert_near(planned(&no_road, division_of(1, 2, 1)), 1.5, 1e-12);
    /* The second stage has half of the layers, and all of the head. */
    double all, head = 6.0 * (double)(shape.width * shape.vocabulary);
    assert_int_equal(vl_flops_per_token(&all, &shape), VL_OK);
    double slower = ((all - head) / 2 + head) / all;
    assert_near(planned(&no_road, division_of(1, 1, 2)), 3.0 * slower * (1 + 1.0 / BATCH), 1e-12);
}

/* Two ranks: an all-reduce is two messages of half the array. */
static double all_reduce(double bytes)
{
    return 2 * (machine.road.alpha + machine.road.beta * bytes / 2);
}

static void test_gradients_of_replicas_travel(void **state)
{
    (void)state;
    size_t d = shape.width, layer = 4 * d * d + 3 * d * shape.ff + 2 * d;
    double parameters = (double)(2 * d * shape.vocabulary + d + shape.layers * layer);
    assert_near(planned(&machine, division_of(1, 2, 1)), 1.5 + all_reduce(4 * parameters),
                1e-4 * 1.5);
}

static void test_sums_of_a_layer_travel(void **state)
{
    (void)state;
    double bytes = 4.0 * BATCH * (double)(shape.sequence * shape.width);
    assert_near(planned(&machine, division_of(2, 1, 1)),
                1.5 + 4 * (double)shape.layers * all_reduce(bytes), 1e-12);
}

/* Shared out, experts stay where they are: their gradients do not travel, and tokens do. */
static void test_experts_are_counted(void **state)
{
    (void)state;
    const struct vl_expert_shape experts = {.experts = 4, .chosen = 2, .scale = 1.0f};
    struct vl_division division = division_of(1, 2, 1);
    double seconds, d = (double)shape.width, f = (double)shape.ff, layers = (double)shape.layers,
                    expert = 3 * d * f, routed = layers * 4 * expert,
                    common = 2 * d * (double)shape.vocabulary + d +
                             layers * (4 * d * d + 2 * d + expert + 4 * d);
    assert_int_equal(
        vl_planned_step_here(&seconds, &shape, &experts, BATCH, &machine, &division, NULL), VL_OK);
    assert_near(seconds, 1.5 + all_reduce(4 * (common + routed)), 1e-4 * 1.5);
    division.data = 1;
    division.expert = 2;
    assert_int_equal(
        vl_planned_step_here(&seconds, &shape, &experts, BATCH, &machine, &division, NULL), VL_OK);
    /* Of a rank's tokens' two choices each, one half is on the other rank: there and back, forward
     * and backward. */
    double tokens = BATCH / 2.0 * (double)shape.sequence, bytes = 4 * tokens * 2 * d / 2;
    assert_near(seconds,
                1.5 + all_reduce(4 * common) +
                    4 * layers * (machine.road.alpha + machine.road.beta * bytes),
                1e-4 * 1.5);
}

/* Three equal parts of a micro-batch: a stage passes its gradients on after the second one. */
static void test_a_schedule_has_its_own_bubble(void **state)
{
    (void)state;
    struct vl_task tasks[2 * 3 * BATCH];
    struct vl_schedule schedule = {
        .stages = 2, .chunks = 1, .micro_batches = BATCH, .tasks = tasks};
    const struct vl_division division = division_of(1, 1, 2);
    double seconds;
    assert_int_equal(vl_schedule_1f1b(&schedule), VL_OK);
    assert_int_equal(
        vl_planned_step_here(&seconds, &shape, NULL, BATCH, &no_road, &division, &schedule), VL_OK);
    double whole = planned(&no_road, division) / (1 + 1.0 / BATCH);
    assert_near(seconds, whole * (1 + 2.0 / 3 / BATCH), 1e-12);
}

/* Two thirds of the work are backward, which hides the sums that may begin in it. */
static void test_what_the_road_moves_is_hidden(void **state)
{
    (void)state;
    struct vl_measured_machine hiding = machine;
    double seen = planned(&machine, division_of(1, 2, 1)) - 1.5;
    hiding.hidden_closing = 1;
    double hidden = seen < 1.0 ? seen : 1.0;
    assert_near(planned(&hiding, division_of(1, 2, 1)), 1.5 + seen - hidden, 1e-4 * 1.5);
    hiding.hidden_pipeline = 1;
    assert_near(planned(&hiding, division_of(1, 1, 2)), planned(&no_road, division_of(1, 1, 2)),
                1e-12);
    assert_true(planned(&machine, division_of(1, 1, 2)) >
                planned(&no_road, division_of(1, 1, 2)) + 1e-9);
}

static void test_what_cannot_be_is_refused(void **state)
{
    (void)state;
    double seconds;
    struct vl_measured_machine still = machine;
    struct vl_division division = division_of(1, 1, 1);
    still.alone = 0.0;
    assert_int_equal(vl_planned_step_here(&seconds, &shape, NULL, BATCH, &still, &division, NULL),
                     VL_EINVAL);
    division.pipeline = 7; /* of 6 layers */
    assert_int_equal(vl_planned_step_here(&seconds, &shape, NULL, BATCH, &machine, &division, NULL),
                     VL_ESHAPE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_core_takes_what_it_took),
        cmocka_unit_test(test_without_roads_only_the_bubble_is_lost),
        cmocka_unit_test(test_gradients_of_replicas_travel),
        cmocka_unit_test(test_sums_of_a_layer_travel),
        cmocka_unit_test(test_experts_are_counted),
        cmocka_unit_test(test_a_schedule_has_its_own_bubble),
        cmocka_unit_test(test_what_the_road_moves_is_hidden),
        cmocka_unit_test(test_what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
