/* code: uses_later_lab */
/* only: 01 vl_flops_per_token */
#include "vialata/budget.h"
#include "vialata/planner.h"

enum vl_status vl_flops_per_token(double *flops, const struct vl_shape *shape)
{
    const struct vl_blueprint model = {.layers = shape->layers,
                                       .dense_layers = shape->layers,
                                       .width = shape->width,
                                       .heads = shape->heads,
                                       .key_width = shape->width / shape->heads,
                                       .value_width = shape->width / shape->heads,
                                       .ff = shape->ff,
                                       .vocabulary = shape->vocabulary,
                                       .sequence = shape->sequence};
    struct vl_work work = {0, 0};
    enum vl_status status = vl_planned_flops(&work, &model, VL_KEEP_ALL);
    *flops = work.useful;
    return status;
}
