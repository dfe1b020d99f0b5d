/* Runs inside this process: what is told, what is refused, and (under AddressSanitizer) that an
 * end of any kind leaves nothing behind. Runs that are stopped and killed are in check_resume.py.
 */
#include "train/run/run.h"

#include "base/file.h"
#include "base/file_lock.h"
#include "train/run/evaluate.h"
#include "train/run/peak.h"
#include "train/run/sample.h"
#include "train/run/setup.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "parsed.h"

static char folder[64];
static char model[96];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/vialata-run-XXXXXX");
    int made = mkdtemp(folder) != NULL;
    snprintf(model, sizeof model, "%s/model.st", folder);
    return !made;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[96];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) != 0;
}

static const char *const tiny[] = {"--layers", "1", "--width", "8", "--heads",    "2",
                                   "--batch",  "2", "--ff",    "5", "--sequence", "8"};
#define TINY (int)(sizeof tiny / sizeof *tiny)

/* Train a tiny model with these further words (up to a NULL); its events as a JSON array. */
static json_t *train(enum vl_status expected, ...)
{
    char *words[40], *heard = NULL;
    size_t n;
    int count = TINY;
    memcpy(words, tiny, sizeof tiny);
    va_list list;
    va_start(list, expected);
    while ((words[count] = va_arg(list, char *)) != NULL)
        count++;
    va_end(list);
    assert_int_equal(vl_options_parse(&options, VL_TRAIN, count, words, &problem), VL_OK);
    FILE *events = open_memstream(&heard, &n);
    enum vl_status status = vl_run_train(&options, MPI_COMM_NULL, events, &problem);
    fclose(events);
    if (status != expected)
        fail_msg("status %d: %s", (int)status, problem.message);
    json_t *lines = json_array();
    for (char *line = strtok(heard, "\n"); line != NULL; line = strtok(NULL, "\n"))
        json_array_append_new(lines, json_loads(line, 0, NULL));
    free(heard);
    return lines;
}
#define TRAIN(...) train(__VA_ARGS__, (char *)NULL)

static double number(const json_t *lines, size_t i, const char *key)
{
    const json_t *value = json_object_get(json_array_get(lines, i), key);
    assert_true(json_is_number(value));
    return json_number_value(value);
}

static void run_tells_its_shape_then_each_step_then_its_end(void **state)
{
    (void)state;
    json_t *lines = TRAIN(VL_OK, "--steps", "3", "--lr", "0.5", "--warmup", "2", "--horizon", "4");
    assert_int_equal(json_array_size(lines), 5);
    const json_t *run = json_object_get(json_array_get(lines, 0), "run");
    static const char *const whole[] = {"ranks", "dp",      "tp",         "pp",
                                        "ep",    "zero",    "seed",       "batch",
                                        "steps", "horizon", "parameters", "state_bytes"};
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        assert_true(json_is_integer(json_object_get(run, whole[i])));
    assert_int_equal(json_integer_value(json_object_get(run, "parameters")),
                     2 * 256 * 8 + 4 * 64 + 3 * 40 + 3 * 8);
    assert_int_equal(json_integer_value(json_object_get(json_object_get(run, "shape"), "sequence")),
                     8);
    static const double rates[] = {0.25, 0.5, 0.275};
    for (size_t i = 0; i < 3; i++) {
        assert_true(number(lines, i + 1, "step") == (double)(i + 1));
        assert_true(number(lines, i + 1, "learning_rate") == rates[i]);
        assert_true(number(lines, i + 1, "tokens_per_second") > 0);
        assert_true(number(lines, i + 1, "gradient_norm") > 0);
    }
    assert_true(number(lines, 1, "loss") > 5 && number(lines, 1, "loss") < 6);
    assert_string_equal(json_string_value(json_object_get(json_array_get(lines, 4), "stopped")),
                        "steps");
    json_decref(lines);
}

/* By hand: D 8, F 5, V 256, L 1, T 8. What multiplies: four D by D, three D by F, the head. */
#define DENSE_FLOPS (6.0 * (4 * 64 + 3 * 40 + 2048) + 12.0 * 8 * 8)

