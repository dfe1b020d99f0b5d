#include "cli/simulate/request.h"

#include "base/text.h"
#include "cli/plan/plan_files.h"
#include "cli/plan/plan_layout.h"
#include "cli/shared/arguments.h"
#include "cli/shared/say.h"
#include "plan/blueprint_file.h"
#include "simulate/scale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CHIPS      64
#define MOST_SCALE 1024

static const char *or_else(const char *value, const char *usual)
{
    return value != NULL ? value : usual;
}

static enum vl_exit read_memory(double *memory, const char *text)
{
    char *end;
    *memory = text != NULL ? strtod(text, &end) : 0;
    if (text == NULL || (end != text && *end == '\0' && isfinite(*memory) && *memory > 0))
        return VL_EXIT_OK;
    return vl_say(VL_EXIT_USAGE,
                  _("`--memory-rate %s` is not a rate: give the bytes per second that a chip's "
                    "memory moves, such as 3.35e12."),
                  text);
}

static enum vl_exit refuse_memory(const struct vl_simulate_request *r)
{
    return vl_say(VL_EXIT_USAGE,
                  _("This layout does not fit: a chip would hold %1$.1f GB, and it has %2$.1f GB, "
                    "of which %3$.1f GB stay free. Choose another `--layout`, or more chips."),
                  1e-9 * (r->forecast.state_bytes + r->forecast.kept_bytes),
                  1e-9 * r->setting.cluster.memory_bytes, 1e-9 * r->setting.cluster.reserve_bytes);
}

/* The layout that was asked for, or the best that the planner finds. */
static enum vl_exit find_layout(struct vl_simulate_request *r, const char *layout)
{
    size_t count = 0;
    if (layout != NULL) {
        enum vl_exit result = vl_plan_read_layout(&r->forecast, &r->chips, &r->setting, layout);
        return result == VL_EXIT_OK && !r->forecast.fits ? refuse_memory(r) : result;
    }
    if (r->chips == 0)
        r->chips = CHIPS;
    const struct vl_search search = {.chips = r->chips};
    enum vl_status status = vl_forecast_search(&r->forecast, &count, 1, &r->setting, &search);
    if (status != VL_OK)
        return vl_say_status(status);
    if (count > 0)
        return VL_EXIT_OK;
    return vl_say(
        VL_EXIT_USAGE,
        _("On %llu chips of this machine no layout of the model fits: `vialata plan` says "
          "why. Choose another `--chips`, or another model."),
        (unsigned long long)r->chips);
}

static enum vl_exit check_chips(const struct vl_simulate_request *r)
{
    if (r->chips >= 2 && r->chips <= VL_SIMULATE_MOST_CHIPS)
        return VL_EXIT_OK;
    return vl_say(VL_EXIT_USAGE, _("%1$llu chips cannot be simulated: choose from 2 to %2$d."),
                  (unsigned long long)r->chips, VL_SIMULATE_MOST_CHIPS);
}

enum vl_exit vl_simulate_refuse_real_labs(void)
{
    return vl_say(VL_EXIT_USAGE, _("`--with labs` and `--real` do not go together: drop one of "
                                   "them. `vialata train --with labs` runs your code with real "
                                   "kernels."));
}

static enum vl_exit read_with(struct vl_simulate_request *r, const struct vl_arguments *arguments)
{
    const char *with = vl_argument(arguments, "with");
    r->with_labs = with != NULL;
    if (with != NULL && strcmp(with, "labs") != 0)
        return vl_say(VL_EXIT_USAGE, _("`--with` takes `labs`: your own code is then simulated, in "
                                       "each lab that you have finished."));
    if (with != NULL && vl_argument(arguments, "real") != NULL)
        return vl_simulate_refuse_real_labs();
    return VL_EXIT_OK;
}

static enum vl_exit check_levels(const struct vl_simulate_request *r, struct vl_simulate_task *task)
{
    if (!r->two_level || vl_scale_two_level(task) == VL_OK)
        return VL_EXIT_OK;
    return vl_say(VL_EXIT_USAGE,
                  _("`--two-level` needs `zero=0` and, in each domain of %1$zu chips, equally many "
                    "replicas of a stage: more than one, but not all %2$zu of them."),
                  r->setting.cluster.domain,
                  r->forecast.division.data * r->forecast.division.expert);
}

static enum vl_exit find_scale(struct vl_simulate_request *r)
{
    struct vl_simulate_task task;
    if (r->scale == 0)
        r->scale = vl_scale_choose(&r->setting, &r->forecast.division);
    if (vl_scale_task(&task, &r->setting, &r->forecast.division, r->scale, r->memory) == VL_OK)
        return check_levels(r, &task);
    return vl_say(
        VL_EXIT_USAGE,
        _("`--scale %1$llu` is not possible here: it has to divide the width %2$zu and the "
          "sequence %3$zu, and `tp=%4$zu` has to divide what is left. Drop `--scale`, or choose a "
          "smaller one."),
        (unsigned long long)r->scale, r->setting.model.width, r->setting.model.sequence,
        r->forecast.division.tensor);
}

enum vl_exit vl_simulate_request_read(struct vl_simulate_request *request,
                                      const struct vl_arguments *arguments)
{
    struct vl_simulate_request *r = request;
    uint64_t batch = 0;
    *r = (struct vl_simulate_request){.trace = vl_argument(arguments, "trace"),
                                      .two_level = vl_argument(arguments, "two-level") != NULL,
                                      .in_order = vl_argument(arguments, "in-order") != NULL,
                                      .json = vl_argument(arguments, "json") != NULL};
    if (!vl_argument_number_of(&r->chips, arguments, "chips", 2, VL_SIMULATE_MOST_CHIPS) ||
        !vl_argument_number_of(&batch, arguments, "batch", 1, VL_BLUEPRINT_MOST_SIZE) ||
        !vl_argument_number_of(&r->scale, arguments, "scale", 1, MOST_SCALE))
        return VL_EXIT_USAGE;
    enum vl_exit result = read_memory(&r->memory, vl_argument(arguments, "memory-rate"));
    if (result == VL_EXIT_OK)
        result = read_with(r, arguments);
    if (result == VL_EXIT_OK)
        result = vl_plan_read_model(&r->setting, &r->model,
                                    or_else(vl_argument(arguments, "model"), "small"));
    if (result == VL_EXIT_OK)
        result = vl_plan_read_machine(&r->setting, &r->machine,
                                      or_else(vl_argument(arguments, "machine"), "h100-ib"));
    if (batch > 0)
        r->setting.recipe.batch = batch;
    if (result == VL_EXIT_OK)
        result = find_layout(r, vl_argument(arguments, "layout"));
    if (result == VL_EXIT_OK)
        result = check_chips(r);
    return result == VL_EXIT_OK ? find_scale(r) : result;
}

void vl_simulate_request_free(struct vl_simulate_request *request)
{
    json_decref(request->model);
    json_decref(request->machine);
    json_decref(request->with);
}
