/* The transformer as the engine composes it: gradients, causality, micro-batches, layout. */
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
#include "mpi_alone.h"
#include "vialata/budget.h"
#include "vialata/expert_balance.h"

static const struct vl_shape small = {
    .layers = 2, .width = 12, .heads = 2, .ff = 20, .vocabulary = 17, .sequence = 7};
enum { ROWS = 4 };

struct fixture {
    struct vl_model *model;
    struct vl_auxiliary auxiliary;
    int32_t tokens[ROWS * 7];
    int32_t targets[ROWS * 7];
};

static int set_up_as(void **state, struct vl_expert_shape experts, enum vl_recompute recompute,
                     struct vl_auxiliary auxiliary)
{
    struct fixture *f = calloc(1, sizeof *f);
    const struct vl_model_plan plan = {.shape = small,
                                       .rows = ROWS,
                                       .kind = VL_MODEL_LEARNS,
                                       .recompute = recompute,
                                       .experts = experts,
                                       .auxiliary = auxiliary};
    if (f == NULL || vl_model_create_part(&f->model, &plan) != VL_OK)
        return -1;
    f->auxiliary = auxiliary;
    vl_model_initialise(f->model, 5);
    struct vl_learner *l = vl_model_learner(f->model);
    for (size_t i = 0; i < l->count; i++) /* far from the start, so that every path matters */
        l->weights[i] += 0.25f * vl_random_normal(5, 99, i);
    for (size_t i = 0; i < ROWS * 7; i++) {
        f->tokens[i] = (int32_t)vl_random_below(17, 6, 0, i);
        f->targets[i] = (int32_t)vl_random_below(17, 6, 1, i);
    }
    *state = f;
    return 0;
}

static const struct vl_auxiliary no_loss;

static int set_up(void **state)
{
    return set_up_as(state, (struct vl_expert_shape){0}, VL_RECOMPUTE_NONE, no_loss);
}

static const struct vl_expert_shape two_of_five = {.experts = 5, .chosen = 2, .scale = 1.5f};

static int set_up_experts(void **state)
{
    return set_up_as(state, two_of_five, VL_RECOMPUTE_NONE, no_loss);
}

static int set_up_experts_again(void **state)
{
    return set_up_as(state, two_of_five, VL_RECOMPUTE_FULL, no_loss);
}

/* So large that the auxiliary loss shows in the sum. */
static int set_up_balanced(void **state)
{
    return set_up_as(state, two_of_five, VL_RECOMPUTE_FULL,
                     (struct vl_auxiliary){.alpha = 2.0f, .interference = 1});
}

static int set_up_balanced_by_sequence(void **state)
{
    return set_up_as(state, two_of_five, VL_RECOMPUTE_NONE,
                     (struct vl_auxiliary){.alpha = 2.0f, .scope = VL_BALANCE_SEQUENCE});
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    vl_model_free(f->model);
    free(f);
    return 0;
}

/* The auxiliary loss, from what a forward has counted. */
static double balance_loss_of(const struct fixture *f, struct vl_auxiliary auxiliary)
{
    const struct vl_model_balance *b = vl_model_balance(f->model);
    const struct vl_routing routing = {ROWS * 7, two_of_five.experts, two_of_five.chosen, 1.0f};
    double sum = *b->loss, one;
    for (size_t l = 0; l < b->layers && auxiliary.scope == VL_BALANCE_GLOBAL; l++) {
        assert_int_equal(vl_balance_loss(&one, b->shares + l * 5, b->counts + l * 5, ROWS * 7,
                                         &routing, auxiliary.alpha),
                         VL_OK);
        sum += one;
    }
    return sum;
}

static double loss_of(struct fixture *f)
{
    const struct vl_auxiliary *auxiliary = &f->auxiliary;
    double sum = 0;
    vl_model_clear_load(f->model);
    assert_int_equal(vl_model_loss_sum(&sum, f->model, f->tokens, f->targets, ROWS), VL_OK);
    return sum / (ROWS * 7) + (auxiliary->alpha > 0 ? balance_loss_of(f, *auxiliary) : 0.0);
}

static double gradients_of(struct fixture *f, size_t rows, size_t micro_batches)
{
    struct vl_learner *l = vl_model_learner(f->model);
    double total = 0;
    vl_model_clear_load(f->model);
    memset(l->gradients, 0, l->count * sizeof *l->gradients);
    assert_int_equal(vl_model_set_batch(f->model, f->tokens, f->targets, rows, micro_batches),
                     VL_OK);
    for (size_t k = 0; k < micro_batches; k++) {
        double loss = 0;
        assert_int_equal(l->forward(l->model, k, &loss), VL_OK);
        assert_int_equal(l->backward(l->model, k), VL_OK);
        total += loss;
    }
    return total;
}

