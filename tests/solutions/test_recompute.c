/*
 * The reference of lab 05: the edges of its contracts alone, and in the engine, where all modes
 * must give the same bits and keep the bytes that the closed form says.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "engine/model/model.h"
#include "vialata/budget.h"
#include "vialata/recompute.h"

enum { MODES = 3, KINDS = 3, ROWS = 5, LAYERS = 3, T = 7 };
static const enum vl_recompute none_such = (enum vl_recompute)3;
static const struct vl_shape small = {
    .layers = LAYERS, .width = 12, .heads = 2, .ff = 20, .vocabulary = 17, .sequence = T};

/* ---- slots ---- */

static void slots_are_those_of_the_header(void **state)
{
    (void)state;
    static const int shared[MODES][KINDS] = {{0, 0, 0}, {0, 1, 0}, {0, 1, 1}};
    for (int mode = 0; mode < MODES; mode++)
        for (int kind = 0; kind < KINDS; kind++)
            for (size_t layers = 1; layers <= 5; layers++) {
                enum vl_recompute m = (enum vl_recompute)mode;
                enum vl_saved_kind k = (enum vl_saved_kind)kind;
                size_t slots = 99, slot = 99;
                assert_int_equal(vl_recompute_slots(&slots, m, k, layers), VL_OK);
                assert_int_equal(slots, shared[mode][kind] ? 1 : layers);
                for (size_t layer = 0; layer < layers; layer++) {
                    assert_int_equal(vl_recompute_slot(&slot, m, k, layer, layers), VL_OK);
                    assert_int_equal(slot, shared[mode][kind] ? 0 : layer);
                }
            }
}

static void what_is_no_mode_kind_or_layer_is_refused(void **state)
{
    (void)state;
    const enum vl_saved_kind no_kind = (enum vl_saved_kind)3;
    size_t slots = 99;
    assert_int_equal(vl_recompute_slots(&slots, none_such, VL_SAVED_REST, 2), VL_EINVAL);
    assert_int_equal(vl_recompute_slots(&slots, VL_RECOMPUTE_FULL, no_kind, 2), VL_EINVAL);
    assert_int_equal(vl_recompute_slots(&slots, VL_RECOMPUTE_FULL, VL_SAVED_REST, 0), VL_EINVAL);
    assert_int_equal(vl_recompute_slot(&slots, none_such, VL_SAVED_REST, 0, 2), VL_EINVAL);
    assert_int_equal(vl_recompute_slot(&slots, VL_RECOMPUTE_NONE, no_kind, 0, 2), VL_EINVAL);
    assert_int_equal(vl_recompute_slot(&slots, VL_RECOMPUTE_FULL, VL_SAVED_REST, 2, 2), VL_EINVAL);
    assert_int_equal(vl_recompute_slot(&slots, VL_RECOMPUTE_FULL, VL_SAVED_REST, 0, 0), VL_EINVAL);
    assert_int_equal(slots, 99);
}

/* ---- restore ---- */

struct calls {
    int forward, attention;
    enum vl_status answer;
};

static enum vl_status count_forward(void *context)
{
    struct calls *calls = context;
    calls->forward++;
    return calls->answer;
}

static enum vl_status count_attention(void *context)
{
    struct calls *calls = context;
    calls->attention++;
    return calls->answer;
}

static struct calls restored(enum vl_recompute mode, size_t layer, size_t layers,
                             enum vl_status answer, enum vl_status expected)
{
    struct calls calls = {.answer = answer};
    const struct vl_layer_again again = {&calls, layer, layers, count_forward, count_attention};
    assert_int_equal(vl_recompute_restore(&again, mode), expected);
    return calls;
}

static void a_layer_is_restored_once_unless_it_is_still_there(void **state)
{
    (void)state;
    for (size_t layers = 1; layers <= 4; layers++)
        for (size_t layer = 0; layer < layers; layer++) {
            int forgotten = layer + 1 < layers;
            struct calls none = restored(VL_RECOMPUTE_NONE, layer, layers, VL_OK, VL_OK);
            struct calls some = restored(VL_RECOMPUTE_SELECTIVE, layer, layers, VL_OK, VL_OK);
            struct calls full = restored(VL_RECOMPUTE_FULL, layer, layers, VL_OK, VL_OK);
            assert_int_equal(none.forward + none.attention, 0);
            assert_int_equal(some.forward, 0);
            assert_int_equal(some.attention, forgotten);
            assert_int_equal(full.forward, forgotten);
            assert_int_equal(full.attention, 0);
        }
}

