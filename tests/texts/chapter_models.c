/*
 * Numbers of the two chapters about models and machines that there are (see chapter_numbers.c).
 */
#include "chapter_numbers.h"
#include "vialata/budget.h"
#include "vialata/plan_products.h"

/* ---- the models ---- */

static void say_deepseek(void)
{
    struct vl_setting s = read_nominal("dsv3", "h800-ib");
    struct vl_parameters count;
    struct vl_work work;
    MUST(vl_planned_parameters(&count, &s.model));
    MUST(vl_planned_flops(&work, &s.model, VL_KEEP_ALL));
    double all = (double)count.all, active = (double)count.active, chips = CHIPS;
    double tokens = (double)(s.recipe.batch * s.model.sequence), step = 19.93, mfu;
    double attention = work.useful - 6 * active, trained = 14.8e12, alone = 1e15;
    say("v3.parameters", all);
    say("v3.active", active);
    say("v3.experts", (double)s.model.experts);
    say("v3.chosen", (double)s.model.chosen);
    say("v3.sparsity", (double)s.model.experts / (double)s.model.chosen);
    say("v3.expert_layers", (double)(s.model.layers - s.model.dense_layers));
    say("v3.count_bytes", 4);
    say("v3.counts", 4 * (double)((s.model.layers - s.model.dense_layers) * s.model.experts));
    say("v3.trained_tokens", trained);
    /* Of the model as published: 37 billion. */
    say("v3.training_flops", 6 * 37e9 * trained);
    const double hours = 2.664e6, watts = 700;
    say("v3.chip_hours", hours);
    say("v3.watts", watts);
    say("v3.watt_hours", hours * watts);
    say("alone.peak", alone);
    say("alone.seconds", 6 * 37e9 * trained / alone);
    assert_true(fabs(active / 37e9 - 1) < 0.015);

    say("v3.batch_tokens", tokens);
    say("v3.step_seconds", step);
    say("v3.token_flops", work.useful);
    MUST(vl_mfu(&mfu, tokens / step, work.useful, chips * s.cluster.peak));
    say("v3.mfu", mfu);
    MUST(vl_mfu(&mfu, tokens / step, 6 * all + attention, chips * s.cluster.peak));
    say("v3.mfu_of_all", mfu);

    say("v3.chips", chips);
    say("v3.chip_tokens", tokens / chips);
    say("v3.gradients", all * s.recipe.gradient_bytes);
    double sent = ring(CHIPS, all * s.recipe.gradient_bytes) / s.cluster.outer.bandwidth;
    say("v3.gradient_seconds", sent);
    const size_t domain = (size_t)s.cluster.domain;
    const struct vl_group everybody = {domain, CHIPS / domain};
    double gather; /* and a reduce-scatter takes as long */
    MUST(vl_group_gather_seconds(&gather, &everybody, &s.cluster, all * s.recipe.gradient_bytes));
    say("v3.two_level_seconds", 2 * gather);
    say("v3.stage_two_level_seconds", 2 * gather / (double)v3s_own.pipeline);
    say("v3.stages", (double)v3s_own.pipeline);
    say("v3.expert_chips", (double)v3s_own.expert);
    say("v3.stage_share", 1 / (double)v3s_own.pipeline);
    say("v3.stage_gradient_seconds", sent / (double)v3s_own.pipeline);
    double reached; /* the share of the peak, with V3's own matrices */
    MUST(vl_planned_efficiency(&reached, &work, &s, &v3s_own));
    say("v3.arithmetic_seconds", tokens / chips * work.useful / (s.cluster.peak * reached));

    const struct vl_group group = {8, 8};
    struct vl_chip chip;
    struct vl_traffic traffic;
    MUST(vl_planned_chip(&chip, &s.model, &v3s_own));
    MUST(vl_planned_traffic(&traffic, &chip, &group, &s, &v3s_own));
    say("v3.boundary", traffic.boundary_bytes);
    say("v3.boundaries", traffic.boundaries);
    say("v3.boundary_all", traffic.boundary_bytes * traffic.boundaries);
    say("v3.boundary_seconds",
        traffic.boundary_bytes * traffic.boundaries / s.cluster.outer.bandwidth);
    say("v3.micro_batches", (double)v3s_own.micro_batches);
    say("v3.bubble", bubble(v3s_own.pipeline, 1, v3s_own.micro_batches));
    say("v3.chip_gradients", (chip.common + chip.experts) * s.recipe.gradient_bytes);

    double state = mixed_state(1, 0) * all;
    say("v3.state", state);
    say("v3.state_chips", ceil(state / s.cluster.memory_bytes));
    s = read_nominal("dsv3", "tpu-v5p");
    say("v3.pod_tokens", tokens / (double)s.cluster.domain);
}

