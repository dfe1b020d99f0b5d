#include "train/options/options_experts.h"

#include "base/text.h"
#include "engine/schedule/schedule_make.h"
#include "train/options/option_table.h"

#include <string.h>

typedef unsigned long long number; /* as sentences print it */

enum balance { NONE, AUX, BIAS, BALANCES };
static const char *const balance_names[] = {[NONE] = "none", [AUX] = "aux", [BIAS] = "bias"};

static const char *const scope_names[] = {[VL_BALANCE_GLOBAL] = "global",
                                          [VL_BALANCE_MICRO_BATCH] = "micro-batch",
                                          [VL_BALANCE_SEQUENCE] = "sequence"};
#define SCOPES (sizeof scope_names / sizeof *scope_names)

enum { CHOSEN = 2, FF_MULTIPLE = 32 };

/* A token costs as much compute as in a dense model of that width: its chosen experts and the
 * shared one split the feed-forward width. */
static size_t default_ff(const struct vl_options *o)
{
    size_t dense = vl_shape_default_ff(o->shape.width);
    if (o->experts.experts == 0)
        return dense;
    size_t multiple = FF_MULTIPLE * (o->experts.chosen + 1);
    return (dense + multiple - 1) / multiple * FF_MULTIPLE;
}

void vl_options_default_experts(struct vl_options *options)
{
    if (!vl_options_given(options, VL_OPTION_TOP_K))
        options->experts.chosen =
            options->experts.experts < CHOSEN ? options->experts.experts : CHOSEN;
    if (!vl_options_given(options, VL_OPTION_GROUP_LIMIT))
        options->experts.limit = options->experts.groups;
    if (options->shape.ff == 0)
        options->shape.ff = default_ff(options);
}

enum vl_status vl_options_check_balance(const struct vl_options *options,
                                        struct vl_problem *problem)
{
    if (vl_options_find_name(options->balance, balance_names, BALANCES) == BALANCES)
        return vl_problem_set(problem, VL_EINVAL, "option_value",
                              _("`--balance` is `none`, `aux` or `bias`."));
    if (vl_options_find_name(options->aux_scope, scope_names, SCOPES) == SCOPES)
        return vl_problem_set(problem, VL_EINVAL, "option_value",
                              _("`--aux-scope` is `global`, `micro-batch` or `sequence`."));
    return VL_OK;
}

static bool balances(const struct vl_options *o, enum balance way)
{
    return o->experts.experts > 0 && strcmp(o->balance, balance_names[way]) == 0;
}

float vl_options_bias_speed(const struct vl_options *options)
{
    return balances(options, BIAS) ? (float)options->bias_speed : 0.0f;
}

struct vl_auxiliary vl_options_auxiliary(const struct vl_options *options)
{
    return (struct vl_auxiliary){
        .alpha = balances(options, AUX) ? (float)options->aux_alpha : 0.0f,
        .scope =
            (enum vl_balance_scope)vl_options_find_name(options->aux_scope, scope_names, SCOPES),
        .interference = options->interference && options->experts.experts > 0};
}

bool vl_options_auxiliary_waits(const struct vl_options *options)
{
    const struct vl_auxiliary auxiliary = vl_options_auxiliary(options);
    return auxiliary.alpha > 0.0f && auxiliary.scope == VL_BALANCE_GLOBAL;
}

const char *vl_options_balance_name(float bias_speed, float aux_alpha)
{
    return balance_names[bias_speed > 0.0f ? BIAS : aux_alpha > 0.0f ? AUX : NONE];
}

const char *vl_options_scope_name(uint64_t scope)
{
    return scope < SCOPES ? scope_names[scope] : NULL;
}

static enum vl_status refuse_without_experts(const struct vl_options *o, struct vl_problem *problem)
{
    static const enum vl_option asks[] = {
        VL_OPTION_TOP_K,     VL_OPTION_EXPERT_GROUPS, VL_OPTION_GROUP_LIMIT,
        VL_OPTION_EP,        VL_OPTION_BALANCE,       VL_OPTION_BIAS_SPEED,
        VL_OPTION_AUX_ALPHA, VL_OPTION_AUX_SCOPE,     VL_OPTION_INTERFERENCE};
    for (size_t i = 0; i < sizeof asks / sizeof *asks; i++)
        if (vl_options_given(o, asks[i]))
            return vl_problem_set(problem, VL_EINVAL, "layout_no_experts",
                                  _("`%s` is about experts, and this model has none: add "
                                    "`--experts E` for a new one, or leave it out."),
                                  vl_option_name(asks[i]));
    return VL_OK;
}

