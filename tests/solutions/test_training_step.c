/*
 * The reference of lab 01 at the edges of its contracts: sizes around a block of queries, extreme
 * numbers, empty sizes, NaN, and what lies right of the diagonal. (That it is right in general is
 * judged by the lab's own cases.)
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../solutions/01_training_step/fast_exp.h"
#include "base/random.h"
#include "oracle/kernels.h"
#include "vialata/attention.h"
#include "vialata/budget.h"
#include "vialata/cross_entropy.h"
#include "vialata/embedding.h"
#include "vialata/linear.h"
#include "vialata/rmsnorm.h"
#include "vialata/rotary.h"
#include "vialata/swiglu.h"
#include "vialata/training_step.h"

static void *zeroed(size_t n, size_t element)
{
    void *memory = calloc(n, element);
    assert_non_null(memory);
    return memory;
}

static float *normal(size_t n, uint64_t stream)
{
    float *x = zeroed(n, sizeof *x);
    vl_random_fill_normal(x, n, 1.0f, 11, stream, 0);
    return x;
}

static double *widened(const float *x, size_t n)
{
    double *wide = zeroed(n, sizeof *wide);
    for (size_t i = 0; i < n; i++)
        wide[i] = (double)x[i];
    return wide;
}

static void assert_close(const float *x, const double *truth, size_t n)
{
    double error = 0, size = 0;
    for (size_t i = 0; i < n; i++) {
        double difference = (double)x[i] - truth[i];
        error += difference * difference;
        size += truth[i] * truth[i];
    }
    assert_true(sqrt(error) <= 1e-5 * sqrt(size)); /* false for a NaN */
}

/* Both directions for one sequence length; what lies right of the diagonal is NaN on the way back.
 */
static void attention_of(size_t t)
{
    enum { B = 2, H = 3, K = 10 };
    size_t n = B * t * H * K, shares = B * H * t * t;
    float *qkv = normal(3 * n, 1), *dout = normal(n, 2);
    float *out = zeroed(n, sizeof *out), *probs = zeroed(shares, sizeof *probs);
    float *dqkv = zeroed(3 * n, sizeof *dqkv), *scratch = zeroed(t * t, sizeof *scratch);
    double *qkv64 = widened(qkv, 3 * n), *dout64 = widened(dout, n);
    double *out64 = zeroed(n, sizeof *out64), *probs64 = zeroed(shares, sizeof *probs64);
    double *dqkv64 = zeroed(3 * n, sizeof *dqkv64);

    vl_oracle_attention(out64, probs64, qkv64, B, t, H, K);
    vl_oracle_attention_input(dqkv64, dout64, qkv64, probs64, B, t, H, K);
    assert_int_equal(vl_attention_forward(out, probs, qkv, B, t, H, K), VL_OK);
    for (size_t row = 0; row < B * H * t; row++)
        for (size_t j = row % t + 1; j < t; j++)
            probs[row * t + j] = NAN;
    memset(dqkv, 0xff, 3 * n * sizeof *dqkv);
    memset(scratch, 0xff, t * t * sizeof *scratch);
    assert_int_equal(vl_attention_backward_input(dqkv, scratch, dout, qkv, probs, B, t, H, K),
                     VL_OK);
    assert_close(out, out64, n);
    assert_close(dqkv, dqkv64, 3 * n);

    void *all[] = {qkv, dout, out, probs, dqkv, scratch, qkv64, dout64, out64, probs64, dqkv64};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}

static void attention_is_right_around_a_block_and_blind_to_the_future(void **state)
{
    (void)state;
    const size_t lengths[] = {1, 2, 31, 32, 33, 64, 70};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        attention_of(lengths[i]);
}

static void attention_of_large_scores_stays_finite(void **state)
{
    (void)state;
    const float qkv[] = {300, 300, 300, 300, 1, 2, -300, 300, 300, -300, 3, 4};
    float out[4], probs[4];
    assert_int_equal(vl_attention_forward(out, probs, qkv, 1, 2, 1, 2), VL_OK);
    const double truth[] = {1, 2, 1, 2}; /* the second token's own score is far below the first's */
    assert_close(out, truth, 4);
}