static void assert_mfu(json_t *lines, double flops)
{
    const json_t *run = json_object_get(json_array_get(lines, 0), "run"),
                 *peak = json_object_get(run, "peak");
    double rate = json_number_value(json_object_get(peak, "flops_per_second"));
    assert_true(json_number_value(json_object_get(run, "flops_per_token")) == flops);
    assert_int_equal(json_integer_value(json_object_get(peak, "size")), 512);
    assert_true(rate > 1e8 && rate < 1e14);
    for (size_t step = 1; step <= 2; step++) {
        double told = number(lines, step, "mfu"), speed = number(lines, step, "tokens_per_second");
        assert_true(told > 0);
        assert_true(fabs(told * rate / (speed * flops) - 1) < 1e-12);
    }
    json_decref(lines);
}

static void mfu_is_useful_work_over_the_measured_peak(void **state)
{
    (void)state;
    assert_mfu(TRAIN(VL_OK, "--steps", "2"), DENSE_FLOPS);
    assert_mfu(TRAIN(VL_OK, "--steps", "2", "--recompute", "full"), DENSE_FLOPS);
    /* Experts need MPI, so they are counted without a run: the router has 4 rows, and a token meets
     * two experts more. */
    const struct vl_shape shape = {1, 8, 2, 5, 256, 8};
    const struct vl_expert_shape experts = {.experts = 4, .chosen = 2};
    double flops;
    assert_int_equal(vl_peak_flops_per_token(&flops, &shape, &experts), VL_OK);
    assert_true(flops == DENSE_FLOPS + 6.0 * (4 * 8 + 2 * 3 * 40));
}

static void loss_falls_and_eval_agrees_that_it_fell(void **state)
{
    (void)state;
    struct vl_evaluation before, after;
    assert_int_equal(PARSE(VL_EVAL, "--checkpoint", model), VL_OK);
    const struct vl_options asked = options;
    json_decref(TRAIN(VL_OK, "--steps", "1", "--lr", "1e-9", "--save", model));
    assert_int_equal(vl_evaluate(&before, &asked, &problem), VL_OK);
    json_decref(TRAIN(VL_OK, "--steps", "150", "--lr", "0.02", "--save", model));
    assert_int_equal(vl_evaluate(&after, &asked, &problem), VL_OK);
    assert_true(before.loss > 5.4 && before.loss < 5.7);
    assert_true(after.loss < 3.6);
    assert_int_equal(after.bytes, 8 * after.windows);
}

static void saves_come_every_so_many_steps_and_once_at_the_end(void **state)
{
    (void)state;
    json_t *lines = TRAIN(VL_OK, "--steps", "5", "--save", model, "--save-every", "2");
    double saved[8];
    size_t count = 0;
    for (size_t i = 0; i < json_array_size(lines); i++)
        if (json_object_get(json_array_get(lines, i), "saved") != NULL)
            saved[count++] = number(lines, i, "step");
    assert_int_equal(count, 3);
    assert_true(saved[0] == 2 && saved[1] == 4 && saved[2] == 5);
    json_decref(lines);
    lines = TRAIN(VL_OK, "--steps", "4", "--save", model, "--save-every", "2");
    assert_int_equal(json_array_size(lines), 1 + 4 + 2 + 1);
    json_decref(lines);
}

static void seed_changes_batches_and_first_weights_and_steps_change_nothing(void **state)
{
    (void)state;
    char window[96]; /* of one sequence: whatever the seed, there is one batch */
    snprintf(window, sizeof window, "%s/window", folder);
    assert_int_equal(vl_file_write(window, "123456789", 9), VL_OK);
    json_t *one = TRAIN(VL_OK, "--steps", "2"), *same = TRAIN(VL_OK, "--steps", "5");
    json_t *weights = TRAIN(VL_OK, "--steps", "1", "--data", window);
    json_t *others = TRAIN(VL_OK, "--steps", "1", "--data", window, "--seed", "2");
    assert_true(number(one, 2, "loss") == number(same, 2, "loss"));
    assert_true(number(one, 1, "loss") != number(one, 2, "loss"));
    assert_true(number(weights, 1, "loss") != number(others, 1, "loss"));
    json_decref(one);
    json_decref(same);
    json_decref(weights);
    json_decref(others);
}

