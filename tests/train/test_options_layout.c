/* Options that lay a model out over ranks: replicas, tensor groups, experts, stages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "parsed.h"
#include "train/options/options_experts.h"
#include "train/options/options_layout.h"

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
    assert_refused(PARSE(VL_TRAIN, "--dp", "4", "--node-replicas", "2"), VL_EINVAL, "layout_levels",
                   "--flat");
    assert_refused(PARSE(VL_TRAIN, "--dp", "4", "--flat", "--node-replicas", "3"), VL_ESHAPE,
                   "layout_levels", "3");
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
    assert_int_equal(PARSE(VL_TRAIN, "--experts", "8", "--expert-groups", "4"), VL_OK);
    assert_true(options.experts.groups == 4 && options.experts.limit == 4);
    assert_refused(PARSE(VL_TRAIN, "--experts", "8", "--expert-groups", "3"), VL_ESHAPE,
                   "layout_groups", "3");
    assert_refused(PARSE(VL_TRAIN, "--experts", "8", "--group-limit", "3"), VL_EINVAL,
                   "layout_no_groups", "--expert-groups");
    assert_refused(PARSE(VL_TRAIN, "--experts", "8", "--expert-groups", "8", "--group-limit", "1"),
                   VL_EINVAL, "layout_group_limit", "--top-k");
    assert_refused(PARSE(VL_TRAIN, "--experts", "8", "--expert-groups", "2", "--group-limit", "3"),
                   VL_EINVAL, "layout_group_limit", "3");
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
    static const char *const alone[] = {"--ep", "--top-k", "--bias-speed", "--expert-groups",
                                        "--group-limit"};
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++)
        assert_refused(PARSE(VL_TRAIN, alone[i], "1"), VL_EINVAL, "layout_no_experts", alone[i]);
    /* a file may have experts */
    assert_int_equal(PARSE(VL_TRAIN, "--ep", "2", "--resume", "c"), VL_OK);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_auxiliary_loss_is_asked_where_it_can_be_known),
        cmocka_unit_test(batches_that_cannot_be_shared_are_refused),
        cmocka_unit_test(experts_are_chosen_and_shared_as_far_as_they_go),
        cmocka_unit_test(a_rank_for_every_part_of_the_layout_is_started),
        cmocka_unit_test(matrices_that_cannot_be_shared_evenly_are_refused),
        cmocka_unit_test(micro_batches_and_accumulate_mean_the_same),
        cmocka_unit_test(a_pipeline_has_twice_as_many_micro_batches_as_stages_if_it_can),
        cmocka_unit_test(schedules_that_do_not_fit_are_refused),
        cmocka_unit_test(a_schedule_from_a_file_says_its_own_sizes),
        cmocka_unit_test(every_layer_has_one_stage_and_every_stage_a_layer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
