#include "simulate/scale.h"

#include "vialata/recompute.h"

#define FLOAT_BYTES    4.0
#define MOST_SCALE     64
#define LEAST_WIDTH    64
#define LEAST_SEQUENCE 32
#define BUCKET_BYTES   25e6 /* as `train --bucket-bytes` has it */

static size_t divided_up(size_t n, size_t s, size_t ranks)
{
    size_t small = (n + s - 1) / s;
    return (small + ranks - 1) / ranks * ranks;
}

/* As many heads as the model has, or as many as D' has room for: pairs of columns each. 0: the
 * tensor ranks cannot share them. */
static size_t heads_of(const struct vl_blueprint *model, size_t width, size_t tensor)
{
    for (size_t heads = model->heads; heads > 0; heads--)
        if (heads % tensor == 0 && width % (2 * heads) == 0)
            return heads;
    return 0;
}

static int divides(const struct vl_blueprint *model, size_t s, size_t tensor)
{
    return s > 0 && model->width % s == 0 && model->sequence % s == 0 &&
           heads_of(model, model->width / s, tensor) > 0 && model->sequence / s % tensor == 0;
}

size_t vl_scale_choose(const struct vl_setting *setting, const struct vl_division *division)
{
    const struct vl_blueprint *m = &setting->model;
    for (size_t s = MOST_SCALE; s > 1; s /= 2)
        if (m->width / s >= LEAST_WIDTH && m->sequence / s >= LEAST_SEQUENCE &&
            divides(m, s, division->tensor))
            return s;
    return 1;
}

static enum vl_recompute recompute_of(enum vl_keep keep)
{
    return keep == VL_KEEP_INPUT ? VL_RECOMPUTE_FULL
           : keep == VL_KEEP_ALL ? VL_RECOMPUTE_NONE
                                 : VL_RECOMPUTE_SELECTIVE;
}

enum vl_status vl_scale_task(struct vl_simulate_task *task, const struct vl_setting *setting,
                             const struct vl_division *division, size_t s, double memory)
{
    const struct vl_blueprint *m = &setting->model;
    const struct vl_recipe *recipe = &setting->recipe;
    const struct vl_cluster *cluster = &setting->cluster;
    if (!divides(m, s, division->tensor))
        return VL_ESHAPE;
    size_t tensor = division->tensor, width = m->width / s;
    double two = (double)s * (double)s, three = two * (double)s;
    if (memory <= 0)
        memory = cluster->peak / VL_SIMULATE_FLOPS_PER_BYTE;
    *task = (struct vl_simulate_task){
        .shape = {.layers = m->layers,
                  .width = width,
                  .heads = heads_of(m, width, tensor),
                  .ff = divided_up(m->experts > 0 ? m->expert_ff : m->ff, s, tensor),
                  .vocabulary = divided_up(m->vocabulary, s, tensor),
                  .sequence = m->sequence / s},
        .experts = {.experts = m->experts, .chosen = m->chosen, .scale = 1},
        .data = (int)division->data,
        .expert = (int)division->expert,
        .tensor = (int)tensor,
        .pipeline = (int)division->pipeline,
        .chunks = division->chunks,
        .micro_batches = division->micro_batches,
        .zero = (int)division->zero,
        .recompute = (int)recompute_of(division->keep),
        .overlap = 1,
        .sequence_parallel = tensor > 1,
        .batch = recipe->batch,
        .bucket_bytes = (size_t)(BUCKET_BYTES / two) + 1,
        .flops = cluster->peak * cluster->efficiency / three,
        .memory = memory / two,
        .element_bytes = recipe->element_bytes,
        .state_bytes = recipe->weight_bytes + recipe->gradient_bytes + 2 * recipe->optimizer_bytes,
        .slower = m->experts > 0 ? vl_scale_bytes(1, recipe, s) : 0,
        .domain = (int)cluster->domain};
    return VL_OK;
}

/* The ranks of a tensor group are neighbours, and then the replicas of a stage are. */
enum vl_status vl_scale_two_level(struct vl_simulate_task *task)
{
    int replicas = task->data * task->expert, each = task->domain / task->tensor;
    if (task->zero > 0 || task->domain % task->tensor != 0 || each < 2 || each >= replicas ||
        replicas % each != 0)
        return VL_ESHAPE;
    task->node_replicas = each;
    task->overlap = 0;
    return VL_OK;
}

struct vl_link vl_scale_link(const struct vl_link *link, const struct vl_recipe *recipe, size_t s)
{
    double less = (double)s * (double)s * recipe->element_bytes / FLOAT_BYTES;
    return (struct vl_link){.latency = link->latency,
                            .bandwidth = link->bandwidth / less,
                            .nominal = link->nominal / less};
}

struct vl_cluster vl_scale_cluster(const struct vl_cluster *cluster, const struct vl_recipe *recipe,
                                   size_t s)
{
    struct vl_cluster scaled = *cluster;
    scaled.inner = vl_scale_link(&cluster->inner, recipe, s);
    scaled.outer = vl_scale_link(&cluster->outer, recipe, s);
    return scaled;
}

double vl_scale_bytes(double bytes, const struct vl_recipe *recipe, size_t s)
{
    return bytes * (double)s * (double)s * recipe->element_bytes / FLOAT_BYTES;
}
