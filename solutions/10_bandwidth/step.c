/*
 * Lab 10: a step, put together.
 */
#include "vialata/budget.h"
#include "vialata/plan_roads.h"
#include "vialata/schedule.h"

#include <math.h>

static double beyond(double road, double hidden)
{
    return road > hidden ? road - hidden : 0;
}

/* Each kind has its own share of the arithmetic; no arithmetic hides two kinds at a time. */
static double hides(const struct vl_flowing *road, double arithmetic,
                    const struct vl_cluster *cluster)
{
    double all = fmin(road->experts, cluster->hidden_experts * arithmetic) +
                 fmin(road->pipeline, cluster->hidden_pipeline * arithmetic) +
                 fmin(road->data, cluster->hidden_gathers * arithmetic);
    return fmin(all, arithmetic);
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
    const struct vl_cluster *cluster = &setting->cluster;
    double backward = loads->arithmetic * 2 / 3 / (double)division->micro_batches;
    double unseen = hides(&loads->flowing, loads->arithmetic, cluster);
    step->exposed = vl_flowing_seconds(&loads->flowing) - unseen;
    double busy = loads->arithmetic + loads->tensor + step->exposed;
    step->bubble = bubble * busy;
    step->left = beyond(loads->closing, cluster->hidden_closing * backward);
    step->seconds = busy + step->bubble + step->left;

    double tokens = (double)(setting->recipe.batch * setting->model.sequence);
    double chips =
        (double)(division->tensor * division->expert * division->data * division->pipeline);
    step->tokens_per_second = tokens / step->seconds;
    double flops = work->useful, peak = chips * cluster->peak;
    status = vl_mfu(&step->mfu, step->tokens_per_second, flops, peak);
    step->hfu = step->mfu * (flops + work->again) / flops;
    return status;
}
