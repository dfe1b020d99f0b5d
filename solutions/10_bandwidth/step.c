/*
 * Lab 10: a step, put together.
 */
#include "vialata/budget.h"
#include "vialata/plan_roads.h"
#include "vialata/schedule.h"

static double beyond(double road, double hidden)
{
    return road > hidden ? road - hidden : 0;
}

enum vl_status vl_planned_step(struct vl_step_plan *step, const struct vl_loads *loads,
                               const struct vl_work *work, const struct vl_setting *setting,
                               const struct vl_division *division)
{
    double bubble;
    if (step == NULL || loads == NULL || work == NULL || setting == NULL || division == NULL)
        return VL_EINVAL;
    enum vl_status status =
        vl_bubble_of_ideal(&bubble, division->pipeline, division->chunks, division->micro_batches);
    if (status != VL_OK)
        return status;
    double unseen = setting->cluster.hidden * loads->arithmetic;
    double last = unseen * 2 / 3 / (double)division->micro_batches;
    step->exposed = beyond(loads->flowing, unseen);
    double busy = loads->arithmetic + loads->tensor + step->exposed;
    step->bubble = bubble * busy;
    step->left = beyond(loads->closing, last);
    step->seconds = busy + step->bubble + step->left;

    double tokens = (double)(setting->recipe.batch * setting->model.sequence);
    double chips =
        (double)(division->tensor * division->expert * division->data * division->pipeline);
    step->tokens_per_second = tokens / step->seconds;
    return vl_mfu(&step->mfu, step->tokens_per_second, work->useful, chips * setting->cluster.peak);
}