static void say_others(void)
{
    struct vl_setting s = read_nominal("k2", "h800-ib");
    struct vl_parameters count;
    MUST(vl_planned_parameters(&count, &s.model));
    say("k2.parameters", (double)count.all);
    say("k2.active", (double)count.active);

    const struct vl_shape small = {4, 128, 4, vl_shape_default_ff(128), 256, 128};
    const double attention = (double)(small.layers * small.width * small.sequence);
    uint64_t all, multiplying;
    double flops;
    MUST(vl_parameter_count(&all, &multiplying, &small));
    MUST(vl_flops_per_token(&flops, &small));
    say("small.parameters", (double)all);
    say("small.state", mixed_state(1, 0) * (double)all);
    /* flops = a N + b L D T, from two lengths of the sequence */
    struct vl_shape longer = small;
    double more;
    longer.sequence *= 2;
    MUST(vl_flops_per_token(&more, &longer));
    say("flops.attention", (more - flops) / attention);
    say("flops.parameter", (2 * flops - more) / (double)multiplying);

    /* GPT-3's figures are cited; what follows from them is computed. */
    const double parameters = 175e9, layers = 96, replicas = 1024 / (8 * 8), batch = 1536;
    say("gpt3.parameters", parameters);
    say("gpt3.layers", layers);
    say("gpt3.state", mixed_state(1, 0) * parameters);
    say("recipe.chips", 1024);
    say("recipe.tensor", 8);
    say("recipe.stages", 8);
    say("recipe.cut_tensor", mixed_state(1, 0) * parameters / 8);
    say("recipe.cut_both", mixed_state(1, 0) * parameters / (8 * 8));
    say("recipe.stage_layers", layers / 8);
    say("recipe.replicas", replicas);
    say("recipe.batch", batch);
    say("recipe.micro_batches", batch / replicas);
    say("recipe.stages_less_one", 8 - 1);
    say("recipe.bubble", bubble(8, 1, (size_t)(batch / replicas)));
}

/* ---- how broad is broad enough ---- */

static double rule_of_thumb(const char *model, const char *machine, int outside)
{
    struct vl_setting s = read_nominal(model, machine);
    const struct vl_division plain = {1, 1, CHIPS, 1, 1, 1, 3, VL_KEEP_ALL};
    double tokens;
    MUST(vl_rule_tokens(&tokens, &s, (outside ? s.cluster.outer : s.cluster.inner).bandwidth,
                        &plain));
    return tokens;
}

static void say_roads(void)
{
    static const char *const machines[] = {"h800-ib", "h100-ib", "b200-ib", "nvl72", "tpu-v5p"};
    const double pod = rule_of_thumb("small", "tpu-v5p", 0), ff = 32768, memory = 3350e9;
    char key[48];
    say("rule.step_bytes", 2 + 2 + 2);
    say("pod.tokens", pod);
    say("pod.axes_share", 1 / (double)read_nominal("small", "tpu-v5p").cluster.torus);
    say("pod.ff", ff);
    say("pod.with_tensor", pod * pod / (2 * ff));
    say("pod.one_after_the_other", 2 * pod * pod / ff);
    say("box.tokens", rule_of_thumb("small", "h100-ib", 1));
    struct vl_cluster box = read_nominal("small", "h100-ib").cluster;
    say("box.shared_tokens", rule_of_thumb("small", "h100-ib", 1) / (double)box.domain);
    say("box.inner_tokens", rule_of_thumb("small", "h100-ib", 0));
    const double outer = rule_of_thumb("small", "tpu-v5p", 1);
    say("pod.outer_tokens", outer);
    say("pod.shared_tokens", outer / (double)read_nominal("small", "tpu-v5p").cluster.domain);
    say("ladder.memory", memory);
    say("ladder.first", memory / box.inner.bandwidth);
    say("ladder.second", box.inner.bandwidth / box.outer.bandwidth);
    say("crossover.chips", CHIPS);
    say("crossover.slack", SLACK);
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        snprintf(key, sizeof key, "crossover.%s", machines[i]);
        say(key, crossover_of("k2", machines[i], FILES));
    }
}

void say_models(void)
{
    say_deepseek();
    say_others();
    say_roads();
}