static void a_failure_is_handed_on_and_a_mode_that_is_none_calls_nothing(void **state)
{
    (void)state;
    restored(VL_RECOMPUTE_SELECTIVE, 0, 2, VL_ENOMEM, VL_ENOMEM);
    restored(VL_RECOMPUTE_FULL, 0, 2, VL_ESHAPE, VL_ESHAPE);
    for (size_t layer = 0; layer < 2; layer++) {
        struct calls calls = restored(none_such, layer, 2, VL_OK, VL_EINVAL);
        assert_int_equal(calls.forward + calls.attention, 0);
    }
}

/* ---- the closed forms ---- */

static void counts_do_not_overflow_thirty_two_bits(void **state)
{
    (void)state;
    const struct vl_shape gpt3 = {96, 12288, 96, 49152, 50257, 2048};
    struct vl_activation_count count;
    assert_int_equal(vl_activation_count(&count, &gpt3, 1536), VL_OK);
    assert_true(count.input == 38654705664ull);
    assert_true(count.probs == 618475290624ull);
    assert_true(count.rest == 3145728ull * (2 + 7 * 12288 + 3 * 49152));
}

static void no_rows_leave_nothing_and_no_layers_are_refused(void **state)
{
    (void)state;
    struct vl_shape shape = small;
    enum vl_recompute mode = VL_RECOMPUTE_FULL;
    uint64_t bytes = 99;
    double flops;
    assert_int_equal(vl_recompute_bytes(&bytes, VL_RECOMPUTE_NONE, &shape, 0), VL_OK);
    assert_int_equal(bytes, 0);
    assert_int_equal(vl_recompute_bytes(&bytes, none_such, &shape, 1), VL_EINVAL);
    assert_int_equal(vl_recompute_flops(&flops, none_such, &shape), VL_EINVAL);
    shape.layers = 0;
    assert_int_equal(vl_recompute_bytes(&bytes, VL_RECOMPUTE_NONE, &shape, 1), VL_EINVAL);
    assert_int_equal(vl_recompute_choose(&mode, &shape, 1, UINT64_MAX), VL_EINVAL);
    assert_int_equal(mode, VL_RECOMPUTE_FULL);
}

static void one_layer_keeps_and_adds_the_same_in_all_modes(void **state)
{
    (void)state;
    struct vl_shape shape = small;
    uint64_t bytes[MODES];
    shape.layers = 1;
    for (int mode = 0; mode < MODES; mode++) {
        double flops = -1;
        assert_int_equal(vl_recompute_bytes(&bytes[mode], (enum vl_recompute)mode, &shape, 2),
                         VL_OK);
        assert_int_equal(vl_recompute_flops(&flops, (enum vl_recompute)mode, &shape), VL_OK);
        assert_true(bytes[mode] == bytes[0] && flops == 0);
    }
}

static void the_cheapest_mode_that_fits_is_chosen_to_the_byte(void **state)
{
    (void)state;
    for (int mode = 0; mode < MODES; mode++) {
        enum vl_recompute chosen = none_such;
        uint64_t bytes;
        assert_int_equal(vl_recompute_bytes(&bytes, (enum vl_recompute)mode, &small, 2), VL_OK);
        assert_int_equal(vl_recompute_choose(&chosen, &small, 2, bytes), VL_OK);
        assert_int_equal(chosen, mode);
        chosen = none_such;
        enum vl_status status = vl_recompute_choose(&chosen, &small, 2, bytes - 1);
        assert_int_equal(status, mode == VL_RECOMPUTE_FULL ? VL_ENOMEM : VL_OK);
        assert_int_equal(chosen, mode + 1); /* after full: untouched, which is none_such */
    }
}

/* Forward once more is a third of the layers' forward and backward, without the last layer. */
static void the_prediction_is_what_the_closed_forms_say(void **state)
{
    (void)state;
    const struct vl_shape shape = {4, 128, 4, 352, 256, 128};
    struct vl_recompute_prediction sealed;
    uint64_t bytes[MODES];
    double added, step, head = 6.0 * 128 * 256;
    assert_int_equal(vl_predict_recompute(&sealed), VL_OK);
    for (int mode = 0; mode < MODES; mode++)
        assert_int_equal(vl_recompute_bytes(&bytes[mode], (enum vl_recompute)mode, &shape, 8),
                         VL_OK);
    assert_true(sealed.none_bytes == bytes[VL_RECOMPUTE_NONE]);
    assert_true(sealed.selective_bytes == bytes[VL_RECOMPUTE_SELECTIVE]);
    assert_true(sealed.full_bytes == bytes[VL_RECOMPUTE_FULL]);
    assert_int_equal(vl_recompute_flops(&added, VL_RECOMPUTE_FULL, &shape), VL_OK);
    assert_int_equal(vl_flops_per_token(&step, &shape), VL_OK);
    assert_true(fabs(sealed.full_share - added / step) < 5e-5);
    assert_true(fabs(added - (step - head) / 3 * 3 / 4) < 1e-6 * added);
}

