/*
 * The oracle's transformer: its gradients against finite differences, its step, and its budget
 * against numbers worked out by hand.
 */
#include "oracle/budget.h"
#include "oracle/transformer.h"

#include "differences.h"

#include <string.h>

enum { ROWS = 2, SEQUENCE = 4, VOCABULARY = 7 };

static const struct vl_oracle_shape shape = {2, 8, 2, 6, VOCABULARY, SEQUENCE};

struct sample {
    struct vl_oracle_transformer model;
    int32_t tokens[ROWS * SEQUENCE], targets[ROWS * SEQUENCE];
};

static struct sample sample(void)
{
    struct sample s;
    assert_int_equal(vl_oracle_transformer_create(&s.model, &shape), VL_OK);
    for (size_t i = 0; i < s.model.count; i++)
        s.model.weights[i] = 0.4 * (double)vl_random_normal(3, 0, i);
    for (size_t i = 0; i < ROWS * SEQUENCE; i++) {
        s.tokens[i] = (int32_t)vl_random_below(VOCABULARY, 3, 1, i);
        s.targets[i] = (int32_t)vl_random_below(VOCABULARY, 3, 2, i);
    }
    return s;
}

static double loss_of(void *context)
{
    struct sample *s = context;
    double loss;
    assert_int_equal(
        vl_oracle_transformer_loss(&loss, &s->model, s->tokens, s->targets, ROWS, 1.0 / 8, 0),
        VL_OK);
    return loss;
}

static void gradients_of_every_tensor_are_the_differences(void **state)
{
    (void)state;
    struct sample s = sample();
    double loss;
    assert_int_equal(
        vl_oracle_transformer_loss(&loss, &s.model, s.tokens, s.targets, ROWS, 1.0 / 8, 1), VL_OK);
    assert_true(loss == loss_of(&s));
    for (size_t i = 0; i < s.model.tensor_count; i++) {
        const struct vl_oracle_tensor *t = &s.model.tensors[i];
        assert_gradient(s.model.gradients + t->offset, s.model.weights + t->offset,
                        t->rows * t->cols, loss_of, &s);
    }
    vl_oracle_transformer_free(&s.model);
}

static void gradients_are_added_to(void **state)
{
    (void)state;
    struct sample s = sample();
    double loss, once;
    vl_oracle_transformer_loss(&loss, &s.model, s.tokens, s.targets, ROWS, 1, 1);
    const double *of_head = s.model.gradients + s.model.count - 1;
    once = *of_head;
    vl_oracle_transformer_loss(&loss, &s.model, s.tokens, s.targets, ROWS, 1, 1);
    assert_true(once != 0 && fabs(*of_head - 2 * once) < 1e-12);
    vl_oracle_transformer_free(&s.model);
}

static void ten_steps_on_one_batch_lower_the_loss(void **state)
{
    (void)state;
    struct sample s = sample();
    const struct vl_oracle_adamw settings = {0.02, 0.9, 0.95, 1e-8, 0.1};
    double first = loss_of(&s), loss, norm;
    for (uint64_t step = 1; step <= 10; step++)
        assert_int_equal(vl_oracle_transformer_step(&loss, &norm, &s.model, s.tokens, s.targets,
                                                    ROWS, &settings, 1, step),
                         VL_OK);
    assert_true(loss_of(&s) < 0.7 * first);
    assert_true(norm > 0);
    vl_oracle_transformer_free(&s.model);
}

/* With every weight zero all V logits are equal. */
static void loss_of_a_model_that_knows_nothing_is_log_of_the_vocabulary(void **state)
{
    (void)state;
    struct sample s = sample();
    memset(s.model.weights, 0, s.model.count * sizeof *s.model.weights);
    assert_true(fabs(loss_of(&s) - log(VOCABULARY)) < 1e-12);
    vl_oracle_transformer_free(&s.model);
}

static void adamw_by_hand(void **state)
{
    (void)state;
    /* Step 1 from m = v = 0: m^ = g, v^ = g^2, so the change is lr g / (|g| + eps). */
    double w = 2, m = 0, v = 0, g = -3;
    struct vl_oracle_adamw settings = {0.1, 0.9, 0.99, 0.5, 0.25};
    vl_oracle_adamw(&w, &m, &v, &g, 0.5, &settings, 1, 1);
    assert_true(fabs(m - 0.1 * -1.5) < 1e-15 && fabs(v - 0.01 * 2.25) < 1e-15);
    assert_true(fabs(w - (2 - 0.1 * (-1.5 / 2 + 0.5))) < 1e-14);
    assert_true(vl_oracle_gradient_norm((double[]){3, -4}, 2) == 5);
    assert_true(vl_oracle_clip(4, 1) == 0.25 && vl_oracle_clip(4, 0) == 1 &&
                vl_oracle_clip(0.5, 1) == 1);
}

/* The two shapes of the benchmark, worked out with pencil and paper. */
static void parameters_and_operations_are_those_worked_out_by_hand(void **state)
{
    (void)state;
    const struct vl_oracle_shape lab = {4, 256, 4, 704, 512, 128};
    uint64_t all, multiplying;
    double flops;
    /* a layer: 4 * 65536 + 3 * 180224 = 802816; head 131072 */
    assert_int_equal(vl_oracle_parameter_count(&all, &multiplying, &lab), VL_OK);
    assert_int_equal(multiplying, 4 * 802816 + 131072);
    assert_int_equal(all, 4 * 802816 + 2 * 131072 + 9 * 256);
    assert_int_equal(vl_oracle_flops_per_token(&flops, &lab), VL_OK);
    assert_true(flops == 6.0 * 3342336 + 1572864);
    assert_true(fabs(vl_oracle_mfu(1000, 2e6, 1e10) - 0.2) < 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients_of_every_tensor_are_the_differences),
        cmocka_unit_test(gradients_are_added_to),
        cmocka_unit_test(ten_steps_on_one_batch_lower_the_loss),
        cmocka_unit_test(loss_of_a_model_that_knows_nothing_is_log_of_the_vocabulary),
        cmocka_unit_test(adamw_by_hand),
        cmocka_unit_test(parameters_and_operations_are_those_worked_out_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
