#include "train/run/resume.h"

#include "base/text.h"
#include "train/options/options_experts.h"
#include "train/options/options_layout.h"

#include <string.h>

static enum vl_status contradicts(const char *option, const char *path, struct vl_problem *problem)
{
    return vl_problem_set(problem, VL_EINVAL, "resume_contradiction",
                          _("`%1$s` differs from what %2$s was trained with: leave it out, and the "
                            "run goes on as it began."),
                          option, path);
}

/* The checkpoint has no name of the balance: it follows from bias_speed and aux_alpha. */
static enum vl_status merge_balance(struct vl_options *o, const struct vl_expert_shape *experts,
                                    const struct vl_training_state *state,
                                    struct vl_problem *problem)
{
    if (experts->experts == 0) /* what was asked of them is refused with the layout */
        return VL_OK;
    const char *balance = vl_options_balance_name(state->bias_speed, state->aux_alpha);
    const char *scope = vl_options_scope_name(state->aux_scope);
    if (vl_options_given(o, VL_OPTION_BALANCE) && strcmp(o->balance, balance) != 0)
        return contradicts("--balance", o->resume, problem);
    if (vl_options_given(o, VL_OPTION_BIAS_SPEED) && (float)o->bias_speed != state->bias_speed)
        return contradicts("--bias-speed", o->resume, problem);
    if (vl_options_given(o, VL_OPTION_AUX_ALPHA) && (float)o->aux_alpha != state->aux_alpha)
        return contradicts("--aux-alpha", o->resume, problem);
    if (vl_options_given(o, VL_OPTION_AUX_SCOPE) && strcmp(o->aux_scope, scope) != 0)
        return contradicts("--aux-scope", o->resume, problem);
    o->balance = balance;
    o->aux_alpha = (double)state->aux_alpha;
    o->aux_scope = scope;
    o->bias_speed = (double)state->bias_speed;
    o->experts.scale = experts->scale;
    return VL_OK;
}

enum vl_status vl_resume_merge(struct vl_options *options, const struct vl_checkpoint *checkpoint,
                               struct vl_problem *problem)
{
    const struct vl_shape *shape = vl_checkpoint_shape(checkpoint);
    const struct vl_expert_shape *experts = vl_checkpoint_experts(checkpoint);
    const struct vl_training_state *state = vl_checkpoint_state(checkpoint);
    if (state == NULL)
        return vl_problem_set(problem, VL_EFORMAT, "checkpoint_without_state",
                              _("%s holds weights but no optimizer state, so its run cannot be "
                                "taken up again: give a file that `vialata train --save` wrote."),
                              options->resume);
    const struct {
        enum vl_option option;
        const char *name;
        uint64_t *asked;
        uint64_t kept;
    } whole[] = {
        {VL_OPTION_BATCH, "--batch", &options->batch, state->batch},
        {VL_OPTION_SEED, "--seed", &options->seed, state->seed},
        {VL_OPTION_HORIZON, "--horizon", &options->horizon, state->horizon},
        {VL_OPTION_WARMUP, "--warmup", &options->warmup, state->warmup},
        {VL_OPTION_LAYERS, "--layers", &options->shape.layers, shape->layers},
        {VL_OPTION_WIDTH, "--width", &options->shape.width, shape->width},
        {VL_OPTION_HEADS, "--heads", &options->shape.heads, shape->heads},
        {VL_OPTION_FF, "--ff", &options->shape.ff, shape->ff},
        {VL_OPTION_EXPERTS, "--experts", &options->experts.experts, experts->experts},
        {VL_OPTION_TOP_K, "--top-k", &options->experts.chosen, experts->chosen},
        {VL_OPTION_EXPERT_GROUPS, "--expert-groups", &options->experts.groups, experts->groups},
        {VL_OPTION_GROUP_LIMIT, "--group-limit", &options->experts.limit, experts->limit},
        {VL_OPTION_SEQUENCE, "--sequence", &options->shape.sequence, shape->sequence},
    };
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        if (vl_options_given(options, whole[i].option) && *whole[i].asked != whole[i].kept)
            return contradicts(whole[i].name, options->resume, problem);
        *whole[i].asked = whole[i].kept;
    }
    if (vl_options_given(options, VL_OPTION_LR) && options->lr != state->peak_rate)
        return contradicts("--lr", options->resume, problem);
    options->lr = state->peak_rate;
    enum vl_status status = merge_balance(options, experts, state, problem);
    if (status != VL_OK)
        return status;
    options->shape.vocabulary = shape->vocabulary;
    if (shape->vocabulary < 256)
        return vl_problem_set(problem, VL_ESHAPE, "vocabulary",
                              _("The model in %s knows fewer than the 256 bytes, so it cannot "
                                "learn from this text."),
                              options->resume);
    if (state->step > options->steps)
        return vl_problem_set(problem, VL_EINVAL, "resume_past_end",
                              _("%1$s is already at step %2$llu: choose `--steps` larger than "
                                "that."),
                              options->resume, (unsigned long long)state->step);
    return vl_options_settle_layout(options, problem);
}

enum vl_status vl_resume_check_text(const struct vl_options *options,
                                    const struct vl_training_state *state, uint64_t fingerprint,
                                    struct vl_problem *problem)
{
    if (state->text == fingerprint || vl_options_given(options, VL_OPTION_DATA))
        return VL_OK;
    return vl_problem_set(problem, VL_EINVAL, "resume_text",
                          _("%s was trained on another text than the course's: give that text "
                            "again with `--data FILE`."),
                          options->resume);
}