static void the_rule_gives_the_literatures_figures(void **state)
{
    (void)state;
    const struct vl_shape gpt3 = {96, 12288, 96, 49152, 50257, 2048};
    double bytes;
    assert_int_equal(vl_activation_rule_bytes(&bytes, &gpt3, 1), VL_OK);
    assert_true(bytes == 2048.0 * 12288.0 * 114.0);
}

/* ---- in the engine ---- */

struct run {
    struct vl_model *model;
    double loss;
};

/* Forward and backward of ROWS rows, unequal micro-batches if they do not divide. */
static struct run run_in(enum vl_recompute mode, size_t micro_batches)
{
    struct run run = {0};
    int32_t tokens[ROWS * T], targets[ROWS * T];
    size_t most = (ROWS + micro_batches - 1) / micro_batches;
    assert_int_equal(vl_model_create_within(&run.model, &small, most, VL_MODEL_LEARNS, mode),
                     VL_OK);
    vl_model_initialise(run.model, 5);
    struct vl_learner *l = vl_model_learner(run.model);
    for (size_t i = 0; i < l->count; i++)
        l->weights[i] += 0.25f * vl_random_normal(5, 99, i);
    for (size_t i = 0; i < ROWS * T; i++) {
        tokens[i] = (int32_t)vl_random_below(17, 6, 0, i);
        targets[i] = (int32_t)vl_random_below(17, 6, 1, i);
    }
    const struct vl_model_batch batch = {tokens, targets, ROWS, micro_batches, ROWS};
    assert_int_equal(vl_model_set_part(run.model, &batch), VL_OK);
    memset(l->gradients, 0, l->count * sizeof *l->gradients);
    for (size_t k = 0; k < micro_batches; k++) {
        double loss = 0;
        assert_int_equal(l->forward(l->model, k, &loss), VL_OK);
        assert_int_equal(l->backward(l->model, k), VL_OK);
        run.loss += loss;
    }
    return run;
}

static void all_modes_give_the_same_bits(void **state)
{
    (void)state;
    static const size_t counts[] = {1, 2, 3, ROWS};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        struct run none = run_in(VL_RECOMPUTE_NONE, counts[i]);
        struct vl_learner *kept = vl_model_learner(none.model);
        for (int mode = 1; mode < MODES; mode++) {
            struct run again = run_in((enum vl_recompute)mode, counts[i]);
            struct vl_learner *l = vl_model_learner(again.model);
            assert_true(again.loss == none.loss && isfinite(none.loss));
            assert_memory_equal(l->gradients, kept->gradients, l->count * sizeof *l->gradients);
            vl_model_free(again.model);
        }
        vl_model_free(none.model);
    }
}

static void the_engine_keeps_the_bytes_of_the_closed_form(void **state)
{
    (void)state;
    size_t whole[MODES];
    for (int mode = 0; mode < MODES; mode++)
        for (size_t rows = 1; rows <= 3; rows++) {
            struct vl_model *model;
            uint64_t bytes;
            enum vl_recompute m = (enum vl_recompute)mode;
            assert_int_equal(vl_model_create_within(&model, &small, rows, VL_MODEL_LEARNS, m),
                             VL_OK);
            assert_int_equal(vl_recompute_bytes(&bytes, m, &small, rows), VL_OK);
            assert_int_equal(vl_model_kept_bytes(model), bytes);
            whole[mode] = vl_model_activation_bytes(model);
            assert_true(whole[mode] > bytes);
            vl_model_free(model);
        }
    /* What is forgotten is really given back: the arena itself shrinks. */
    assert_true(whole[VL_RECOMPUTE_NONE] > whole[VL_RECOMPUTE_SELECTIVE]);
    assert_true(whole[VL_RECOMPUTE_SELECTIVE] > whole[VL_RECOMPUTE_FULL]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slots_are_those_of_the_header),
        cmocka_unit_test(what_is_no_mode_kind_or_layer_is_refused),
        cmocka_unit_test(a_layer_is_restored_once_unless_it_is_still_there),
        cmocka_unit_test(a_failure_is_handed_on_and_a_mode_that_is_none_calls_nothing),
        cmocka_unit_test(counts_do_not_overflow_thirty_two_bits),
        cmocka_unit_test(no_rows_leave_nothing_and_no_layers_are_refused),
        cmocka_unit_test(one_layer_keeps_and_adds_the_same_in_all_modes),
        cmocka_unit_test(the_cheapest_mode_that_fits_is_chosen_to_the_byte),
        cmocka_unit_test(the_prediction_is_what_the_closed_forms_say),
        cmocka_unit_test(the_rule_gives_the_literatures_figures),
        cmocka_unit_test(all_modes_give_the_same_bits),
        cmocka_unit_test(the_engine_keeps_the_bytes_of_the_closed_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
