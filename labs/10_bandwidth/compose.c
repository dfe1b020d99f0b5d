/*
 * Lab 10, given: all functions put together into a forecast of one division.
 */
#include "vialata/crossover.h"
#include "vialata/plan_products.h"

/* ---- one division ---- */

/* The chip reaches what its products and its memory allow in this division. */
static enum vl_status arithmetic(struct vl_forecast *f, const struct vl_setting *setting)
{
    struct vl_setting reached = *setting;
    enum vl_status status = vl_planned_efficiency(&f->efficiency, &f->work, setting, &f->division);
    reached.cluster.efficiency = f->efficiency;
    if (status == VL_OK)
        status = vl_planned_arithmetic(&f->loads.arithmetic, &f->work, &reached, &f->division);
    return status;
}

/* A reduce-scatter and an all-gather of all that the group's chips have in common. */
static enum vl_status trips(double *seconds, const struct vl_group *group, double parameters,
                            const struct vl_trips *count, const struct vl_setting *setting,
                            size_t zero)
{
    double scatter, gather;
    const struct vl_recipe *recipe = &setting->recipe;
    double gathered = zero == 0 ? recipe->gradient_bytes : recipe->weight_bytes;
    enum vl_status status = vl_group_gather_seconds(&scatter, group, &setting->cluster,
                                                    parameters * recipe->gradient_bytes);
    if (status == VL_OK)
        status = vl_group_gather_seconds(&gather, group, &setting->cluster, parameters * gathered);
    if (status == VL_OK)
        *seconds += count->scatters * scatter + count->gathers * gather;
    return status;
}

/* One ring through all members is as slow as its slowest link: the outer road, unless all of them
 * are in one domain. */
static struct vl_group in_one_ring(struct vl_group group)
{
    return group.across > 1 ? (struct vl_group){1, group.inside * group.across} : group;
}

static enum vl_status data_seconds(double *seconds, const struct vl_trips *count,
                                   const struct vl_forecast *f, const struct vl_setting *setting)
{
    struct vl_group common = {0}, experts = {0};
    const struct vl_division *d = &f->division;
    size_t stride = d->tensor * d->expert;
    enum vl_status status = vl_group_of(&common, d->data * d->expert, d->tensor, &setting->cluster);
    if (status == VL_OK)
        status = vl_group_of(&experts, d->data, stride, &setting->cluster);
    if (setting->cluster.levels == 1) {
        common = in_one_ring(common);
        experts = in_one_ring(experts);
    }
    *seconds = 0;
    if (status == VL_OK)
        status = trips(seconds, &common, f->chip.common, count, setting, d->zero);
    if (status == VL_OK)
        status = trips(seconds, &experts, f->chip.experts, count, setting, d->zero);
    return status;
}

static enum vl_status tensor_seconds(double *seconds, const struct vl_forecast *f,
                                     const struct vl_setting *setting)
{
    struct vl_group group;
    double half = 0; /* an all-reduce is a reduce-scatter and an all-gather */
    enum vl_status status = vl_group_of(&group, f->division.tensor, 1, &setting->cluster);
    if (status == VL_OK)
        status =
            vl_group_gather_seconds(&half, &group, &setting->cluster, f->traffic.reduced_bytes);
    *seconds = 2 * half * f->traffic.reductions;
    return status;
}

static enum vl_status expert_seconds(double *seconds, const struct vl_forecast *f,
                                     const struct vl_group *group, const struct vl_setting *setting)
{
    double there = 0, back = 0;
    double out = setting->recipe.dispatch_bytes, home = setting->recipe.combine_bytes;
    enum vl_status status = vl_group_exchange_seconds(&there, group, &setting->cluster,
                                                      f->traffic.inside_elements * out,
                                                      f->traffic.across_elements * out);
    if (status == VL_OK)
        status = vl_group_exchange_seconds(&back, group, &setting->cluster,
                                           f->traffic.inside_elements * home,
                                           f->traffic.across_elements * home);
    *seconds = f->traffic.exchanges * (there + back);
    return status;
}

/* A stage's neighbours are in its own domain only if all stages are. */
static enum vl_status pipeline_seconds(double *seconds, const struct vl_forecast *f,
                                       const struct vl_setting *setting)
{
    struct vl_group group;
    const struct vl_division *d = &f->division;
    enum vl_status status =
        vl_group_of(&group, d->pipeline, d->tensor * d->expert * d->data, &setting->cluster);
    if (status != VL_OK)
        return status;
    const struct vl_link *link =
        group.across > 1 ? &setting->cluster.outer : &setting->cluster.inner;
    *seconds =
        f->traffic.boundaries * (link->latency + f->traffic.boundary_bytes / link->bandwidth);
    return VL_OK;
}

static enum vl_status roads(struct vl_forecast *f, const struct vl_setting *setting)
{
    struct vl_group group;
    struct vl_flowing *flowing = &f->loads.flowing;
    struct vl_traffic *traffic = &f->traffic;
    enum vl_status status =
        vl_group_of(&group, f->division.tensor * f->division.expert, 1, &setting->cluster);
    if (status == VL_OK)
        status = vl_planned_traffic(traffic, &f->chip, &group, setting, &f->division);
    if (status == VL_OK)
        status = tensor_seconds(&f->loads.tensor, f, setting);
    if (status == VL_OK)
        status = expert_seconds(&flowing->experts, f, &group, setting);
    if (status == VL_OK)
        status = pipeline_seconds(&flowing->pipeline, f, setting);
    if (status == VL_OK)
        status = data_seconds(&flowing->data, &traffic->each, f, setting);
    if (status == VL_OK)
        status = data_seconds(&f->loads.closing, &traffic->once, f, setting);
    flowing->data *= (double)f->division.micro_batches;
    return status;
}

enum vl_status vl_forecast_make(struct vl_forecast *forecast, const struct vl_setting *setting,
                                const struct vl_division *division)
{
    if (forecast == NULL || setting == NULL || division == NULL)
        return VL_EINVAL;
    enum vl_status status = vl_division_check(setting, division);
    *forecast = (struct vl_forecast){.division = *division};
    struct vl_forecast *f = forecast;
    if (status == VL_OK)
        status = vl_planned_chip(&f->chip, &setting->model, division);
    if (status == VL_OK)
        status = vl_planned_flops(&f->work, &setting->model, division->keep);
    if (status == VL_OK)
        status = vl_planned_state_bytes(&f->state_bytes, &f->chip, &setting->recipe, division);
    if (status == VL_OK)
        status = vl_planned_kept_bytes(&f->kept_bytes, &f->chip, setting, division);
    if (status == VL_OK)
        status = arithmetic(f, setting);
    if (status == VL_OK)
        status = roads(f, setting);
    if (status == VL_OK)
        status = vl_planned_step(&f->step, &f->loads, &f->work, setting, division);
    const struct vl_cluster *cluster = &setting->cluster;
    f->fits = f->state_bytes + f->kept_bytes + cluster->reserve_bytes <= cluster->memory_bytes;
    return status;
}
