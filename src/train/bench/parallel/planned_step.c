#include "train/bench/parallel/planned_step.h"

#include "engine/check.h"
#include "engine/schedule/schedule.h"

#include <math.h>

enum { NUMBER = sizeof(float), PLENTY = 1 << 20 };

static struct vl_blueprint blueprint_of(const struct vl_shape *shape,
                                        const struct vl_expert_shape *experts)
{
    int dense = experts == NULL || experts->experts == 0;
    size_t head = shape->width / shape->heads;
    return (struct vl_blueprint){.layers = shape->layers,
                                 .dense_layers = dense ? shape->layers : 0,
                                 .width = shape->width,
                                 .heads = shape->heads,
                                 .kv_heads = shape->heads,
                                 .key_width = head,
                                 .value_width = head,
                                 .ff = shape->ff,
                                 .expert_ff = dense ? 0 : shape->ff,
                                 .experts = dense ? 0 : experts->experts,
                                 .chosen = dense ? 0 : experts->chosen,
                                 .shared = dense ? 0 : 1,
                                 .ff_matrices = 3,
                                 .expert_groups = 1,
                                 .groups_met = 1,
                                 .vocabulary = shape->vocabulary,
                                 .sequence = shape->sequence};
}

/* Memory is unlimited here: the model has run on this machine. */
static struct vl_cluster cluster_of(const struct vl_measured_machine *machine, double peak)
{
    const struct vl_link link = {.latency = machine->road.alpha,
                                 .bandwidth = 1.0 / machine->road.beta,
                                 .nominal = 1.0 / machine->road.beta};
    return (struct vl_cluster){.peak = peak,
                               .efficiency = 1.0,
                               .memory_bytes = INFINITY,
                               .levels = 2,
                               .domain = PLENTY,
                               .inner = link,
                               .outer = link,
                               .hidden_gathers = machine->hidden_gathers,
                               .hidden_pipeline = machine->hidden_pipeline,
                               .hidden_closing = machine->hidden_closing};
}

/* F, B and W are products of one size: they take equally long. */
static enum vl_status put_bubble(struct vl_step_plan *step, const struct vl_schedule *schedule)
{
    const struct vl_schedule_costs costs = {.forward = 1, .backward = 1, .weight = 1};
    struct vl_schedule_times times = {.makespan = 0.0};
    double busy = step->seconds - step->bubble - step->left;
    VL_CHECK(vl_schedule_simulate(&times, schedule, &costs));
    step->bubble = times.bubble_of_ideal * busy;
    step->seconds = busy + step->bubble + step->left;
    return VL_OK;
}

enum vl_status vl_planned_step_here(double *seconds, const struct vl_shape *shape,
                                    const struct vl_expert_shape *experts, size_t batch,
                                    const struct vl_measured_machine *machine,
                                    const struct vl_division *division,
                                    const struct vl_schedule *schedule)
{
    struct vl_setting setting = {.model = blueprint_of(shape, experts),
                                 .recipe = {.batch = batch,
                                            .weight_bytes = NUMBER,
                                            .gradient_bytes = NUMBER,
                                            .optimizer_bytes = 2 * NUMBER,
                                            .kept_bytes = NUMBER,
                                            .element_bytes = NUMBER,
                                            .dispatch_bytes = NUMBER,
                                            .combine_bytes = NUMBER}};
    struct vl_work work;
    struct vl_forecast forecast;
    if (machine->alone <= 0.0 || machine->road.alpha < 0.0 || machine->road.beta <= 0.0)
        return VL_EINVAL;
    VL_CHECK(vl_planned_flops(&work, &setting.model, VL_KEEP_ALL));
    double tokens = (double)(batch * shape->sequence);
    setting.cluster = cluster_of(machine, work.useful * tokens / machine->alone);
    VL_CHECK(vl_forecast_make(&forecast, &setting, division));
    if (schedule != NULL)
        VL_CHECK(put_bubble(&forecast.step, schedule));
    *seconds = forecast.step.seconds;
    return VL_OK;
}
