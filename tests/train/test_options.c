#include "train/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct vl_options options;
static struct vl_problem problem;

/* Words up to a NULL, as a command line would bring them. */
static enum vl_status parse(enum vl_trainer_command command, ...)
{
    char *words[32];
    int count = 0;
    va_list list;
    va_start(list, command);
    while ((words[count] = va_arg(list, char *)) != NULL)
        count++;
    va_end(list);
    memset(&problem, 0, sizeof problem);
    return vl_options_parse(&options, command, count, words, &problem);
}
#define PARSE(...) parse(__VA_ARGS__, (char *)NULL)

static void assert_refused(enum vl_status status, enum vl_status expected, const char *code,
                           const char *mentioned)
{
    if (status != expected || strcmp(problem.code, code) != 0 ||
        strstr(problem.message, mentioned) == NULL)
        fail_msg("status %d, %s: %s", (int)status, problem.code, problem.message);
    assert_int_equal(problem.status, expected);
}

static void defaults_are_a_small_model_that_fits_together(void **state)
{
    (void)state;
    assert_int_equal(vl_options_parse(&options, VL_TRAIN, 0, NULL, &problem), VL_OK);
    assert_int_equal(options.shape.vocabulary, 256);
    assert_int_equal(options.shape.ff, vl_shape_default_ff(options.shape.width));
    assert_int_equal(vl_options_check_shape(&options.shape, &problem), VL_OK);
    assert_int_equal(options.given, 0);
    assert_int_equal(vl_options_ranks(&options), 1);
}

static void values_stand_after_a_blank_or_an_equals_sign(void **state)
{
    (void)state;
    assert_int_equal(PARSE(VL_TRAIN, "--steps", "40", "--batch=3", "--lr", "1e-3", "--data=a=b",
                           "--log", "l", "--save", "s", "--save-every", "7", "--events"),
                     VL_OK);
    assert_int_equal(options.steps, 40);
    assert_int_equal(options.batch, 3);
    assert_true(options.lr == 1e-3);
    assert_string_equal(options.data, "a=b");
    assert_string_equal(options.log, "l");
    assert_string_equal(options.save, "s");
    assert_int_equal(options.save_every, 7);
    assert_int_equal(options.events, 1);
    assert_true(vl_options_given(&options, VL_OPTION_BATCH));
    assert_true(vl_options_given(&options, VL_OPTION_LR));
    assert_false(vl_options_given(&options, VL_OPTION_SEED));
}

static void feed_forward_width_follows_the_width_unless_given(void **state)
{
    (void)state;
    assert_int_equal(PARSE(VL_TRAIN, "--width", "96", "--heads", "4"), VL_OK);
    assert_int_equal(options.shape.ff, 256);
    assert_int_equal(PARSE(VL_TRAIN, "--width", "96", "--heads", "4", "--ff", "5"), VL_OK);
    assert_int_equal(options.shape.ff, 5);
}

static void numbers_outside_their_range_or_misspelt_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "0", "-5", "+5", "5x", "x", "", " 5", "1e3", "5.", "4097", "99999999999999999999999"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_refused(PARSE(VL_TRAIN, "--batch", wrong[i]), VL_EINVAL, "option_value", "--batch");
    static const char *const unreal[] = {"0", "-1", "nan", "inf", "1e400", "1,5", "3e-3 "};
    for (size_t i = 0; i < sizeof unreal / sizeof *unreal; i++)
        assert_refused(PARSE(VL_TRAIN, "--lr", unreal[i]), VL_EINVAL, "option_value", "--lr");
    assert_int_equal(PARSE(VL_TRAIN, "--batch", "4096", "--seed", "0"), VL_OK);
}

static void option_without_its_value_is_refused(void **state)
{
    (void)state;
    assert_refused(PARSE(VL_TRAIN, "--data"), VL_EINVAL, "option_value", "--data");
    assert_refused(PARSE(VL_TRAIN, "--data", "--log", "x"), VL_EINVAL, "option_value", "--data");
    assert_refused(PARSE(VL_TRAIN, "--save="), VL_EINVAL, "option_value", "--save");
    assert_refused(PARSE(VL_TRAIN, "--events=1"), VL_EINVAL, "option_unknown", "--events");
}

