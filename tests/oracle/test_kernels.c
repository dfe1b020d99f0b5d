/*
 * Every backward of the oracle against central finite differences of its forward, and some forwards
 * against numbers worked out by hand.
 */
#include "oracle/kernels.h"

#include "differences.h"

#include <string.h>

enum { N = 5, IN = 4, OUT = 3, B = 2, T = 5, H = 2, K = 4, ROW = 3 * H * K };

struct linear {
    double x[N * IN], w[OUT * IN], y[N * OUT], dy[N * OUT];
};

static double linear_value(void *context)
{
    struct linear *l = context;
    vl_oracle_linear(l->y, l->x, l->w, N, IN, OUT);
    return dot(l->y, l->dy, N * OUT);
}

static void linear_gradients_are_the_differences(void **state)
{
    (void)state;
    struct linear l;
    double dx[N * IN], dw[OUT * IN], before[OUT * IN];
    fill(l.x, N * IN, 1);
    fill(l.w, OUT * IN, 2);
    fill(l.dy, N * OUT, 3);
    fill(before, OUT * IN, 4);
    memcpy(dw, before, sizeof dw);
    vl_oracle_linear_input(dx, l.dy, l.w, N, IN, OUT);
    vl_oracle_linear_weight(dw, l.dy, l.x, N, IN, OUT);
    for (size_t i = 0; i < OUT * IN; i++)
        dw[i] -= before[i]; /* it is added to */
    assert_gradient(dx, l.x, N * IN, linear_value, &l);
    assert_gradient(dw, l.w, OUT * IN, linear_value, &l);
}

struct embedding {
    double table[6 * IN], x[N * IN], dx[N * IN];
    int32_t tokens[N];
};

static double embedding_value(void *context)
{
    struct embedding *e = context;
    vl_oracle_embedding(e->x, e->table, e->tokens, N, IN);
    return dot(e->x, e->dx, N * IN);
}

static void embedding_gradient_is_the_difference_with_a_token_used_twice(void **state)
{
    (void)state;
    struct embedding e = {.tokens = {2, 0, 5, 2, 1}};
    double dtable[6 * IN] = {0};
    fill(e.table, 6 * IN, 1);
    fill(e.dx, N * IN, 2);
    vl_oracle_embedding_weight(dtable, e.dx, e.tokens, N, IN);
    assert_gradient(dtable, e.table, 6 * IN, embedding_value, &e);
}

struct rotary {
    double qkv[B * T * ROW], turned[B * T * ROW], dy[B * T * ROW], table[T * K];
};

static double rotary_value(void *context)
{
    struct rotary *r = context;
    memcpy(r->turned, r->qkv, sizeof r->qkv);
    vl_oracle_rotary(r->turned, r->table, 1, B, T, H, K);
    return dot(r->turned, r->dy, B * T * ROW);
}

static void rotary_gradient_is_the_difference_and_keeps_lengths(void **state)
{
    (void)state;
    struct rotary r;
    double dqkv[B * T * ROW];
    vl_oracle_rotary_table(r.table, T, K);
    fill(r.qkv, B * T * ROW, 1);
    fill(r.dy, B * T * ROW, 2);
    memcpy(dqkv, r.dy, sizeof dqkv);
    vl_oracle_rotary(dqkv, r.table, -1, B, T, H, K);
    assert_gradient(dqkv, r.qkv, B * T * ROW, rotary_value, &r);
    rotary_value(&r);
    assert_true(fabs(dot(r.turned, r.turned, B * T * ROW) - dot(r.qkv, r.qkv, B * T * ROW)) < 1e-9);
    /* Position 3, second pair of a head of width 4: angle 3 * 10000^(-1/2) = 0.03. */
    assert_true(fabs(r.table[3 * K + 1] - cos(0.03)) < 1e-15);
    assert_true(fabs(r.table[3 * K + 3] - sin(0.03)) < 1e-15);
}

struct rmsnorm {
    double x[N * IN], gain[IN], y[N * IN], inv[N], dy[N * IN];
};

static double rmsnorm_value(void *context)
{
    struct rmsnorm *r = context;
    vl_oracle_rmsnorm(r->y, r->inv, r->x, r->gain, 0.01, N, IN);
    return dot(r->y, r->dy, N * IN);
}

static void rmsnorm_gradients_are_the_differences(void **state)
{
    (void)state;
    struct rmsnorm r;
    double dx[N * IN], dgain[IN] = {0};
    fill(r.x, N * IN, 1);
    fill(r.gain, IN, 2);
    fill(r.dy, N * IN, 3);
    rmsnorm_value(&r);
    vl_oracle_rmsnorm_input(dx, r.dy, r.x, r.gain, r.inv, N, IN);
    vl_oracle_rmsnorm_weight(dgain, r.dy, r.x, r.inv, N, IN);
    assert_gradient(dx, r.x, N * IN, rmsnorm_value, &r);
    assert_gradient(dgain, r.gain, IN, rmsnorm_value, &r);
}

static void rmsnorm_of_three_and_four(void **state)
{
    (void)state;
    double y[2], inv, x[] = {3, 4}, gain[] = {1, 10};
    vl_oracle_rmsnorm(y, &inv, x, gain, 0, 1, 2);
    assert_true(fabs(inv - 1 / sqrt(12.5)) < 1e-15);
    assert_true(fabs(y[0] - 3 / sqrt(12.5)) < 1e-15 && fabs(y[1] - 40 / sqrt(12.5)) < 1e-14);
}