static void exponential_is_within_two_units_and_safe_at_the_ends(void **state)
{
    (void)state;
    for (int i = 0; i <= 1400000; i++) {
        float x = -86.0f + (float)i * 1.2e-4f;
        double truth = exp((double)x), y = (double)fast_exp(x);
        assert_true(fabs(y - truth) <= 2 * 0x1p-23 * truth);
    }
    assert_true(fast_exp(-INFINITY) == 0.0f && fast_exp(-1e30f) == 0.0f);
    assert_true(fast_exp(0.0f) == 1.0f && isfinite(fast_exp(88.72f)));
    assert_true(isinf(fast_exp(INFINITY)) && isinf(fast_exp(1e30f)));
    assert_true(isnan(fast_exp(NAN)) && isnan(fast_exp(-NAN)));
}

static void rmsnorm_holds_from_tiny_to_huge_rows(void **state)
{
    (void)state;
    enum { N = 5, D = 37 };
    const float scales[N] = {0.0f, 1e-30f, 1e-3f, 1.0f, 1e25f};
    float *gain = normal(D, 3);
    double *gain64 = widened(gain, D);
    for (size_t i = 0; i < N; i++) {
        float x[D], y[D], inv_rms;
        double x64[D], y64[D], inv64;
        vl_random_fill_normal(x, D, scales[i], 11, 4, 0);
        for (size_t j = 0; j < D; j++)
            x64[j] = (double)x[j];
        vl_oracle_rmsnorm(y64, &inv64, x64, gain64, (double)VL_RMSNORM_EPS, 1, D);
        assert_int_equal(vl_rmsnorm_forward(y, &inv_rms, x, gain, 1, D), VL_OK);
        assert_close(y, y64, D);
        assert_close(&inv_rms, &inv64, 1);
    }
    free(gain);
    free(gain64);
}

static void swiglu_of_extreme_gates_is_their_limit(void **state)
{
    (void)state;
    const float gate_up[] = {-1e4f, -90.0f, 0.0f, 90.0f, 1e4f, 2, 2, 2, 2, 2};
    const float dout[] = {1, 1, 1, 1, 1};
    float out[5], back[10];
    assert_int_equal(vl_swiglu_forward(out, gate_up, 1, 5), VL_OK);
    const double truth[] = {0, 0, 0, 180, 2e4};
    assert_close(out, truth, 5);
    assert_int_equal(vl_swiglu_backward_input(back, dout, gate_up, 1, 5), VL_OK);
    const double gradient[] = {0, 0, 1, 2, 2, 0, 0, 0, 90, 1e4};
    assert_close(back, gradient, 5);
    assert_close(back + 5, gradient + 5, 5);
}

static void cross_entropy_of_large_logits_is_exact_and_may_be_in_place(void **state)
{
    (void)state;
    enum { N = 2, V = 40 };
    float logits[N * V], losses[N], gradient[N * V];
    double logits64[N * V], losses64[N], probs64[N * V], gradient64[N * V];
    const int32_t targets[N] = {0, V - 1};
    vl_random_fill_normal(logits, N * V, 1.0f, 11, 5, 0);
    logits[3] = 5000.0f;      /* the share of the target becomes zero, its loss does not */
    logits[V + 5] = -5000.0f; /* and one that counts for nothing */
    for (size_t i = 0; i < N * V; i++)
        logits64[i] = (double)logits[i];
    vl_oracle_cross_entropy(losses64, probs64, logits64, targets, N, V);
    vl_oracle_cross_entropy_input(gradient64, probs64, targets, 0.5, N, V);
    assert_int_equal(vl_cross_entropy_forward(losses, logits, logits, targets, N, V), VL_OK);
    assert_close(losses, losses64, N);
    assert_close(logits, probs64, N * V);
    assert_int_equal(vl_cross_entropy_backward_input(gradient, logits, targets, 0.5f, N, V), VL_OK);
    assert_close(gradient, gradient64, N * V);
    assert_int_equal(vl_cross_entropy_backward_input(logits, logits, targets, 0.5f, N, V), VL_OK);
    assert_memory_equal(logits, gradient, sizeof logits);
}