static void unknown_options_and_stray_words_are_refused(void **state)
{
    (void)state;
    assert_refused(PARSE(VL_TRAIN, "--step", "3"), VL_EINVAL, "option_unknown", "--step");
    assert_refused(PARSE(VL_TRAIN, "file"), VL_EINVAL, "option_unknown", "file");
    assert_refused(PARSE(VL_TRAIN, "--prompt", "x"), VL_EINVAL, "option_unknown", "--prompt");
    assert_refused(PARSE(VL_EVAL, "--checkpoint", "c", "--steps", "3"), VL_EINVAL, "option_unknown",
                   "--steps");
}

static void the_auxiliary_loss_is_asked_where_it_can_be_known(void **state)
{
    (void)state;
#define AUX "--experts", "4", "--balance", "aux"
    assert_int_equal(PARSE(VL_TRAIN, AUX), VL_OK);
    struct vl_auxiliary auxiliary = vl_options_auxiliary(&options);
    assert_true(auxiliary.alpha == 0.01f && auxiliary.scope == VL_BALANCE_GLOBAL);
    assert_true(vl_options_bias_speed(&options) == 0.0f);
    assert_int_equal(PARSE(VL_TRAIN, AUX, "--aux-scope", "sequence", "--pp", "2"), VL_OK);
    assert_int_equal(vl_options_auxiliary(&options).scope, VL_BALANCE_SEQUENCE);
    assert_int_equal(PARSE(VL_TRAIN, "--experts", "4"), VL_OK);
    assert_true(vl_options_auxiliary(&options).alpha == 0.0f);

    /* the whole batch is known after its last forward */
    assert_int_equal(PARSE(VL_TRAIN, AUX, "--pp", "2", "--schedule", "afab"), VL_OK);
    assert_int_equal(PARSE(VL_TRAIN, AUX, "--pp", "2", "--schedule", "a-file"), VL_OK);
    assert_int_equal(PARSE(VL_TRAIN, AUX, "--pp", "2", "--micro-batches", "1"), VL_OK);
    assert_refused(PARSE(VL_TRAIN, AUX, "--pp", "2"), VL_EINVAL, "layout_aux_waits", "afab");
    assert_refused(PARSE(VL_TRAIN, AUX, "--accumulate", "2"), VL_EINVAL, "layout_aux_waits",
                   "afab");
    assert_refused(PARSE(VL_TRAIN, AUX, "--aux-scope", "all"), VL_EINVAL, "option_value",
                   "--aux-scope");
    assert_refused(PARSE(VL_TRAIN, "--experts", "4", "--aux-alpha", "1"), VL_EINVAL,
                   "layout_no_aux", "--aux-alpha");
    assert_refused(PARSE(VL_TRAIN, "--interference"), VL_EINVAL, "layout_no_experts",
                   "--interference");
    assert_refused(PARSE(VL_SAMPLE, "--dp", "2"), VL_EINVAL, "option_unknown", "--dp");
#undef AUX
}

static void with_takes_labs_alone(void **state)
{
    (void)state;
    assert_int_equal(PARSE(VL_TRAIN, "--with", "labs"), VL_OK);
    assert_refused(PARSE(VL_TRAIN, "--with"), VL_EINVAL, "option_value", "--with");
    assert_refused(PARSE(VL_TRAIN, "--with", "mine"), VL_EINVAL, "option_value", "labs");
    assert_refused(PARSE(VL_EVAL, "--checkpoint", "c", "--with", "labs"), VL_EINVAL,
                   "option_unknown", "--with");
}

static void batches_that_cannot_be_shared_are_refused(void **state)
{
    (void)state;
    assert_refused(PARSE(VL_TRAIN, "--dp", "9"), VL_ESHAPE, "layout_rows", "9");
    assert_refused(PARSE(VL_TRAIN, "--dp", "4", "--accumulate", "3"), VL_ESHAPE,
                   "layout_micro_batches", "3");
    assert_refused(PARSE(VL_TRAIN, "--zero", "4"), VL_EINVAL, "option_value", "--zero");
    assert_refused(PARSE(VL_TRAIN, "--dp", "2", "--zero", "1", "--flat"), VL_EINVAL, "layout_zero",
                   "--flat");
    assert_refused(PARSE(VL_TRAIN, "--flat", "--bucket", "4096"), VL_EINVAL, "layout_flat",
                   "--bucket");
    /* uneven shares are fine; with --resume the batch is not known yet */
    assert_int_equal(PARSE(VL_TRAIN, "--dp", "3", "--accumulate", "2", "--zero", "3"), VL_OK);
    assert_int_equal(PARSE(VL_TRAIN, "--dp", "64", "--resume", "c"), VL_OK);
}

