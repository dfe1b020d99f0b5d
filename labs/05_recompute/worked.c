/*
 * Lab 05, given: the literature's rule, to compare with your own closed form.
 */
#include "vialata/recompute.h"

enum vl_status vl_activation_rule_bytes(double *bytes, const struct vl_shape *shape, size_t rows)
{
    if (bytes == NULL || shape == NULL || shape->width == 0)
        return VL_EINVAL;
    double s = (double)shape->sequence, b = (double)rows, h = (double)shape->width;
    double a = (double)shape->heads;
    *bytes = s * b * h * (34.0 + 5.0 * a * s / h);
    return VL_OK;
}