/* The batch's counts are known only after its last forward. Does every backward come later? A
 * schedule in a file is checked once it has been read. */
static bool batch_is_known(const struct vl_options *o)
{
    enum vl_schedule_named named =
        o->schedule != NULL ? vl_schedule_find(o->schedule) : VL_NAMED_1F1B;
    return o->accumulate <= 1 || (o->stages > 1 && (named == VL_NAMED_AFAB || named == VL_NAMED));
}

enum vl_status vl_options_check_waiting(const struct vl_options *options,
                                        struct vl_problem *problem)
{
    return vl_options_auxiliary_waits(options) && !batch_is_known(options)
               ? vl_options_refuse_waiting(problem)
               : VL_OK;
}

enum vl_status vl_options_refuse_waiting(struct vl_problem *problem)
{
    return vl_problem_set(problem, VL_EINVAL, "layout_aux_waits",
                          _("The auxiliary loss of the whole batch needs all forwards before the "
                            "first backward: choose `--schedule afab` in a pipeline, one "
                            "micro-batch on one stage, or `--aux-scope micro-batch`."));
}

/* An option of one way of balancing is refused with any other way. */
static enum vl_status check_way(const struct vl_options *o, struct vl_problem *problem)
{
    enum vl_option alien = vl_options_given(o, VL_OPTION_AUX_ALPHA)   ? VL_OPTION_AUX_ALPHA
                           : vl_options_given(o, VL_OPTION_AUX_SCOPE) ? VL_OPTION_AUX_SCOPE
                                                                      : VL_OPTION_OTHER;
    if (vl_options_given(o, VL_OPTION_BIAS_SPEED) && !balances(o, BIAS))
        return vl_problem_set(problem, VL_EINVAL, "layout_no_bias",
                              _("`--bias-speed` says how fast the bias of `--balance bias` moves, "
                                "and this run has none: leave it out."));
    if (alien != VL_OPTION_OTHER && !balances(o, AUX))
        return vl_problem_set(problem, VL_EINVAL, "layout_no_aux",
                              _("`%s` is about the loss of `--balance aux`, and this run has none: "
                                "leave it out."),
                              vl_option_name(alien));
    return VL_OK;
}

static enum vl_status check_groups(const struct vl_options *o, struct vl_problem *problem)
{
    number experts = o->experts.experts, groups = o->experts.groups, limit = o->experts.limit;
    if (groups == 0 && vl_options_given(o, VL_OPTION_GROUP_LIMIT))
        return vl_problem_set(problem, VL_EINVAL, "layout_no_groups",
                              _("`--group-limit` is about groups of experts, and this model has "
                                "none: add `--expert-groups N`, or leave it out."));
    if (groups == 0)
        return VL_OK;
    if (experts % groups != 0)
        return vl_problem_set(
            problem, VL_ESHAPE, "layout_groups",
            _("%1$llu experts cannot be divided evenly into %2$llu groups: choose "
              "`--expert-groups` so that it divides the experts."),
            experts, groups);
    if (limit > groups || o->experts.chosen > limit * (experts / groups))
        return vl_problem_set(
            problem, VL_EINVAL, "layout_group_limit",
            _("A token cannot choose %1$llu experts from %2$llu of %3$llu groups: "
              "choose another `--group-limit`, or a smaller `--top-k`."),
            (number)o->experts.chosen, limit, groups);
    return VL_OK;
}

enum vl_status vl_options_check_experts(const struct vl_options *options,
                                        struct vl_problem *problem)
{
    number experts = options->experts.experts;
    if (experts == 0)
        return refuse_without_experts(options, problem);
    if (options->experts.chosen > experts)
        return vl_problem_set(problem, VL_EINVAL, "layout_chosen",
                              _("A token cannot choose %1$llu of %2$llu experts: choose a smaller "
                                "`--top-k`, or for a new model more `--experts`."),
                              (number)options->experts.chosen, experts);
    if (experts % options->expert_ranks != 0)
        return vl_problem_set(problem, VL_ESHAPE, "layout_experts",
                              _("%1$llu experts cannot be shared evenly by the %2$llu ranks of "
                                "`--ep`: choose an `--ep` that divides the experts."),
                              experts, (number)options->expert_ranks);
    enum vl_status status = check_groups(options, problem);
    return status == VL_OK ? check_way(options, problem) : status;
}
