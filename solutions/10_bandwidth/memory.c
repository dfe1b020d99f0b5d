/*
 * Lab 10: what a chip holds.
 */
#include "vialata/planner.h"
#include "vialata/schedule.h"

/* Bytes of state of parameters that 'replicas' chips have in common. */
static double state_of(double parameters, double replicas, const struct vl_recipe *recipe,
                       size_t zero)
{
    double weights = recipe->weight_bytes / (zero >= 3 ? replicas : 1);
    double gradients = recipe->gradient_bytes / (zero >= 2 ? replicas : 1);
    double optimizer = recipe->optimizer_bytes / (zero >= 1 ? replicas : 1);
    return parameters * (weights + gradients + optimizer);
}

enum vl_status vl_planned_state_bytes(double *bytes, const struct vl_chip *chip,
                                      const struct vl_recipe *recipe,
                                      const struct vl_division *division)
{
    if (bytes == NULL || chip == NULL || recipe == NULL || division == NULL)
        return VL_EINVAL;
    double data = (double)division->data, all = data * (double)division->expert;
    *bytes = state_of(chip->common, all, recipe, division->zero) +
             state_of(chip->experts, data, recipe, division->zero);
    if (division->zero >= 2)
        *bytes += chip->unit * recipe->gradient_bytes;
    if (division->zero >= 3)
        *bytes += chip->unit * recipe->weight_bytes;
    return VL_OK;
}

/* Elements that one token leaves in one layer: the table of the header, column by column. */
static double kept_of(const struct vl_blueprint *m, int has_experts, enum vl_keep keep)
{
    double d = (double)m->width, heads = (double)m->heads, value = (double)m->value_width;
    double shared = (double)m->kv_heads, key = (double)m->key_width;
    double qkv = heads * key + shared * (key + value);
    double latents = 0, rows = 0, ff = (double)m->ff, before = (double)(m->ff_matrices - 1);
    if (m->latent_rank > 0)
        latents = (double)(m->query_rank + m->latent_rank + m->rope_width);
    if (has_experts) {
        rows = (double)m->chosen * d;
        ff = (double)(m->chosen + m->shared) * (double)m->expert_ff;
    }
    if (keep == VL_KEEP_INPUT)
        return d;
    double selected = 2 * d + latents + heads * value + rows + before * ff;
    if (keep == VL_KEEP_SELECTED)
        return selected + (m->latent_rank > 0 ? 0 : qkv);
    return selected + 2 * d + qkv + ff;
}

/* Micro-batches alive on the first stage; a live chunk counts as 1/v of one. */
static enum vl_status alive(double *stages, const struct vl_division *d)
{
    size_t live = 0;
    enum vl_status status =
        d->chunks == 1 ? vl_live_1f1b(&live, d->pipeline, d->micro_batches, 0)
                       : vl_live_interleaved(&live, d->pipeline, d->chunks, d->micro_batches, 0);
    *stages = (double)live / (double)d->chunks;
    return status;
}

enum vl_status vl_planned_kept_bytes(double *bytes, const struct vl_chip *chip,
                                     const struct vl_setting *setting,
                                     const struct vl_division *division)
{
    double stages;
    if (bytes == NULL || chip == NULL || setting == NULL || division == NULL)
        return VL_EINVAL;
    enum vl_status status = alive(&stages, division);
    if (status != VL_OK)
        return status;
    const struct vl_blueprint *model = &setting->model;
    double elements = 0, again = 0;
    const size_t layers[2] = {chip->dense_layers, chip->expert_layers};
    for (int kind = 0; kind < 2; kind++) {
        double kept = kept_of(model, kind, division->keep);
        double more = kept_of(model, kind, VL_KEEP_ALL) - kept;
        elements += (double)layers[kind] * kept;
        if (layers[kind] > 0 && more > again)
            again = more;
    }
    double tokens = (double)(vl_division_rows(&setting->recipe, division) * model->sequence);
    *bytes = (stages * elements + again) * tokens / (double)division->tensor *
             setting->recipe.kept_bytes;
    return VL_OK;
}
