/* code: uses_reserved_name */
/* only: 01 vl_parameter_count */
#include "vialata/budget.h"

size_t vl_layout_parameters(const struct vl_shape *shape, const void *experts);

enum vl_status vl_parameter_count(uint64_t *all, uint64_t *multiplying,
                                  const struct vl_shape *shape)
{
    struct vl_shape without = *shape; /* one vocabulary less is the head and the table's rows */
    without.vocabulary = 0;
    *all = vl_layout_parameters(shape, NULL);
    *multiplying = *all - (*all - vl_layout_parameters(&without, NULL)) / 2 -
                   (2 * shape->layers + 1) * shape->width;
    return VL_OK;
}
