/*
 * The batch of a step, and how many tokens it has over all replicas.
 */
#include "engine/model/inside.h"

enum vl_status vl_model_set_part(struct vl_model *model, const struct vl_model_batch *batch)
{
    size_t most = batch->micro_batches > 0
                      ? (batch->rows + batch->micro_batches - 1) / batch->micro_batches
                      : 0;
    if (batch->micro_batches == 0 || batch->total_rows == 0 || batch->total_rows < batch->rows ||
        (batch->rows > 0 && (batch->tokens == NULL || batch->targets == NULL)))
        return VL_EINVAL;
    if (most > model->rows)
        return VL_ESHAPE;
    model->batch = *batch;
    return VL_OK;
}

size_t vl_model_batch_tokens(const struct vl_model *model)
{
    return model->batch.total_rows * model->shape.sequence;
}

enum vl_status vl_model_set_batch(struct vl_model *model, const int32_t *tokens,
                                  const int32_t *targets, size_t rows_per_micro,
                                  size_t micro_batches)
{
    size_t rows = rows_per_micro * micro_batches;
    const struct vl_model_batch batch = {tokens, targets, rows, micro_batches, rows};
    return vl_model_set_part(model, &batch);
}
