/* Experts: how many, who has them, and how their load is balanced. */
#include "train/options.h"

#include "base/text.h"

#include <string.h>

typedef unsigned long long number; /* as sentences print it */

static const char *const balance_names[] = {"none", "bias"};
#define BALANCES (sizeof balance_names / sizeof *balance_names)

enum { CHOSEN = 2, FF_MULTIPLE = 32 };

/* As much is computed for a token as in a dense model of that width: its experts and the shared one
 * have the feed-forward width between them. */
static size_t default_ff(const struct vl_options *o)
{
    size_t dense = vl_shape_default_ff(o->shape.width);
    if (o->experts.experts == 0)
        return dense;
    size_t multiple = FF_MULTIPLE * (o->experts.chosen + 1);
    return (dense + multiple - 1) / multiple * FF_MULTIPLE;
}

void vl_options_default_experts(struct vl_options *o)
{
    if (!vl_options_given(o, VL_OPTION_TOP_K))
        o->experts.chosen = o->experts.experts < CHOSEN ? o->experts.experts : CHOSEN;
    if (o->shape.ff == 0)
        o->shape.ff = default_ff(o);
}

int vl_options_balance_is_known(const char *name)
{
    size_t i = 0;
    while (i < BALANCES && strcmp(balance_names[i], name) != 0)
        i++;
    return i < BALANCES;
}

float vl_options_bias_speed(const struct vl_options *o)
{
    int follows = o->experts.experts > 0 && strcmp(o->balance, "bias") == 0;
    return follows ? (float)o->bias_speed : 0.0f;
}

static enum vl_status refuse_without_experts(const struct vl_options *o, struct vl_problem *problem)
{
    static const struct {
        enum vl_option option;
        const char *name;
    } asks[] = {{VL_OPTION_TOP_K, "--top-k"},
                {VL_OPTION_EP, "--ep"},
                {VL_OPTION_BALANCE, "--balance"},
                {VL_OPTION_BIAS_SPEED, "--bias-speed"}};
    for (size_t i = 0; i < sizeof asks / sizeof *asks; i++)
        if (vl_options_given(o, asks[i].option))
            return vl_problem_set(problem, VL_EINVAL, "layout_no_experts",
                                  _("`%s` is about experts, and this model has none: add "
                                    "`--experts E` for a new one, or leave it out."),
                                  asks[i].name);
    return VL_OK;
}

enum vl_status vl_options_check_experts(const struct vl_options *o, struct vl_problem *problem)
{
    number experts = o->experts.experts;
    if (experts == 0)
        return refuse_without_experts(o, problem);
    if (o->experts.chosen > experts)
        return vl_problem_set(problem, VL_EINVAL, "layout_chosen",
                              _("A token cannot choose %1$llu of %2$llu experts: choose a smaller "
                                "`--top-k`, or for a new model more `--experts`."),
                              (number)o->experts.chosen, experts);
    if (experts % o->expert_ranks != 0)
        return vl_problem_set(problem, VL_ESHAPE, "layout_experts",
                              _("%1$llu experts cannot be shared evenly by the %2$llu ranks of "
                                "`--ep`: choose an `--ep` that divides the experts."),
                              experts, (number)o->expert_ranks);
    if (vl_options_given(o, VL_OPTION_BIAS_SPEED) && strcmp(o->balance, "bias") != 0)
        return vl_problem_set(problem, VL_EINVAL, "layout_no_bias",
                              _("`--bias-speed` says how fast the bias of `--balance bias` moves, "
                                "and this run has none: leave it out."));
    return VL_OK;
}