static void experts_are_chosen_and_shared_as_far_as_they_go(void **state)
{
    (void)state;
    assert_int_equal(
        PARSE(VL_TRAIN, "--experts", "8", "--dp", "2", "--ep", "4", "--pp", "2", "--batch", "16"),
        VL_OK);
    assert_int_equal(vl_options_ranks(&options), 16);
    assert_int_equal(vl_options_replicas(&options), 8);
    assert_int_equal(options.experts.chosen, 2);
    assert_int_equal(options.shape.ff, 128); /* 352 / 3, rounded up to a multiple of 32 */
    assert_true(vl_options_bias_speed(&options) == 0.001f);
    assert_int_equal(PARSE(VL_TRAIN, "--experts", "8", "--top-k", "8", "--ff", "40"), VL_OK);
    assert_int_equal(options.shape.ff, 40);
    assert_int_equal(PARSE(VL_TRAIN, "--experts", "1", "--balance", "none"), VL_OK);
    assert_int_equal(options.experts.chosen, 1);
    assert_true(vl_options_bias_speed(&options) == 0.0f);
    assert_refused(PARSE(VL_TRAIN, "--experts", "4", "--top-k", "5"), VL_EINVAL, "layout_chosen",
                   "5");
    assert_refused(PARSE(VL_TRAIN, "--experts", "6", "--ep", "4"), VL_ESHAPE, "layout_experts",
                   "--ep");
    /* F of one expert: 128 of its own, 352 in a dense model */
    assert_int_equal(
        PARSE(VL_TRAIN, "--experts", "4", "--tp", "2", "--ep", "2", "--sequence-parallel"), VL_OK);
    assert_int_equal(vl_options_ranks(&options), 4);
    assert_refused(PARSE(VL_TRAIN, "--experts", "4", "--ff", "90", "--tp", "4"), VL_ESHAPE,
                   "layout_ff", "90");
    assert_refused(PARSE(VL_TRAIN, "--experts", "4", "--balance", "fair"), VL_EINVAL,
                   "option_value", "--balance");
    assert_refused(PARSE(VL_TRAIN, "--experts", "4", "--balance", "none", "--bias-speed", "0.1"),
                   VL_EINVAL, "layout_no_bias", "--bias-speed");
    assert_refused(PARSE(VL_TRAIN, "--experts", "4", "--dp", "4", "--ep", "4"), VL_ESHAPE,
                   "layout_rows", "16");
    static const char *const alone[] = {"--ep", "--top-k", "--bias-speed"};
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++)
        assert_refused(PARSE(VL_TRAIN, alone[i], "1"), VL_EINVAL, "layout_no_experts", alone[i]);
    /* a file may have experts */
    assert_int_equal(PARSE(VL_TRAIN, "--ep", "2", "--resume", "c"), VL_OK);
}

static void recomputation_has_three_modes(void **state)
{
    (void)state;
    assert_refused(PARSE(VL_TRAIN, "--recompute", "some"), VL_EINVAL, "option_value",
                   "--recompute");
    assert_int_equal(PARSE(VL_TRAIN, "--recompute", "full"), VL_OK);
    assert_int_equal(vl_options_recompute(&options), VL_RECOMPUTE_FULL);
    assert_int_equal(PARSE(VL_TRAIN, "--steps", "1"), VL_OK);
    assert_int_equal(vl_options_recompute(&options), VL_RECOMPUTE_NONE);
}

static void a_rank_for_every_part_of_the_layout_is_started(void **state)
{
    (void)state;
    const struct vl_options replicas = {.replicas = 5}, eval = {0};
    assert_int_equal(vl_options_ranks(&replicas), 5);
    assert_int_equal(vl_options_ranks(&eval), 1);
    assert_int_equal(PARSE(VL_TRAIN, "--dp", "2", "--tp", "4", "--pp", "3", "--batch", "12"),
                     VL_OK);
    assert_int_equal(vl_options_ranks(&options), 24);
    assert_refused(PARSE(VL_TRAIN, "--dp", "128", "--tp", "4", "--batch", "128"), VL_EINVAL,
                   "layout_ranks", "512");
}

