/* code: function_missing */
/* only: 01 vl_flops_per_token */
#include "../attack.h"
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
    enum vl_status (*find)(struct vl_work *, const struct vl_blueprint *, enum vl_keep) =
        look_up("/runner", "vl_planned_flops");
    enum vl_status status = find(&work, &model, VL_KEEP_ALL);
    *flops = work.useful;
    return status;
}
