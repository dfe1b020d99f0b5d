/* Options word by word: values, defaults, and what is refused of any command line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "parsed.h"
#include "train/options/option_table.h"

static void defaults_are_a_small_model_that_fits_together(void **state)
{
    (void)state;
    assert_int_equal(vl_options_parse(&options, VL_TRAIN, 0, NULL, &problem), VL_OK);
    assert_int_equal(options.shape.vocabulary, 256);
    assert_int_equal(options.shape.ff, vl_shape_default_ff(options.shape.width));
    assert_int_equal(vl_options_check_shape(&options.shape, &problem), VL_OK);
    for (int option = 0; option < VL_OPTIONS; option++)
        assert_false(vl_options_given(&options, option));
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

static void every_option_is_in_the_table_once(void **state)
{
    (void)state;
    for (const struct vl_option_rule *rule = vl_option_rules; rule->name != NULL; rule++) {
        assert_int_equal(rule->kind == VL_OPTION_SWITCH, rule->value == NULL);
        bool ranged = rule->kind == VL_OPTION_COUNT || rule->kind == VL_OPTION_REAL;
        assert_int_equal(ranged, rule->least < rule->most);
        for (const struct vl_option_rule *other = vl_option_rules; other < rule; other++)
            if (strcmp(other->name, rule->name) == 0 || other->offset == rule->offset ||
                (other->option == rule->option && rule->option != VL_OPTION_OTHER))
                fail_msg("%s and %s are the same", other->name, rule->name);
    }
    for (int option = VL_OPTION_OTHER + 1; option < VL_OPTIONS; option++)
        assert_non_null(vl_option_name(option));
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
        cmocka_unit_test(every_option_is_in_the_table_once),
        cmocka_unit_test(with_takes_labs_alone),
        cmocka_unit_test(recomputation_has_three_modes),
        cmocka_unit_test(sizes_that_do_not_fit_together_are_refused),
        cmocka_unit_test(warmup_past_the_horizon_is_refused_only_if_asked_for),
        cmocka_unit_test(eval_and_sample_need_a_checkpoint),
        cmocka_unit_test(message_stays_fit_to_be_shown_whatever_was_typed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