static void refused_runs_say_why_and_tell_nothing(void **state)
{
    (void)state;
    static const struct {
        enum vl_status status;
        const char *option, *value, *code;
    } cases[] = {
        {VL_EIO, "--data", "/no/such/text", "file_missing"},
        {VL_EFORMAT, "--data", "/tmp", "data_kind"},
        {VL_EIO, "--resume", "/no/such/checkpoint", "file_missing"},
        {VL_EFORMAT, "--resume", "/proc/self/exe", "checkpoint_damaged"},
        {VL_EIO, "--save", "/no/such/folder/model", "file_unwritable"},
        {VL_EIO, "--log", "/no/such/folder/log", "file_unwritable"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *lines = TRAIN(cases[i].status, cases[i].option, (char *)cases[i].value);
        assert_string_equal(problem.code, cases[i].code);
        assert_non_null(strstr(problem.message, cases[i].value));
        assert_int_equal(json_array_size(lines), 0);
        json_decref(lines);
    }
}

static void one_file_for_two_things_is_refused_and_left_alone(void **state)
{
    (void)state;
    static const char text[] = "first words of a text\n";
    static const char *const words[][2] = {
        {"--save", "--trace"}, {"--save", "--log"}, {"--log", "--data"}, {"--trace", "--data"}};
    char other[sizeof model + 16], *found;
    size_t n;
    snprintf(other, sizeof other, "%s/./model.st", folder);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        assert_int_equal(vl_file_write(model, text, strlen(text)), VL_OK);
        json_decref(TRAIN(VL_EINVAL, (char *)words[i][0], model, (char *)words[i][1], other));
        assert_string_equal(problem.code, "file_used_twice");
        assert_int_equal(vl_file_read(&found, &n, model, 1000), VL_OK);
        assert_string_equal(found, text);
        free(found);
    }
    unlink(model); /* nor is it made */
    json_decref(TRAIN(VL_EINVAL, "--save", model, "--trace", other));
    assert_int_equal(access(model, F_OK), -1);
}

static void what_is_not_a_model_of_ours_is_not_overwritten(void **state)
{
    (void)state;
    static const char text[] = "Dear diary\n";
    char *found;
    size_t n;
    assert_int_equal(vl_file_write(model, text, strlen(text)), VL_OK);
    json_decref(TRAIN(VL_EINVAL, "--steps", "1", "--save", model));
    assert_string_equal(problem.code, "save_foreign");
    assert_non_null(strstr(problem.message, model));
    assert_int_equal(vl_file_read(&found, &n, model, 1000), VL_OK);
    assert_string_equal(found, text);
    free(found);
    assert_int_equal(vl_file_write(model, "", 0), VL_OK); /* nothing is lost with that */
    json_decref(TRAIN(VL_OK, "--steps", "1", "--save", model));
    json_decref(
        TRAIN(VL_OK, "--steps", "1", "--save", model)); /* nor with one of ours: asked for */
}

static void a_file_that_another_run_writes_to_is_refused(void **state)
{
    (void)state;
    static const char *const options_with_files[] = {"--save", "--log"};
    struct vl_file_lock other;
    char link[sizeof model + 16];
    snprintf(link, sizeof link, "%s/link", folder);
    assert_int_equal(symlink("model.st", link), 0);
    for (size_t i = 0; i < 2; i++) {
        char *option = (char *)options_with_files[i];
        assert_int_equal(vl_file_write(model, "", 0), VL_OK);
        assert_int_equal(vl_file_lock(&other, model), VL_OK);
        json_decref(TRAIN(VL_EINVAL, "--steps", "1", option, link));
        assert_string_equal(problem.code, "file_in_use");
        assert_non_null(strstr(problem.message, option));
        vl_file_unlock(&other);
        json_decref(TRAIN(VL_OK, "--steps", "1", option, link));
        assert_int_equal(vl_file_lock(&other, model), VL_OK); /* the run gave it back */
        vl_file_unlock(&other);
        assert_int_equal(unlink(model), 0);
    }
}

static void model_larger_than_the_machine_is_refused_before_it_is_made(void **state)
{
    (void)state;
    json_t *lines = TRAIN(VL_ENOMEM, "--width", "16384", "--layers", "256", "--batch", "4096",
                          "--sequence", "8192");
    assert_string_equal(problem.code, "no_memory");
    assert_non_null(strstr(problem.message, "the machine has"));
    assert_int_equal(vl_problem_exit(&problem), 3);
    json_decref(lines);
}

