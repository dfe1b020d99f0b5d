#include "engine/model/model.h"

enum vl_status vl_shape_check(const struct vl_shape *shape)
{
    const size_t limit = (size_t)1 << 24; /* keeps every product of two sizes far from overflow */
    const size_t sizes[] = {shape->layers, shape->width,      shape->heads,
                            shape->ff,     shape->vocabulary, shape->sequence};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (sizes[i] == 0 || sizes[i] > limit)
            return VL_ESHAPE;
    if (shape->width % shape->heads != 0 || shape->width / shape->heads % 2 != 0)
        return VL_ESHAPE;
    return VL_OK;
}