static void a_token_outside_the_vocabulary_is_refused_before_anything_is_written(void **state)
{
    (void)state;
    const float table[] = {1, 2, 3, 4};
    const int32_t wrong[2][2] = {{0, 2}, {0, -1}};
    for (size_t i = 0; i < 2; i++) {
        float x[4] = {9, 9, 9, 9}, losses[2] = {9, 9};
        const float before[4] = {9, 9, 9, 9};
        assert_int_equal(vl_embedding_forward(x, table, wrong[i], 2, 2, 2), VL_EINVAL);
        assert_int_equal(vl_embedding_backward_weight(x, table, wrong[i], 2, 2, 2), VL_EINVAL);
        assert_int_equal(vl_cross_entropy_forward(losses, x, table, wrong[i], 2, 2), VL_EINVAL);
        assert_int_equal(vl_cross_entropy_backward_input(x, table, wrong[i], 1, 2, 2), VL_EINVAL);
        assert_memory_equal(x, before, sizeof x);
        assert_memory_equal(losses, before, sizeof losses);
    }
}

static void empty_sizes_are_accepted_and_a_missing_array_is_refused(void **state)
{
    (void)state;
    float a[6] = {7, 7, 7, 7, 7, 7}, b[6] = {0};
    const float zero[6] = {0};
    double norm = 1;
    assert_int_equal(vl_linear_forward(NULL, NULL, NULL, 0, 3, 3), VL_OK);
    assert_int_equal(vl_linear_forward(NULL, NULL, NULL, 3, 3, 0), VL_OK);
    assert_int_equal(vl_linear_forward(a, NULL, NULL, 2, 0, 3), VL_OK);
    assert_memory_equal(a, zero, sizeof a); /* a sum of nothing */
    a[0] = 7;
    assert_int_equal(vl_linear_backward_input(a, NULL, NULL, 2, 3, 0), VL_OK);
    assert_memory_equal(a, zero, sizeof a);
    assert_int_equal(vl_linear_backward_weight(NULL, NULL, NULL, 0, 3, 3), VL_OK);
    assert_int_equal(vl_rmsnorm_forward(NULL, NULL, NULL, NULL, 0, 3), VL_OK);
    assert_int_equal(vl_rmsnorm_backward_input(NULL, NULL, NULL, NULL, NULL, 0, 3), VL_OK);
    assert_int_equal(vl_rmsnorm_backward_weight(NULL, NULL, NULL, NULL, 3, 0), VL_OK);
    assert_int_equal(vl_swiglu_forward(NULL, NULL, 0, 3), VL_OK);
    assert_int_equal(vl_swiglu_backward_input(NULL, NULL, NULL, 3, 0), VL_OK);
    assert_int_equal(vl_attention_forward(NULL, NULL, NULL, 0, 3, 1, 2), VL_OK);
    assert_int_equal(vl_attention_backward_input(NULL, NULL, NULL, NULL, NULL, 1, 0, 1, 2), VL_OK);
    assert_int_equal(vl_cross_entropy_forward(NULL, NULL, NULL, NULL, 0, 3), VL_OK);
    assert_int_equal(vl_gradient_norm(&norm, NULL, 0), VL_OK);
    assert_true(norm == 0);

    assert_int_equal(vl_linear_forward(a, NULL, b, 1, 2, 3), VL_EINVAL);
    assert_int_equal(vl_linear_backward_input(NULL, a, b, 1, 2, 3), VL_EINVAL);
    assert_int_equal(vl_linear_backward_weight(a, b, NULL, 1, 2, 3), VL_EINVAL);
    assert_int_equal(vl_rmsnorm_forward(a, NULL, b, b, 1, 2), VL_EINVAL);
    assert_int_equal(vl_attention_forward(a, b, NULL, 1, 1, 1, 2), VL_EINVAL);
    assert_int_equal(vl_swiglu_forward(a, NULL, 1, 2), VL_EINVAL);
    assert_int_equal(vl_gradient_norm(&norm, NULL, 1), VL_EINVAL);
    assert_int_equal(vl_rotary_table(a, 1, 3), VL_EINVAL); /* pairs turn: no odd head */
}

