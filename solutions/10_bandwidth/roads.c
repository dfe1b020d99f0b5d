/*
 * Lab 10: what travels, and how long it takes.
 */
#include "vialata/plan_roads.h"
#include "vialata/road_cost.h"

/* Each axis of the torus that a group reaches carries a part. */
static struct vl_road inner_road(const struct vl_cluster *cluster, size_t inside)
{
    double axes = 1;
    for (size_t half = inside / 2; half > 1 && axes < (double)cluster->torus; half /= 2)
        axes++;
    return (struct vl_road){cluster->inner.latency, 1 / (cluster->inner.bandwidth * axes)};
}

enum vl_status vl_group_gather_seconds(double *seconds, const struct vl_group *group,
                                       const struct vl_cluster *cluster, double bytes)
{
    double inside, across;
    if (seconds == NULL || group == NULL || cluster == NULL || group->inside == 0 ||
        group->across == 0)
        return VL_EINVAL;
    const struct vl_road inner = inner_road(cluster, group->inside);
    const struct vl_road outer = {cluster->outer.latency, 1 / cluster->outer.bandwidth};
    enum vl_status status = vl_all_gather_seconds(&inside, &inner, (int)group->inside, bytes);
    if (status == VL_OK)
        status = vl_all_gather_seconds(&across, &outer, (int)group->across,
                                       bytes / (double)group->inside);
    if (status == VL_OK)
        *seconds = inside + across;
    return status;
}

static enum vl_status experts_travel(struct vl_traffic *traffic, double elements,
                                     const struct vl_group *group, const struct vl_blueprint *model)
{
    double domains;
    enum vl_status status = vl_domains_met(&domains, model, group->across);
    if (status != VL_OK)
        return status;
    double inside = (double)group->inside, across = (double)group->across;
    traffic->inside_elements = elements * (double)model->chosen * (inside - 1) / inside;
    traffic->across_elements = elements * domains * (across - 1) / across;
    return VL_OK;
}

/* Gradients are summed; then the sum (stage 0) or the new weights (1, 2) are gathered. From stage 2
 * on each micro-batch adds to a shard. At stage 3 weights are gathered for forward and backward. */
static void data_travels(struct vl_traffic *traffic, size_t zero)
{
    static const struct vl_trips each[4] = {{0, 0}, {0, 0}, {1, 0}, {1, 2}};
    static const struct vl_trips once[4] = {{1, 1}, {1, 1}, {0, 1}, {0, 0}};
    traffic->each = each[zero];
    traffic->once = once[zero];
}

enum vl_status vl_planned_traffic(struct vl_traffic *traffic, const struct vl_chip *chip,
                                  const struct vl_group *group, const struct vl_setting *setting,
                                  const struct vl_division *division)
{
    if (traffic == NULL || chip == NULL || group == NULL || setting == NULL || division == NULL ||
        division->zero > 3)
        return VL_EINVAL;
    double m = (double)division->micro_batches, tensor = (double)division->tensor;
    double rows = (double)vl_division_rows(&setting->recipe, division);
    double elements = rows * (double)setting->model.sequence * (double)setting->model.width;
    enum vl_status status = VL_OK;
    *traffic = (struct vl_traffic){0};
    if (division->tensor > 1) {
        traffic->reduced_bytes = elements * setting->recipe.element_bytes;
        traffic->reductions = 4 * m * (double)(chip->dense_layers + chip->expert_layers);
    }
    if (chip->expert_layers > 0 && group->inside * group->across > 1) {
        status = experts_travel(traffic, elements / tensor, group, &setting->model);
        traffic->exchanges = 2 * m * (double)chip->expert_layers;
    }
    if (division->pipeline > 1) {
        traffic->boundary_bytes = elements / tensor * setting->recipe.element_bytes;
        traffic->boundaries = 2 * m * (double)division->chunks;
    }
    if (division->data * division->expert > 1)
        data_travels(traffic, division->zero);
    return status;
}
