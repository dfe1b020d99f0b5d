#include "train/options/options.h"

#include "base/text.h"

#include <string.h>

static const char *const recompute_names[] = {[VL_RECOMPUTE_NONE] = "none",
                                              [VL_RECOMPUTE_SELECTIVE] = "selective",
                                              [VL_RECOMPUTE_FULL] = "full"};
#define RECOMPUTES (sizeof recompute_names / sizeof *recompute_names)

void vl_options_set_defaults(struct vl_options *options)
{
    memset(options, 0, sizeof *options);
    options->steps = 300;
    options->batch = 8;
    options->seed = 1;
    options->horizon = 300;
    options->warmup = 60;
    options->save_every = 100;
    options->replicas = options->tensor = options->stages = options->expert_ranks = 1;
    options->experts.scale = 1.0f;
    options->balance = "bias";
    options->launcher = "mpirun";
    options->bias_speed = 0.001;
    options->aux_alpha = 0.01;
    options->aux_scope = "global";
    options->accumulate = options->chunks = 1;
    options->recompute = recompute_names[VL_RECOMPUTE_NONE];
    /* Deliberately low: at three times this rate rounding errors grow a thousandfold in a hundred
     * steps, and two layouts of one run would differ as much as two runs. */
    options->lr = 1e-3;
    options->shape = (struct vl_shape){
        .layers = 4, .width = 128, .heads = 4, .vocabulary = 256, .sequence = 128};
    options->prompt = "";
    options->bytes = 300;
    options->temperature = 0.8;
}

bool vl_options_given(const struct vl_options *options, enum vl_option option)
{
    return options->given[option];
}

/* eval and sample leave these at zero, which means one. */
static uint64_t at_least_one(uint64_t n)
{
    return n > 0 ? n : 1;
}

uint64_t vl_options_replicas(const struct vl_options *options)
{
    return at_least_one(options->replicas) * at_least_one(options->expert_ranks);
}

int vl_options_ranks(const struct vl_options *options)
{
    return (int)(vl_options_replicas(options) * at_least_one(options->tensor) *
                 at_least_one(options->stages));
}

size_t vl_options_find_name(const char *name, const char *const *names, size_t count)
{
    size_t i = 0;
    while (i < count && strcmp(names[i], name) != 0)
        i++;
    return i;
}

enum vl_status vl_options_check_recompute(const struct vl_options *options,
                                          struct vl_problem *problem)
{
    if (vl_options_find_name(options->recompute, recompute_names, RECOMPUTES) < RECOMPUTES)
        return VL_OK;
    return vl_problem_set(problem, VL_EINVAL, "option_value",
                          _("`--recompute` is `none`, `selective` or `full`."));
}

enum vl_recompute vl_options_recompute(const struct vl_options *options)
{
    if (options->recompute == NULL) /* eval and sample */
        return VL_RECOMPUTE_NONE;
    size_t mode = vl_options_find_name(options->recompute, recompute_names, RECOMPUTES);
    return mode < RECOMPUTES ? (enum vl_recompute)mode : VL_RECOMPUTE_NONE;
}

enum vl_status vl_options_check_shape(const struct vl_shape *shape, struct vl_problem *problem)
{
    if (shape->heads == 0 || shape->width % shape->heads != 0)
        return vl_problem_set(problem, VL_ESHAPE, "shape_heads",
                              _("A width of %1$zu cannot be shared by %2$zu heads: choose a width "
                                "that is a multiple of the heads."),
                              shape->width, shape->heads);
    if (shape->width / shape->heads % 2 != 0)
        return vl_problem_set(problem, VL_ESHAPE, "shape_head_width",
                              _("A width of %1$zu with %2$zu heads makes heads of odd width, and "
                                "rotary positions turn pairs: choose another width."),
                              shape->width, shape->heads);
    return VL_OK;
}
