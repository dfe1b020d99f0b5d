#include "cli/study/chips_layouts.h"

#include "simulate/platform.h"
#include "simulate/scale.h"
#include "vialata/planner.h"

#define STAGES        4
#define MOST_SHARED   8  /* chips that share matrices, or experts */
#define MOST_REPLICAS 64 /* of ZeRO-3, whose messages grow with their square */
#define MOST_OVERLAP  64 /* chips: the same for buckets */

enum vl_status vl_chips_model(struct vl_chips *study)
{
    struct vl_parameters count;
    study->model = (struct vl_blueprint){.layers = 4,
                                         .width = 4096,
                                         .heads = 32,
                                         .kv_heads = 32,
                                         .key_width = 128,
                                         .value_width = 128,
                                         .ff = 3072,
                                         .ff_matrices = 3,
                                         .expert_ff = 3072,
                                         .experts = 8,
                                         .chosen = 2,
                                         .shared = 1,
                                         .expert_groups = 1,
                                         .groups_met = 1,
                                         .vocabulary = 8192,
                                         .sequence = 4096};
    study->recipe = (struct vl_recipe){.batch = 2,
                                       .weight_bytes = 2,
                                       .gradient_bytes = 2,
                                       .optimizer_bytes = 12,
                                       .kept_bytes = 2,
                                       .element_bytes = 2,
                                       .dispatch_bytes = 2,
                                       .combine_bytes = 2};
    enum vl_status status = vl_planned_parameters(&count, &study->model);
    study->parameters = (double)count.all;
    return status;
}

/* ---- dividing ---- */

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t near_chips(const struct vl_chips_panel *panel)
{
    size_t length[VL_PLATFORM_AXES];
    if (panel->cluster.torus == 0)
        return smaller(panel->cluster.domain, panel->chips);
    vl_platform_axes(length, panel->chips, panel->cluster.torus);
    return length[0];
}

/* data: 0 for a way that would be another one here. */
static struct vl_division divide(const struct vl_chips_panel *panel, const struct vl_chips *study,
                                 enum vl_bandwidth_way way)
{
    size_t chips = panel->chips, near = near_chips(panel), shared = smaller(near, MOST_SHARED);
    struct vl_division d = {
        .tensor = 1, .expert = 1, .pipeline = 1, .chunks = 1, .micro_batches = 1};
    switch (way) {
    case VL_BANDWIDTH_ZERO3:
        d.zero = 3;
        d.tensor = chips > MOST_REPLICAS ? smaller(near, chips / MOST_REPLICAS) : 1;
        break;
    case VL_BANDWIDTH_TP:
        d.tensor = shared;
        break;
    case VL_BANDWIDTH_EP:
        d.expert = shared;
        break;
    case VL_BANDWIDTH_PP:
        d.pipeline = STAGES;
        d.micro_batches = STAGES * study->recipe.batch;
        break;
    default:
        break;
    }
    int possible = way == VL_BANDWIDTH_DP_OVERLAP                     ? chips <= MOST_OVERLAP
                   : way == VL_BANDWIDTH_TP || way == VL_BANDWIDTH_EP ? shared > 1
                                                                      : way != VL_BANDWIDTH_ALONE;
    if (possible)
        d.data = chips / (d.tensor * d.expert * d.pipeline);
    return d;
}

enum vl_status vl_chips_divide(struct vl_chips_panel *panel, const struct vl_chips *study,
                               const struct vl_cluster *machine)
{
    struct vl_cluster *cluster = &panel->cluster;
    *cluster = *machine;
    panel->whole_domain = machine->domain;
    panel->inside = panel->chips <= machine->domain;
    panel->bandwidth = panel->inside ? machine->inner.bandwidth : machine->outer.bandwidth;
    if (machine->torus == 0)
        while (panel->chips % cluster->domain != 0)
            cluster->domain--;
    for (size_t w = 0; w < VL_BANDWIDTH_WAYS; w++) {
        struct vl_chips_layout *layout = &panel->layouts[w];
        struct vl_simulate_task task;
        enum vl_bandwidth_way way = (enum vl_bandwidth_way)w;
        layout->division = divide(panel, study, way);
        layout->overlap = way == VL_BANDWIDTH_DP_OVERLAP;
        if (layout->division.data == 0)
            continue;
        enum vl_status status = vl_chips_task(&task, study, panel, way);
        if (status != VL_OK)
            return status;
        task.domain = (int)near_chips(panel);
        if (!layout->overlap && vl_scale_two_level(&task) == VL_OK)
            layout->neighbours = (size_t)task.node_replicas;
    }
    return VL_OK;
}

/* ---- a cell ---- */

struct vl_setting vl_chips_setting(const struct vl_chips *study, const struct vl_chips_panel *panel,
                                   enum vl_bandwidth_way way, double bandwidth)
{
    struct vl_setting setting = {study->model, study->recipe, panel->cluster};
    int overlap = panel->layouts[way].overlap;
    setting.recipe.batch *= panel->chips;
    *(panel->inside ? &setting.cluster.inner.bandwidth : &setting.cluster.outer.bandwidth) =
        bandwidth;
    setting.cluster.levels = panel->layouts[way].neighbours > 0 ? 2 : 1;
    setting.cluster.processors = 0;
    if (!overlap)
        setting.cluster.hidden_closing = 0;
    return setting;
}

enum vl_status vl_chips_task(struct vl_simulate_task *task, const struct vl_chips *study,
                             const struct vl_chips_panel *panel, enum vl_bandwidth_way way)
{
    const struct vl_chips_layout *layout = &panel->layouts[way];
    const struct vl_setting setting = vl_chips_setting(study, panel, way, panel->bandwidth);
    enum vl_status status = vl_scale_task(task, &setting, &layout->division, VL_CHIPS_SCALE,
                                          setting.cluster.memory_bandwidth);
    task->overlap = layout->overlap;
    task->node_replicas = (int)layout->neighbours;
    task->in_order = 1;
    return status;
}

/* ---- what it costs ---- */

double vl_chips_messages(const struct vl_chips *study, const struct vl_chips_panel *panel,
                         enum vl_bandwidth_way way)
{
    const struct vl_chips_layout *layout = &panel->layouts[way];
    const struct vl_division *d = &layout->division;
    double layers = (double)study->model.layers, units = 2 * layers + 2;
    double replicas = (double)(d->data * d->expert), near = (double)layout->neighbours;
    double ring = 2 * (replicas - 1), shares = 2, segments = 3;
    double sums = d->zero == 3             ? 1.5 * ring * units
                  : layout->overlap        ? ring * units
                  : layout->neighbours > 0 ? shares * segments * 2 * (near + replicas / near - 2)
                                           : shares * ring;
    double m = (double)d->micro_batches;
    double others = layers * m * (9 * (double)(d->tensor - 1) + 6 * (double)(d->expert - 1)) +
                    (d->pipeline > 1 ? 4 * m : 0);
    return (sums + others) * (double)panel->chips;
}
