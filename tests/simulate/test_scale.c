/* What is simulated takes as long as the real thing, and machines that cannot be are refused. */
#include "simulate/platform.h"
#include "simulate/scale.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct vl_setting setting = {.model = {.layers = 8,
                                                    .dense_layers = 8,
                                                    .width = 4096,
                                                    .heads = 32,
                                                    .key_width = 128,
                                                    .value_width = 128,
                                                    .ff = 11008,
                                                    .vocabulary = 32000,
                                                    .sequence = 4096},
                                          .recipe = {.batch = 64,
                                                     .weight_bytes = 2,
                                                     .gradient_bytes = 2,
                                                     .optimizer_bytes = 12,
                                                     .kept_bytes = 2,
                                                     .element_bytes = 2},
                                          .cluster = {.peak = 1e15,
                                                      .efficiency = 0.5,
                                                      .domain = 8,
                                                      .inner = {3e-6, 450e9, 450e9},
                                                      .outer = {1e-5, 50e9, 50e9}}};
static const struct vl_division division = {8, 1, 4, 2, 1, 4, 0, VL_KEEP_ALL};

/* Seconds of the largest product of a layer, and of its output on the outer link. */
static void times_at(double *product, double *road, size_t s)
{
    struct vl_simulate_task task;
    assert_int_equal(vl_scale_task(&task, &setting, &division, s, 0), VL_OK);
    double n = (double)task.shape.sequence, d = (double)task.shape.width;
    struct vl_link link = vl_scale_link(&setting.cluster.outer, &setting.recipe, s);
    *product = 2 * n * d * (double)task.shape.width / task.flops;
    *road = link.latency + 4 * n * d / link.bandwidth;
}

static void times_do_not_depend_on_the_scale(void **state)
{
    double product, road, other_product, other_road;
    (void)state;
    times_at(&product, &road, 1);
    assert_true(fabs(product - 2.0 * 4096 * 4096 * 4096 / 5e14) < 1e-12);
    assert_true(fabs(road - (1e-5 + 2.0 * 4096 * 4096 / 50e9)) < 1e-12);
    for (size_t s = 2; s <= 32; s *= 2) {
        times_at(&other_product, &other_road, s);
        assert_true(fabs(other_product / product - 1) < 1e-12);
        assert_true(fabs(other_road / road - 1) < 1e-12);
    }
    assert_true(fabs(vl_scale_bytes(1, &setting.recipe, 32) - 512) < 1e-9);
}

static void a_scale_that_leaves_a_remainder_is_refused(void **state)
{
    struct vl_simulate_task task;
    (void)state;
    assert_int_equal(vl_scale_task(&task, &setting, &division, 3, 0), VL_ESHAPE);
    assert_int_equal(vl_scale_task(&task, &setting, &division, 0, 0), VL_ESHAPE);
    size_t chosen = vl_scale_choose(&setting, &division);
    assert_true(chosen > 1);
    assert_int_equal(vl_scale_task(&task, &setting, &division, chosen, 0), VL_OK);
    assert_int_equal(task.shape.heads % division.tensor, 0);
    assert_int_equal(task.shape.width % (2 * task.shape.heads), 0);
}

static void a_task_survives_its_text(void **state)
{
    struct vl_simulate_task task, read;
    (void)state;
    assert_int_equal(vl_scale_task(&task, &setting, &division, 32, 2e12), VL_OK);
    task.trace = "a trace";
    json_t *object = vl_simulate_task_json(&task);
    assert_int_equal(vl_simulate_task_read(&read, object), VL_OK);
    assert_string_equal(read.trace, "a trace");
    read.trace = task.trace;
    assert_memory_equal(&read, &task, sizeof task);
    json_object_del(object, "domain");
    assert_int_equal(vl_simulate_task_read(&read, object), VL_EFORMAT);
    json_decref(object);
}

static enum vl_status written(char **text, const struct vl_cluster *cluster, size_t chips)
{
    size_t bytes;
    FILE *stream = open_memstream(text, &bytes);
    enum vl_status status = vl_platform_write(stream, cluster, chips);
    fclose(stream);
    return status;
}

static void machines_that_cannot_be_are_refused(void **state)
{
    struct vl_cluster cluster = setting.cluster;
    char *text;
    (void)state;
    assert_int_equal(written(&text, &cluster, 1), VL_EINVAL);
    free(text);
    cluster.outer.bandwidth = 0;
    assert_int_equal(written(&text, &cluster, 16), VL_EINVAL);
    free(text);
    cluster = setting.cluster;
    cluster.torus = 3;
    assert_int_equal(written(&text, &cluster, 16), VL_ESHAPE);
    free(text);
    cluster.domain = 64;
    assert_int_equal(written(&text, &cluster, 64), VL_OK);
    assert_non_null(strstr(text, "topo_parameters=\"4,4,4\""));
    free(text);
}

static void a_torus_is_as_cubic_as_can_be(void **state)
{
    size_t length[VL_PLATFORM_AXES];
    (void)state;
    vl_platform_axes(length, 2048, 3);
    assert_int_equal(length[0] * length[1] * length[2], 2048);
    for (size_t axis = 0; axis < 3; axis++)
        assert_true(length[axis] == 8 || length[axis] == 16);
    vl_platform_axes(length, 7, 2);
    assert_int_equal(length[0] * length[1], 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_do_not_depend_on_the_scale),
        cmocka_unit_test(a_scale_that_leaves_a_remainder_is_refused),
        cmocka_unit_test(a_task_survives_its_text),
        cmocka_unit_test(machines_that_cannot_be_are_refused),
        cmocka_unit_test(a_torus_is_as_cubic_as_can_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