static void gradient_matches_finite_differences_of_every_tensor(void **state)
{
    struct fixture *f = *state;
    struct vl_learner *l = vl_model_learner(f->model);
    gradients_of(f, ROWS, 1);
    for (size_t t = 0; t < l->tensor_count; t++) {
        const struct vl_tensor *tensor = &l->tensors[t];
        size_t n = tensor->rows * tensor->cols;
        float *w = l->weights + tensor->offset;
        float *kept = malloc(n * sizeof *kept);
        memcpy(kept, w, n * sizeof *kept);
        /* Along the gradient itself, so that the difference is large against rounding. */
        double slope = 0, square = 0, step;
        for (size_t i = 0; i < n; i++)
            square += pow(l->gradients[tensor->offset + i], 2);
        assert_true(square > 0);
        step = 2e-3 / sqrt(square);
        for (int sign = -1; sign <= 1; sign += 2) {
            for (size_t i = 0; i < n; i++)
                w[i] = kept[i] + (float)(sign * step) * l->gradients[tensor->offset + i];
            slope += sign * loss_of(f);
        }
        memcpy(w, kept, n * sizeof *kept);
        free(kept);
        slope /= 2 * step;
        if (fabs(slope - square) > 5e-3 * square)
            fail_msg("%s: slope %g, gradient says %g", tensor->name, slope, square);
    }
}

/* The two gradients that are kept separately add up to the router's. */
static void what_interferes_is_part_of_the_gradient(void **state)
{
    struct fixture *f = *state;
    const struct vl_model_balance *b = vl_model_balance(f->model);
    const struct vl_layout *layout = vl_model_layout(f->model);
    const struct vl_learner *l = vl_model_learner(f->model);
    size_t n = two_of_five.experts * small.width;
    gradients_of(f, ROWS, 1);
    for (size_t layer = 0; layer < small.layers; layer++) {
        const float *router = vl_layout_router(l->gradients + layout->units[1 + layer], layout);
        const float *against = b->against + layer * 2 * n;
        double auxiliary = 0.0, language_model = 0.0;
        for (size_t i = 0; i < n; i++) {
            assert_true(fabsf(against[i] + against[n + i] - router[i]) <= 1e-6f);
            auxiliary += pow((double)against[i], 2);
            language_model += pow((double)against[n + i], 2);
        }
        assert_true(auxiliary > 0.0 && language_model > 0.0);
    }
}

/* A batch has N k choices per layer, counted once, however often a layer is computed. */
static void choices_are_counted_once(void **state)
{
    struct fixture *f = *state;
    const struct vl_model_balance *balance = vl_model_balance(f->model);
    gradients_of(f, 1, ROWS);
    assert_int_equal(balance->layers, 2);
    for (size_t layer = 0; layer < balance->layers; layer++) {
        double sum = 0.0;
        for (size_t e = 0; e < 5; e++)
            sum += balance->counts[layer * 5 + e];
        assert_true(sum == ROWS * 7 * 2);
    }
}

/* A bias that is large enough decides who is chosen. */
static void the_bias_chooses(void **state)
{
    struct fixture *f = *state;
    const struct vl_model_balance *balance = vl_model_balance(f->model);
    balance->bias[3] = 10.0f;
    balance->bias[4] = 10.0f;
    gradients_of(f, ROWS, 1);
    assert_true(balance->counts[3] == ROWS * 7 && balance->counts[4] == ROWS * 7);
    assert_true(balance->counts[0] == 0.0);
}

static void micro_batches_add_up_to_the_whole_batch(void **state)
{
    struct fixture *f = *state;
    struct vl_learner *l = vl_model_learner(f->model);
    double whole = gradients_of(f, ROWS, 1);
    float *kept = malloc(l->count * sizeof *kept);
    memcpy(kept, l->gradients, l->count * sizeof *kept);
    double parts = gradients_of(f, 1, ROWS);
    double difference = 0, size = 0;
    for (size_t i = 0; i < l->count; i++) {
        difference += pow(l->gradients[i] - kept[i], 2);
        size += pow(kept[i], 2);
    }
    free(kept);
    assert_true(fabs(whole - parts) < 1e-6 * whole);
    assert_true(sqrt(difference) < 1e-5 * sqrt(size));
}

static void a_prefix_has_the_logits_of_the_longer_sequence(void **state)
{
    struct fixture *f = *state;
    const float *logits;
    float kept[3 * 17];
    assert_int_equal(vl_model_logits(&logits, f->model, f->tokens, 1, 3), VL_OK);
    memcpy(kept, logits, sizeof kept);
    assert_int_equal(vl_model_logits(&logits, f->model, f->tokens, 1, 7), VL_OK);
    for (size_t i = 0; i < 3 * 17; i++)
        assert_true(fabsf(kept[i] - logits[i]) < 1e-5f);
}

static void a_model_that_does_not_learn_gives_the_same_loss(void **state)
{
    struct fixture *f = *state;
    struct vl_model *reader;
    double sum;
    assert_int_equal(vl_model_create(&reader, &small, ROWS, 0), VL_OK);
    struct vl_learner *from = vl_model_learner(f->model), *to = vl_model_learner(reader);
    assert_null(to->gradients);
    memcpy(to->weights, from->weights, from->count * sizeof *from->weights);
    assert_int_equal(vl_model_loss_sum(&sum, reader, f->tokens, f->targets, ROWS), VL_OK);
    assert_true(sum / (ROWS * 7) == loss_of(f));
    assert_true(vl_model_state_bytes(f->model) == 4 * vl_model_state_bytes(reader));
    assert_true(vl_model_activation_bytes(reader) < vl_model_activation_bytes(f->model));
    vl_model_free(reader);
}