static void a_nan_stays_a_nan(void **state)
{
    (void)state;
    enum { N = 20 };
    float x[2 * N], y[2 * N], z[2 * N], inv_rms;
    const int32_t target = 1;
    for (size_t i = 0; i < 2 * N; i++)
        x[i] = 1.0f;
    x[3] = NAN;
    assert_int_equal(vl_rmsnorm_forward(y, &inv_rms, x, x, 1, N), VL_OK);
    assert_true(isnan(inv_rms) && isnan(y[0]) && isnan(y[N - 1]));
    assert_int_equal(vl_swiglu_forward(y, x, 1, N), VL_OK);
    assert_true(isnan(y[3]) && !isnan(y[2]));
    assert_int_equal(vl_cross_entropy_forward(z, y, x, &target, 1, N), VL_OK);
    assert_true(isnan(z[0]) && isnan(y[0]) && isnan(y[3]));
    x[3] = 1.0f;
    x[1] = NAN; /* one query of one head */
    assert_int_equal(vl_attention_forward(y, z, x, 1, 2, 1, 2), VL_OK);
    assert_true(isnan(y[0]) && isnan(y[1]) && !isnan(y[2]) && !isnan(y[3]));
    double norm;
    assert_int_equal(vl_gradient_norm(&norm, x, N), VL_OK);
    assert_true(isnan(norm));
}

/* A learner of one weight whose micro-batches each ask for the same slope. */
struct ramp {
    struct vl_learner learner;
    struct vl_tensor tensor;
    float values[4]; /* weight, gradient, m, v */
    enum vl_status last;
};

static enum vl_status ramp_forward(void *model, size_t micro_batch, double *loss)
{
    const struct ramp *r = model;
    (void)micro_batch;
    *loss = 2.0 * (double)r->values[0];
    return VL_OK;
}

static enum vl_status ramp_backward(void *model, size_t micro_batch)
{
    struct ramp *r = model;
    r->values[1] += 2.0f;
    return micro_batch == 2 ? r->last : VL_OK;
}

static void ramp_start(struct ramp *r)
{
    *r = (struct ramp){.values = {1.0f, 55.0f, 0.0f, 0.0f}, .last = VL_OK};
    r->tensor = (struct vl_tensor){.name = "slope", .rows = 1, .cols = 1};
    r->learner = (struct vl_learner){.weights = &r->values[0],
                                     .gradients = &r->values[1],
                                     .m = &r->values[2],
                                     .v = &r->values[3],
                                     .count = 1,
                                     .tensors = &r->tensor,
                                     .tensor_count = 1,
                                     .forward = ramp_forward,
                                     .backward = ramp_backward,
                                     .model = r};
}

static void step_adds_micro_batches_and_reports_the_norm_before_clipping(void **state)
{
    (void)state;
    const struct vl_adamw settings = {0.5f, 0.9f, 0.95f, 1e-8f, 0.1f};
    struct ramp r;
    struct vl_step_result result;
    ramp_start(&r);
    assert_int_equal(vl_training_step(&r.learner, 3, &settings, 1.5f, 1, &result), VL_OK);
    assert_true(fabs(result.loss - 6.0) < 1e-12);
    assert_true(fabs(result.gradient_norm - 6.0) < 1e-12);
    assert_true(fabsf(r.values[0] - 0.5f) < 1e-6f);  /* a first step is as long as the rate */
    assert_true(fabsf(r.values[2] - 0.15f) < 1e-6f); /* 0.1 of the clipped gradient */
    ramp_start(&r);
    assert_int_equal(vl_training_step(&r.learner, 3, &settings, 60.0f, 1, &result), VL_OK);
    assert_true(fabsf(r.values[2] - 0.6f) < 1e-6f); /* a short gradient is not stretched */
}

