/*
 * Lab 10: what a chip computes.
 */
#include "vialata/planner.h"

#include <math.h>

/* The products from the latents to q, k and v, forward, a token and layer. */
static double up_again(const struct vl_blueprint *m)
{
    double queries = (double)m->query_rank * (double)m->key_width;
    double others =
        (double)m->latent_rank * (double)(m->key_width - m->rope_width + m->value_width);
    return m->latent_rank == 0 ? 0 : 2 * (double)m->heads * (queries + others);
}

/* 6 for each parameter that multiplies. Attention in full: for each of T keys a score and a value,
 * a multiply and an add for each of their elements, three times with backward. */
enum vl_status vl_planned_flops(struct vl_work *work, const struct vl_blueprint *model,
                                enum vl_keep keep)
{
    struct vl_parameters count;
    if (work == NULL || model == NULL || keep < VL_KEEP_ALL || keep > VL_KEEP_INPUT ||
        vl_planned_parameters(&count, model) != VL_OK)
        return VL_EINVAL;
    double layers = (double)model->layers, heads = (double)model->heads;
    double attention = 6 * layers * heads * (double)model->sequence *
                       (double)(model->key_width + model->value_width);
    work->useful = 6 * (double)count.active + attention;
    work->head = 6 * (double)count.table;
    work->again = 0;
    if (keep == VL_KEEP_SELECTED)
        work->again = layers * up_again(model);
    if (keep == VL_KEEP_INPUT) /* forward is a third of it all */
        work->again = (work->useful - work->head) / 3;
    return VL_OK;
}

/* All stages wait for the slowest one, so it is as if each had as much to do. */
enum vl_status vl_planned_arithmetic(double *seconds, const struct vl_work *work,
                                     const struct vl_setting *setting,
                                     const struct vl_division *division)
{
    if (seconds == NULL || work == NULL || setting == NULL || division == NULL)
        return VL_EINVAL;
    const struct vl_cluster *cluster = &setting->cluster;
    size_t rows = vl_division_rows(&setting->recipe, division);
    double tokens = (double)(division->micro_batches * rows * setting->model.sequence);
    double layer = (work->useful + work->again - work->head) / (double)setting->model.layers;
    double first = layer * (double)vl_division_layers(&setting->model, division);
    double last = layer * (double)vl_division_last_layers(&setting->model, division) + work->head;
    *seconds = tokens * fmax(first, last) / (double)division->tensor /
               (cluster->peak * cluster->efficiency);
    return VL_OK;
}