static void tensors_cover_all_parameters_without_overlap(void **state)
{
    struct fixture *f = *state;
    struct vl_learner *l = vl_model_learner(f->model);
    uint64_t all, multiplying;
    size_t at = 0;
    for (size_t t = 0; t < l->tensor_count; t++) {
        assert_int_equal(l->tensors[t].offset, at);
        at += l->tensors[t].rows * l->tensors[t].cols;
        assert_int_equal(l->tensors[t].decays != 0, l->tensors[t].rows > 1);
    }
    assert_int_equal(at, l->count);
    assert_int_equal(vl_parameter_count(&all, &multiplying, &small), VL_OK);
    assert_int_equal(at, all);
}

static void a_token_outside_the_vocabulary_stops_the_step_and_keeps_the_weights(void **state)
{
    struct fixture *f = *state;
    struct vl_learner *l = vl_model_learner(f->model);
    float *kept = malloc(l->count * sizeof *kept);
    memcpy(kept, l->weights, l->count * sizeof *kept);
    const struct vl_adamw settings = {1e-2f, 0.9f, 0.95f, 1e-8f, 0.1f};
    struct vl_step_result result;
    f->tokens[5] = 17;
    vl_model_set_batch(f->model, f->tokens, f->targets, ROWS, 1);
    assert_int_equal(vl_training_step(l, 1, &settings, 1.0f, 1, &result), VL_EINVAL);
    assert_memory_equal(kept, l->weights, l->count * sizeof *kept);
    free(kept);
}

static void training_on_one_batch_learns_it_by_heart(void **state)
{
    struct fixture *f = *state;
    const struct vl_adamw settings = {1e-2f, 0.9f, 0.95f, 1e-8f, 0.0f};
    struct vl_step_result result = {0};
    vl_model_initialise(f->model, 1);
    vl_model_set_batch(f->model, f->tokens, f->targets, 2, 2);
    for (uint64_t step = 1; step <= 300; step++)
        assert_int_equal(
            vl_training_step(vl_model_learner(f->model), 2, &settings, 1.0f, step, &result), VL_OK);
    assert_true(result.loss < 0.3); /* from log 17 = 2.83 */
}

static void shapes_that_cannot_be_are_refused(void **state)
{
    (void)state;
    struct vl_model *model;
    struct vl_shape shape = small;
    shape.heads = 5; /* does not divide 12 */
    assert_int_equal(vl_model_create(&model, &shape, 1, 1), VL_ESHAPE);
    shape.heads = 4; /* K = 3 is odd */
    assert_int_equal(vl_model_create(&model, &shape, 1, 1), VL_ESHAPE);
    shape = small;
    shape.layers = 0;
    assert_int_equal(vl_model_create(&model, &shape, 1, 1), VL_ESHAPE);
    assert_int_equal(vl_model_create(&model, &small, 0, 1), VL_ESHAPE);
    assert_null(model);
}

#define WITH_MODEL(test)   cmocka_unit_test_setup_teardown(test, set_up, tear_down)
#define WITH_EXPERTS(test) cmocka_unit_test_setup_teardown(test, set_up_experts, tear_down)
#define AGAIN(test)        cmocka_unit_test_setup_teardown(test, set_up_experts_again, tear_down)
#define BALANCED(test)     cmocka_unit_test_setup_teardown(test, set_up_balanced, tear_down)
#define BY_SEQUENCE(test)                                                                          \
    cmocka_unit_test_setup_teardown(test, set_up_balanced_by_sequence, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_MODEL(gradient_matches_finite_differences_of_every_tensor),
        WITH_MODEL(micro_batches_add_up_to_the_whole_batch),
        WITH_MODEL(a_prefix_has_the_logits_of_the_longer_sequence),
        WITH_MODEL(a_model_that_does_not_learn_gives_the_same_loss),
        WITH_MODEL(tensors_cover_all_parameters_without_overlap),
        WITH_MODEL(a_token_outside_the_vocabulary_stops_the_step_and_keeps_the_weights),
        WITH_MODEL(training_on_one_batch_learns_it_by_heart),
        WITH_EXPERTS(gradient_matches_finite_differences_of_every_tensor),
        AGAIN(gradient_matches_finite_differences_of_every_tensor),
        WITH_EXPERTS(micro_batches_add_up_to_the_whole_batch),
        WITH_EXPERTS(choices_are_counted_once),
        AGAIN(choices_are_counted_once),
        WITH_EXPERTS(the_bias_chooses),
        BALANCED(gradient_matches_finite_differences_of_every_tensor),
        BALANCED(what_interferes_is_part_of_the_gradient),
        BY_SEQUENCE(gradient_matches_finite_differences_of_every_tensor),
        cmocka_unit_test(shapes_that_cannot_be_are_refused),
    };
    begin_mpi(); /* experts' tokens are sent, if only to the rank itself */
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    end_mpi();
    return failed;
}
