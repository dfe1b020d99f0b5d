#include "train/options/options_parse.h"
#include "train/run/stages.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static struct vl_options options;
static struct vl_problem problem;

static enum vl_status make(struct vl_stages *stages, const char *const *words, int count)
{
    memset(&problem, 0, sizeof problem);
    assert_int_equal(
        vl_options_parse(&options, VL_TRAIN, count, (char *const *)(size_t)words, &problem), VL_OK);
    return vl_stages_create(stages, &options, &problem);
}
#define MAKE(stages, ...)                                                                          \
    make(stages, (const char *const[]){__VA_ARGS__},                                               \
         (int)(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *)))

static void without_a_pipeline_there_is_nothing(void **state)
{
    (void)state;
    struct vl_stages stages;
    assert_int_equal(MAKE(&stages, "--tp", "2", "--accumulate", "4"), VL_OK);
    assert_null(stages.borders);
    assert_null(stages.schedule.tasks);
    assert_true(stages.live == 1);
    vl_stages_free(&stages);
}

static void borders_stand_between_the_layers_of_virtual_stages(void **state)
{
    (void)state;
    struct vl_stages stages;
    static const size_t even[] = {0, 2, 4, 5, 6}, own[] = {0, 3, 4, 5, 6};
    assert_int_equal(MAKE(&stages, "--pp", "2", "--chunks", "2", "--layers", "6"), VL_OK);
    assert_memory_equal(stages.borders, even, sizeof even);
    assert_int_equal(stages.schedule.chunks, 2);
    vl_stages_free(&stages);
    assert_int_equal(MAKE(&stages, "--pp", "4", "--layers", "6", "--stage-layers", "3,1,1,1"),
                     VL_OK);
    assert_memory_equal(stages.borders, own, sizeof own);
    vl_stages_free(&stages);
}

/* What facts.md says of each: m for all forward, all backward; min(m, p - r) for 1F1B. */
static void micro_batches_alive_are_those_of_the_schedule(void **state)
{
    (void)state;
    struct vl_stages stages;
    assert_int_equal(MAKE(&stages, "--pp", "4", "--schedule", "afab"), VL_OK);
    assert_true(stages.live == 8);
    vl_stages_free(&stages);
    assert_int_equal(MAKE(&stages, "--pp", "4"), VL_OK);
    assert_true(stages.live == (4 + 3 + 2 + 1) / 4.0);
    vl_stages_free(&stages);
}

static void a_file_settles_what_was_left_open_or_says_what_is_wrong(void **state)
{
    (void)state;
    struct vl_stages stages;
    char path[] = "/tmp/vialata-stages-XXXXXX";
    int file = mkstemp(path);
    static const char text[] = "F0 F1 B0 W0 B1 W1\nF0 B0 W0 F1 B1 W1\n";
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    assert_int_equal(MAKE(&stages, "--pp", "2", "--schedule", path), VL_OK);
    assert_int_equal(options.accumulate, 2);
    assert_int_equal(options.chunks, 1);
    assert_int_equal(stages.schedule.micro_batches, 2);
    vl_stages_free(&stages);
    assert_int_equal(MAKE(&stages, "--pp", "2", "--batch", "1", "--schedule", path), VL_ESHAPE);
    assert_string_equal(problem.code, "layout_micro_batches");
    assert_null(stages.borders);
    assert_int_equal(MAKE(&stages, "--pp", "3", "--schedule", path), VL_EFORMAT);
    assert_string_equal(problem.code, "layout_schedule");
    close(file);
    unlink(path);
    assert_int_equal(MAKE(&stages, "--pp", "2", "--schedule", path), VL_EIO);
    assert_non_null(strstr(problem.message, path));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_pipeline_there_is_nothing),
        cmocka_unit_test(borders_stand_between_the_layers_of_virtual_stages),
        cmocka_unit_test(micro_batches_alive_are_those_of_the_schedule),
        cmocka_unit_test(a_file_settles_what_was_left_open_or_says_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