/* Probs of 256 MiB a layer, ten thousand layers; the rest is small. */
static void what_is_forgotten_needs_no_memory(void **state)
{
    (void)state;
    static const struct vl_shape deep = {10000, 2, 1, 2, 256, 8192};
    static const struct vl_expert_shape dense = {0};
    struct vl_setup_load load = {.rows = 1,
                                 .live = 1,
                                 .replicas = 1,
                                 .expert_ranks = 1,
                                 .zero = 0,
                                 .tensor = 1,
                                 .stages = 1};
    assert_int_equal(vl_setup_check_memory(&deep, &dense, &load, &problem), VL_ENOMEM);
    load.recompute = VL_RECOMPUTE_SELECTIVE;
    assert_int_equal(vl_setup_check_memory(&deep, &dense, &load, &problem), VL_OK);
    load.recompute = VL_RECOMPUTE_FULL;
    assert_int_equal(vl_setup_check_memory(&deep, &dense, &load, &problem), VL_OK);
    load.recompute = VL_RECOMPUTE_NONE;
    load.elsewhere = 0.999; /* one of a thousand such machines */
    assert_int_equal(vl_setup_check_memory(&deep, &dense, &load, &problem), VL_OK);
    load.recompute = VL_RECOMPUTE_FULL;
    load.elsewhere = 0;
    load.live = 1e6; /* inputs are not forgotten */
    assert_int_equal(vl_setup_check_memory(&deep, &dense, &load, &problem), VL_ENOMEM);
}

/* Of wide experts each of many places has its part, half a gigabyte together; a router each. */
static void experts_are_cut_and_routers_are_not(void **state)
{
    (void)state;
    static const struct vl_shape wide = {1, 2, 1, 1000000, 256, 1};
    static const struct vl_shape narrow = {1, 3000, 1, 1, 256, 1};
    static const struct vl_expert_shape few = {.experts = 4, .chosen = 2, .scale = 1},
                                        many = {.experts = 10000, .chosen = 1, .scale = 1};
    struct vl_setup_load load = {
        .rows = 1, .live = 1, .replicas = 1, .expert_ranks = 1, .tensor = 20000, .stages = 1};
    assert_int_equal(vl_setup_check_memory(&narrow, &many, &load, &problem), VL_ENOMEM);
    assert_int_equal(vl_setup_check_memory(&wide, &few, &load, &problem), VL_OK);
}

static void sample_starts_with_the_prompt_and_is_as_long_as_asked(void **state)
{
    (void)state;
    static const char prompt[] = "a prompt longer than a sequence: ";
    assert_int_equal(PARSE(VL_SAMPLE, "--checkpoint", model, "--prompt", prompt, "--bytes", "30",
                           "--temperature", "0"),
                     VL_OK);
    const struct vl_options asked = options;
    char *heard = NULL, text[600] = "";
    size_t n;
    json_decref(TRAIN(VL_OK, "--steps", "60", "--lr", "0.02", "--save", model));
    FILE *events = open_memstream(&heard, &n);
    assert_int_equal(vl_sample(&asked, events, &problem), VL_OK);
    fclose(events);
    for (char *line = strtok(heard, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        json_t *event = json_loads(line, 0, NULL);
        strcat(text, json_string_value(json_object_get(event, "text")));
        json_decref(event);
    }
    free(heard);
    assert_memory_equal(text, prompt, strlen(prompt));
    assert_true(strlen(text) >= strlen(prompt) + 30);
}

int main(void)
{
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        IN_FOLDER(run_tells_its_shape_then_each_step_then_its_end),
        IN_FOLDER(mfu_is_useful_work_over_the_measured_peak),
        IN_FOLDER(loss_falls_and_eval_agrees_that_it_fell),
        IN_FOLDER(saves_come_every_so_many_steps_and_once_at_the_end),
        IN_FOLDER(seed_changes_batches_and_first_weights_and_steps_change_nothing),
        IN_FOLDER(refused_runs_say_why_and_tell_nothing),
        IN_FOLDER(one_file_for_two_things_is_refused_and_left_alone),
        IN_FOLDER(what_is_not_a_model_of_ours_is_not_overwritten),
        IN_FOLDER(a_file_that_another_run_writes_to_is_refused),
        IN_FOLDER(model_larger_than_the_machine_is_refused_before_it_is_made),
        IN_FOLDER(what_is_forgotten_needs_no_memory),
        IN_FOLDER(experts_are_cut_and_routers_are_not),
        IN_FOLDER(sample_starts_with_the_prompt_and_is_as_long_as_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