static void matrices_that_cannot_be_shared_evenly_are_refused(void **state)
{
    (void)state;
    assert_refused(PARSE(VL_TRAIN, "--tp", "8"), VL_ESHAPE, "layout_heads", "8");
    assert_refused(PARSE(VL_TRAIN, "--tp", "4", "--ff", "90"), VL_ESHAPE, "layout_ff", "90");
    assert_refused(PARSE(VL_TRAIN, "--tp", "3", "--heads", "6", "--width", "132", "--ff", "9"),
                   VL_ESHAPE, "layout_vocabulary", "256");
    assert_refused(PARSE(VL_TRAIN, "--tp", "4", "--sequence", "30", "--sequence-parallel"),
                   VL_ESHAPE, "layout_sequence", "30");
    assert_int_equal(PARSE(VL_TRAIN, "--tp", "4", "--sequence", "30"), VL_OK);
    assert_int_equal(PARSE(VL_TRAIN, "--tp", "4", "--sequence-parallel"), VL_OK);
    assert_refused(PARSE(VL_TRAIN, "--sequence-parallel"), VL_EINVAL, "layout_sequence_alone",
                   "--tp");
    /* the shape may still come from a checkpoint: the words are looked at, the sizes are not */
    assert_int_equal(PARSE(VL_TRAIN, "--tp", "8", "--resume", "c"), VL_OK);
    assert_refused(PARSE(VL_TRAIN, "--sequence-parallel", "--resume", "c"), VL_EINVAL,
                   "layout_sequence_alone", "--tp");
}

static void micro_batches_and_accumulate_mean_the_same(void **state)
{
    (void)state;
    assert_int_equal(PARSE(VL_TRAIN, "--micro-batches", "4"), VL_OK);
    assert_int_equal(options.accumulate, 4);
    assert_int_equal(PARSE(VL_TRAIN, "--pp", "2", "--accumulate", "3"), VL_OK);
    assert_int_equal(options.accumulate, 3);
    assert_refused(PARSE(VL_TRAIN, "--micro-batches", "4", "--accumulate", "4"), VL_EINVAL,
                   "layout_counted_twice", "--accumulate");
    assert_refused(PARSE(VL_TRAIN, "--micro-batches", "9"), VL_ESHAPE, "layout_micro_batches",
                   "--micro-batches");
    assert_refused(PARSE(VL_TRAIN, "--pp", "2", "--dp", "2", "--micro-batches", "5"), VL_ESHAPE,
                   "layout_micro_batches", "5");
}

static void a_pipeline_has_twice_as_many_micro_batches_as_stages_if_it_can(void **state)
{
    (void)state;
    assert_int_equal(PARSE(VL_TRAIN, "--pp", "4"), VL_OK);
    assert_int_equal(options.accumulate, 8);
    assert_int_equal(PARSE(VL_TRAIN, "--pp", "4", "--batch", "7"), VL_OK);
    assert_int_equal(options.accumulate, 4);
    assert_refused(PARSE(VL_TRAIN, "--pp", "4", "--dp", "2", "--batch", "7"), VL_ESHAPE,
                   "layout_rows_for_stages", "3");
    assert_int_equal(
        PARSE(VL_TRAIN, "--pp", "4", "--dp", "2", "--batch", "7", "--micro-batches", "3"), VL_OK);
    /* found again once a checkpoint has said how large the batch is */
    assert_int_equal(PARSE(VL_TRAIN, "--pp", "4", "--resume", "c"), VL_OK);
    options.batch = 5;
    assert_int_equal(vl_options_settle_layout(&options, &problem), VL_OK);
    assert_int_equal(options.accumulate, 4);
    options.batch = 3;
    assert_refused(vl_options_settle_layout(&options, &problem), VL_ESHAPE,
                   "layout_rows_for_stages", "3");
}