struct attention {
    double qkv[B * T * ROW], out[B * T * H * K], probs[B * H * T * T], dout[B * T * H * K];
};

static double attention_value(void *context)
{
    struct attention *a = context;
    vl_oracle_attention(a->out, a->probs, a->qkv, B, T, H, K);
    return dot(a->out, a->dout, B * T * H * K);
}

static void attention_gradient_is_the_difference(void **state)
{
    (void)state;
    struct attention a;
    double dqkv[B * T * ROW];
    fill(a.qkv, B * T * ROW, 1);
    fill(a.dout, B * T * H * K, 2);
    attention_value(&a);
    vl_oracle_attention_input(dqkv, a.dout, a.qkv, a.probs, B, T, H, K);
    assert_gradient(dqkv, a.qkv, B * T * ROW, attention_value, &a);
}

static void attention_never_looks_ahead_and_its_rows_add_up_to_one(void **state)
{
    (void)state;
    struct attention a;
    fill(a.qkv, B * T * ROW, 1);
    fill(a.dout, B * T * H * K, 2);
    attention_value(&a);
    for (size_t i = 0; i < B * H * T; i++) {
        double sum = 0;
        for (size_t j = 0; j < T; j++) {
            sum += a.probs[i * T + j];
            assert_true(j <= i % T ? a.probs[i * T + j] > 0 : a.probs[i * T + j] == 0);
        }
        assert_true(fabs(sum - 1) < 1e-12);
    }
    double first = a.out[0];
    a.qkv[ROW + 2 * H * K] += 1; /* a value of token 1 */
    attention_value(&a);
    assert_true(a.out[0] == first);
    assert_true(fabs(first - a.qkv[2 * H * K]) < 1e-12); /* token 0 sees only itself */
}

struct swiglu {
    double gate_up[N * 2 * IN], out[N * IN], dout[N * IN];
};

static double swiglu_value(void *context)
{
    struct swiglu *s = context;
    vl_oracle_swiglu(s->out, s->gate_up, N, IN);
    return dot(s->out, s->dout, N * IN);
}

static void swiglu_gradient_is_the_difference(void **state)
{
    (void)state;
    struct swiglu s;
    double dgate_up[N * 2 * IN];
    fill(s.gate_up, N * 2 * IN, 1);
    fill(s.dout, N * IN, 2);
    vl_oracle_swiglu_input(dgate_up, s.dout, s.gate_up, N, IN);
    assert_gradient(dgate_up, s.gate_up, N * 2 * IN, swiglu_value, &s);
}

static void swiglu_of_gate_log_three_and_up_four(void **state)
{
    (void)state;
    double out, gate_up[] = {log(3), 4}; /* sigmoid(log 3) = 3/4 */
    vl_oracle_swiglu(&out, gate_up, 1, 1);
    assert_true(fabs(out - 3 * log(3)) < 1e-14);
}

struct cross_entropy {
    double logits[N * IN], probs[N * IN], losses[N], scale;
    int32_t targets[N];
};

static double cross_entropy_value(void *context)
{
    struct cross_entropy *c = context;
    vl_oracle_cross_entropy(c->losses, c->probs, c->logits, c->targets, N, IN);
    double sum = 0;
    for (size_t i = 0; i < N; i++)
        sum += c->losses[i];
    return c->scale * sum;
}

static void cross_entropy_gradient_is_the_difference(void **state)
{
    (void)state;
    struct cross_entropy c = {.scale = 0.2, .targets = {3, 0, 1, 1, 2}};
    double dlogits[N * IN];
    fill(c.logits, N * IN, 1);
    cross_entropy_value(&c);
    vl_oracle_cross_entropy_input(dlogits, c.probs, c.targets, c.scale, N, IN);
    assert_gradient(dlogits, c.logits, N * IN, cross_entropy_value, &c);
}

static void cross_entropy_of_equal_logits_is_log_of_the_vocabulary(void **state)
{
    (void)state;
    double losses[1], probs[4], logits[] = {1e5, 1e5, 1e5, 1e5};
    int32_t target = 2;
    vl_oracle_cross_entropy(losses, probs, logits, &target, 1, 4);
    assert_true(fabs(losses[0] - log(4)) < 1e-15 && fabs(probs[3] - 0.25) < 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_gradients_are_the_differences),
        cmocka_unit_test(embedding_gradient_is_the_difference_with_a_token_used_twice),
        cmocka_unit_test(rotary_gradient_is_the_difference_and_keeps_lengths),
        cmocka_unit_test(rmsnorm_gradients_are_the_differences),
        cmocka_unit_test(rmsnorm_of_three_and_four),
        cmocka_unit_test(attention_gradient_is_the_difference),
        cmocka_unit_test(attention_never_looks_ahead_and_its_rows_add_up_to_one),
        cmocka_unit_test(swiglu_gradient_is_the_difference),
        cmocka_unit_test(swiglu_of_gate_log_three_and_up_four),
        cmocka_unit_test(cross_entropy_gradient_is_the_difference),
        cmocka_unit_test(cross_entropy_of_equal_logits_is_log_of_the_vocabulary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