static void decay_is_decoupled_from_the_moments(void **state)
{
    (void)state;
    const struct vl_adamw settings = {0.5f, 0.9f, 0.95f, 1e-8f, 0.1f};
    const float gradient[3] = {0, 0, 0};
    float weights[3] = {1, -2, 0}, m[3] = {0}, v[3] = {0};
    assert_int_equal(vl_adamw_update(weights, m, v, gradient, 1, &settings, 1, 3), VL_OK);
    const double truth[3] = {0.95, -1.9, 0};
    assert_close(weights, truth, 3);
    assert_true(m[0] == 0 && v[0] == 0);
}

static void norm_holds_where_squares_leave_float32(void **state)
{
    (void)state;
    const float tiny[4] = {1e-30f, 1e-30f, 1e-30f, 1e-30f}, huge[2] = {3e25f, 4e25f};
    double norm;
    assert_int_equal(vl_gradient_norm(&norm, tiny, 4), VL_OK);
    assert_true(fabs(norm - 2e-30) < 1e-36);
    assert_int_equal(vl_gradient_norm(&norm, huge, 2), VL_OK);
    assert_true(fabs(norm - 5e25) < 1e19);
}

static void step_that_fails_leaves_weights_and_moments_alone(void **state)
{
    (void)state;
    const struct vl_adamw settings = {0.5f, 0.9f, 0.95f, 1e-8f, 0.1f};
    struct ramp r;
    struct vl_step_result result;
    ramp_start(&r);
    r.last = VL_ENOMEM;
    assert_int_equal(vl_training_step(&r.learner, 3, &settings, 0, 1, &result), VL_ENOMEM);
    assert_int_equal(vl_training_step(&r.learner, 0, &settings, 0, 1, &result), VL_EINVAL);
    assert_int_equal(vl_training_step(&r.learner, 3, &settings, 0, 0, &result), VL_EINVAL);
    assert_true(r.values[0] == 1.0f && r.values[2] == 0.0f && r.values[3] == 0.0f);
}

static void sealed_numbers_are_those_of_the_closed_forms(void **state)
{
    (void)state;
    const struct vl_shape shape = {
        .layers = 4, .width = 256, .heads = 4, .ff = 704, .vocabulary = 512, .sequence = 128};
    struct vl_training_prediction sealed;
    uint64_t all, multiplying;
    double flops, mfu;
    assert_int_equal(vl_predict_training(&sealed), VL_OK);
    assert_int_equal(vl_parameter_count(&all, &multiplying, &shape), VL_OK);
    assert_int_equal(vl_flops_per_token(&flops, &shape), VL_OK);
    assert_int_equal(sealed.parameters, all);
    assert_int_equal(sealed.state_bytes, 16 * all);
    assert_true(sealed.flops_per_step == flops * 8 * 128);
    assert_int_equal(vl_mfu(&mfu, 1, 1, 0), VL_EINVAL);
    assert_int_equal(vl_mfu(&mfu, 1, 1, (double)NAN), VL_EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attention_is_right_around_a_block_and_blind_to_the_future),
        cmocka_unit_test(attention_of_large_scores_stays_finite),
        cmocka_unit_test(exponential_is_within_two_units_and_safe_at_the_ends),
        cmocka_unit_test(rmsnorm_holds_from_tiny_to_huge_rows),
        cmocka_unit_test(swiglu_of_extreme_gates_is_their_limit),
        cmocka_unit_test(cross_entropy_of_large_logits_is_exact_and_may_be_in_place),
        cmocka_unit_test(a_token_outside_the_vocabulary_is_refused_before_anything_is_written),
        cmocka_unit_test(empty_sizes_are_accepted_and_a_missing_array_is_refused),
        cmocka_unit_test(a_nan_stays_a_nan),
        cmocka_unit_test(step_adds_micro_batches_and_reports_the_norm_before_clipping),
        cmocka_unit_test(decay_is_decoupled_from_the_moments),
        cmocka_unit_test(norm_holds_where_squares_leave_float32),
        cmocka_unit_test(step_that_fails_leaves_weights_and_moments_alone),
        cmocka_unit_test(sealed_numbers_are_those_of_the_closed_forms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
