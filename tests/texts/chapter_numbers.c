/*
 * Prints every number that the two chapters (docs/bandwidth.md, docs/scaling.md) compute, a line
 * each: its key, a tab, its value in bytes, seconds, FLOPs, shares. What an example takes for
 * granted is printed too, as "given": it is what the results are computed from.
 *
 * All of it comes from the references of the labs and from lab 10's files. numbers.tsv says which
 * key stands where in the text, and check_numbers.py compares.
 */
#include "chapter_numbers.h"
#include "vialata/expert_balance.h"
#include "vialata/recompute.h"
#include "vialata/tensor_parallel.h"
#include "vialata/zero.h"

/* ---- the ways to share ---- */

static void say_data(void)
{
    static const size_t stages[] = {1, 2, 3};
    char key[32];
    double sent, plain;
    say("ring.ranks", 8);
    say("ring.more_ranks", 64);
    say("ring.gradients", 1e9);
    say("ring.sent", ring(8, 1e9));
    say("ring.factor", ring(8, 1));
    say("ring.more_factor", ring(64, 1));
    say("ring.most", ring(1 << 24, 1));
    say("state.bytes", mixed_state(1, 0));
    say("zero.ranks", 64);
    say("zero.parameters", 7e9);
    say("zero.whole", 7e9 * mixed_state(64, 0));
    /* a + b / N, from N = 1 and N = 2 */
    for (int i = 0; i < 3; i++) {
        double one = mixed_state(1, stages[i]), two = mixed_state(2, stages[i]);
        snprintf(key, sizeof key, "zero%d.kept", i + 1);
        if (stages[i] < 3)
            say(key, 2 * two - one);
        snprintf(key, sizeof key, "zero%d.shared", i + 1);
        say(key, 2 * (one - two));
        snprintf(key, sizeof key, "zero%d.bytes", i + 1);
        say(key, mixed_state(64, stages[i]));
        snprintf(key, sizeof key, "zero%d.model", i + 1);
        say(key, 7e9 * mixed_state(64, stages[i]));
    }
    say("state.gradients",
        (2 * mixed_state(2, 1) - mixed_state(1, 1)) - (2 * mixed_state(2, 2) - mixed_state(1, 2)));
    MUST(vl_zero_sent_elements(&sent, 3, 1, 1 << 24));
    MUST(vl_zero_sent_elements(&plain, 0, 1, 1 << 24));
    say("zero3.sent", sent);
    say("zero0.sent", plain);
    say("zero3.more", sent / plain - 1);
    say("cut.ranks", 8);
    say("cut.model", 7e9 * mixed_state(1, 0) / 8);
}