static void schedules_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    static const char *const lonely[][2] = {
        {"--schedule", "afab"}, {"--chunks", "2"}, {"--stage-layers", "2,2"}};
    assert_int_equal(PARSE(VL_TRAIN, "--steps", "1"), VL_OK);
    assert_null(options.schedule);
    for (size_t i = 0; i < sizeof lonely / sizeof *lonely; i++)
        assert_refused(PARSE(VL_TRAIN, lonely[i][0], lonely[i][1]), VL_EINVAL, "layout_no_pipeline",
                       lonely[i][0]);
    assert_int_equal(PARSE(VL_TRAIN, "--pp", "2"), VL_OK);
    assert_string_equal(options.schedule, "1f1b");
    assert_int_equal(options.chunks, 1);
    assert_int_equal(PARSE(VL_TRAIN, "--pp", "2", "--chunks", "2"), VL_OK);
    assert_string_equal(options.schedule, "interleaved");
    assert_refused(PARSE(VL_TRAIN, "--pp", "2", "--chunks", "2", "--micro-batches", "3"), VL_ESHAPE,
                   "layout_schedule", "3");
    static const char *const whole[] = {"afab", "1f1b", "zb-h1"};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(PARSE(VL_TRAIN, "--pp", "2", "--schedule", whole[i]), VL_OK);
        assert_refused(PARSE(VL_TRAIN, "--pp", "2", "--chunks", "2", "--schedule", whole[i]),
                       VL_ESHAPE, "layout_schedule", whole[i]);
    }
    assert_refused(PARSE(VL_TRAIN, "--pp", "65"), VL_EINVAL, "option_value", "--pp");
}

/* Nothing is read here, so what a file leaves open stays open until the trainer has read it. */
static void a_schedule_from_a_file_says_its_own_sizes(void **state)
{
    (void)state;
    assert_int_equal(PARSE(VL_TRAIN, "--pp", "2", "--schedule", "mine.txt"), VL_OK);
    assert_int_equal(options.accumulate, 0);
    assert_int_equal(options.chunks, 0);
    vl_options_take_schedule(&options, 2, 5);
    assert_int_equal(vl_options_settle_layout(&options, &problem), VL_OK);
    assert_int_equal(options.accumulate, 5);
    assert_int_equal(options.chunks, 2);
    vl_options_take_schedule(&options, 3, 5);
    assert_refused(vl_options_settle_layout(&options, &problem), VL_ESHAPE, "layout_stages", "6");
    vl_options_take_schedule(&options, 1, 9);
    assert_refused(vl_options_settle_layout(&options, &problem), VL_ESHAPE, "layout_micro_batches",
                   "9");
}

static void every_layer_has_one_stage_and_every_stage_a_layer(void **state)
{
    (void)state;
    size_t layers[4];
    assert_int_equal(PARSE(VL_TRAIN, "--pp", "3"), VL_OK);
    assert_int_equal(vl_options_stage_layers(layers, &options, &problem), VL_OK);
    assert_true(layers[0] == 2 && layers[1] == 1 && layers[2] == 1);
    assert_int_equal(
        PARSE(VL_TRAIN, "--pp", "2", "--chunks", "2", "--layers", "15", "--stage-layers=10,1,1,3"),
        VL_OK);
    assert_int_equal(vl_options_stage_layers(layers, &options, &problem), VL_OK);
    assert_true(layers[0] == 10 && layers[1] == 1 && layers[2] == 1 && layers[3] == 3);
    static const char *const wrong[] = {"4,0", ",4", "4,",   "4,,4", "2, 2",
                                        "2;2", "x",  "-2,6", "2.2",  "9999999,1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_refused(PARSE(VL_TRAIN, "--pp", "2", "--stage-layers", wrong[i]), VL_EINVAL,
                       "option_value", "--stage-layers");
    assert_refused(PARSE(VL_TRAIN, "--pp", "2", "--stage-layers", "4"), VL_ESHAPE,
                   "layout_stage_count", "2");
    assert_refused(PARSE(VL_TRAIN, "--pp", "2", "--stage-layers", "1,1,1,1"), VL_ESHAPE,
                   "layout_stage_count", "4");
    assert_refused(PARSE(VL_TRAIN, "--pp", "2", "--stage-layers", "3,2"), VL_ESHAPE,
                   "layout_stage_sum", "5");
    assert_refused(PARSE(VL_TRAIN, "--pp", "5"), VL_ESHAPE, "layout_stages", "5");
    assert_refused(PARSE(VL_TRAIN, "--pp", "2", "--chunks", "3"), VL_ESHAPE, "layout_stages", "6");
}

static void sizes_that_do_not_fit_together_are_refused(void **state)
{
    (void)state;
    assert_refused(PARSE(VL_TRAIN, "--width", "100", "--heads", "3"), VL_ESHAPE, "shape_heads",
                   "100");
    assert_refused(PARSE(VL_TRAIN, "--width", "12", "--heads", "4"), VL_ESHAPE, "shape_head_width",
                   "12");
    /* the other half may come from the checkpoint */
    assert_int_equal(PARSE(VL_TRAIN, "--width", "100", "--heads", "3", "--resume", "c"), VL_OK);
}

static void warmup_past_the_horizon_is_refused_only_if_asked_for(void **state)
{
    (void)state;
    assert_refused(PARSE(VL_TRAIN, "--horizon", "10", "--warmup", "11"), VL_EINVAL, "warmup_long",
                   "--warmup");
    assert_int_equal(PARSE(VL_TRAIN, "--horizon", "10"), VL_OK);
    assert_true(options.warmup <= options.horizon);
}

static void eval_and_sample_need_a_checkpoint(void **state)
{
    (void)state;
    assert_refused(PARSE(VL_EVAL, "--data", "x"), VL_EINVAL, "option_missing", "--checkpoint");
    assert_refused(PARSE(VL_SAMPLE, "--bytes", "5"), VL_EINVAL, "option_missing", "--checkpoint");
    assert_int_equal(PARSE(VL_EVAL, "--checkpoint", "c", "--json"), VL_OK);
    assert_int_equal(options.json, 1);
    assert_int_equal(options.loads, 0);
    assert_int_equal(PARSE(VL_EVAL, "--checkpoint", "c", "--loads"), VL_OK);
    assert_int_equal(options.loads, 1);
    assert_int_equal(PARSE(VL_SAMPLE, "--checkpoint", "c", "--prompt", "", "--temperature", "0"),
                     VL_OK);
    assert_string_equal(options.prompt, "");
    assert_int_equal(PARSE(VL_SAMPLE, "--checkpoint", "c", "--prompt=--x"), VL_OK);
    assert_string_equal(options.prompt, "--x");
}

static void message_stays_fit_to_be_shown_whatever_was_typed(void **state)
{
    (void)state;
    char word[3000];
    memset(word, 0xff, sizeof word - 1);
    word[sizeof word - 1] = '\0';
    assert_int_equal(PARSE(VL_TRAIN, word), VL_EINVAL);
    assert_true(strlen(problem.message) < sizeof problem.message);
    assert_null(strchr(problem.message, '\xff'));
    assert_refused(PARSE(VL_TRAIN, "a\033[2Jb"), VL_EINVAL, "option_unknown", "a\xef\xbf\xbd[2Jb");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_a_small_model_that_fits_together),
        cmocka_unit_test(values_stand_after_a_blank_or_an_equals_sign),
        cmocka_unit_test(feed_forward_width_follows_the_width_unless_given),
        cmocka_unit_test(numbers_outside_their_range_or_misspelt_are_refused),
        cmocka_unit_test(option_without_its_value_is_refused),
        cmocka_unit_test(unknown_options_and_stray_words_are_refused),
        cmocka_unit_test(the_auxiliary_loss_is_asked_where_it_can_be_known),
        cmocka_unit_test(with_takes_labs_alone),
        cmocka_unit_test(batches_that_cannot_be_shared_are_refused),
        cmocka_unit_test(experts_are_chosen_and_shared_as_far_as_they_go),
        cmocka_unit_test(recomputation_has_three_modes),
        cmocka_unit_test(a_rank_for_every_part_of_the_layout_is_started),
        cmocka_unit_test(matrices_that_cannot_be_shared_evenly_are_refused),
        cmocka_unit_test(micro_batches_and_accumulate_mean_the_same),
        cmocka_unit_test(a_pipeline_has_twice_as_many_micro_batches_as_stages_if_it_can),
        cmocka_unit_test(schedules_that_do_not_fit_are_refused),
        cmocka_unit_test(a_schedule_from_a_file_says_its_own_sizes),
        cmocka_unit_test(every_layer_has_one_stage_and_every_stage_a_layer),
        cmocka_unit_test(sizes_that_do_not_fit_together_are_refused),
        cmocka_unit_test(warmup_past_the_horizon_is_refused_only_if_asked_for),
        cmocka_unit_test(eval_and_sample_need_a_checkpoint),
        cmocka_unit_test(message_stays_fit_to_be_shown_whatever_was_typed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