/* One layer of a large dense model: lab 05's rule, a tensor group of one box, its borders. */
static void say_layer(void)
{
    struct vl_setting s = read_nominal("dsv3", "h100-ib");
    struct vl_shape shape = {1, 8192, 64, 1, 1, 4096};
    const double width = 8192, tokens = 4096, heads = 64, bytes = 2, ranks = 8, dense = 12;
    double sum = ring(8, tokens * width * bytes), rule, wider;
    uint64_t one, two;
    say("layer.width", width);
    say("layer.tokens", tokens);
    say("layer.heads", heads);
    say("layer.element", bytes);
    say("layer.element_bits", 8 * bytes);
    say("layer.dense", dense);
    say("tensor.ranks", ranks);
    say("tensor.ranks_less_one", ranks - 1);
    say("tensor.sum", sum);
    MUST(vl_tensor_all_reduces(&one, 1));
    MUST(vl_tensor_all_reduces(&two, 2));
    double sums = (double)(two - one);
    say("tensor.sums", sums);
    say("tensor.sums_forward", sums / 2); /* and as many backward */
    say("tensor.inside_seconds", sums * sum / s.cluster.inner.bandwidth);
    say("tensor.outside_seconds", sums * sum / s.cluster.outer.bandwidth);
    say("tensor.arithmetic_seconds", 6 * dense * width * width * tokens / ranks / s.cluster.peak);
    /* What sequence parallelism gathers again, in floats, against the sums of a layer. */
    shape.layers = 1;
    MUST(vl_tensor_again_bytes(&one, &shape, 1, 8));
    shape.layers = 2;
    MUST(vl_tensor_again_bytes(&two, &shape, 1, 8));
    say("tensor.again_share", (double)(two - one) / (sums * ring(8, tokens * width * 4)));
    say("border.bytes", tokens * width * bytes);
    say("border.seconds", tokens * width * bytes / s.cluster.outer.bandwidth);

    /* s b h (34 + 5 a s / h), from two numbers of heads */
    MUST(vl_activation_rule_bytes(&rule, &shape, 1));
    shape.heads *= 2;
    MUST(vl_activation_rule_bytes(&wider, &shape, 1));
    double table = (wider - rule) / (tokens * width), rest = rule / (tokens * width) - table;
    const double whole = 10; /* what lies between the matrices (arXiv:2205.05198) */
    say("rule.table_factor", table / (heads * tokens / width));
    say("rule.table", table);
    say("rule.rest", rest);
    say("rule.bytes", rule);
    say("rule.layers", 80);
    say("rule.model", 80 * rule);
    say("rule.without_table", rest * tokens * width);
    say("rule.between", whole);
    say("rule.inside", rest - whole);
    say("rule.tensor", tokens * width * (whole + (rest - whole) / ranks + table / ranks));
    say("rule.sequence", rule / ranks);

    /* Forward's share, and what computing all of it again adds. */
    struct vl_work work;
    s.model.vocabulary = 1;
    MUST(vl_planned_flops(&work, &s.model, VL_KEEP_INPUT));
    say("again.share", work.again / work.useful);
    say("backward.share", 1 - work.again / work.useful);
    say("backward.of_forward", (work.useful - work.again) / work.again);
}

static void say_pipelines(void)
{
    size_t all, few;
    say("virtual.stages", 8);
    say("virtual.micro_batches", 32);
    say("virtual.chunks", 4);
    say("virtual.plain", bubble(8, 1, 32));
    say("virtual.bubble", bubble(8, 4, 32));
    say("alive.stages", 8);
    say("alive.micro_batches", 64);
    MUST(vl_live_afab(&all, 8, 64, 0));
    MUST(vl_live_1f1b(&few, 8, 64, 0));
    say("alive.times", (double)all / (double)few);
    say("bubble.stages", 4);
    say("bubble.micro_batches", 8);
    say("bubble.of_ideal", bubble(4, 1, 8));
    say("bubble.slots", bubble(4, 1, 8) * 8 * (1 + 2)); /* forward takes one, backward two */
    say("bubble.all_slots", (1 + bubble(4, 1, 8)) * 8 * (1 + 2));
    say("bubble.of_whole", of_whole(bubble(4, 1, 8)));
    say("bubble.more_micro_batches", 32);
    say("bubble.of_whole_with_more", of_whole(bubble(4, 1, 32)));
    say("bubble.of_ideal_with_two", bubble(4, 2, 8));
}

/* ---- experts ---- */

static void say_balance(void)
{
    enum { E = 8, TOKENS = 64 };
    const struct vl_routing routing = {TOKENS, E, 1, 1};
    double even[E], one[E] = {TOKENS}, loss;
    for (int e = 0; e < E; e++)
        even[e] = TOKENS / E;
    say("balance.experts", E);
    say("balance.squared", E * E);
    MUST(vl_balance_loss(&loss, even, even, TOKENS, &routing, 1));
    say("balance.even", loss);
    MUST(vl_balance_loss(&loss, one, one, TOKENS, &routing, 1));
    say("balance.one", loss);

    /* The gap between an expert with too much work and one with too little. */
    const double gap = 0.05, u = 0.001;
    const double counts[2] = {2, 0};
    float bias[2] = {0, 0};
    int steps = 0;
    while (bias[1] - bias[0] < gap - u / 10) {
        MUST(vl_balance_bias_update(bias, counts, 2, (float)u));
        steps++;
    }
    say("bias.speed", u);
    say("bias.gap", gap);
    say("bias.steps", steps);
}

int main(void)
{
    say_models();
    say_data();
    say_layer();
    say_pipelines();
    say_balance();
    return 0;
}
