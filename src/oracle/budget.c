#include "oracle/budget.h"

#include "oracle/layout.h"

#include <stdlib.h>

enum vl_status vl_oracle_parameter_count(uint64_t *all, uint64_t *multiplying,
                                         const struct vl_oracle_shape *shape)
{
    size_t count;
    struct vl_oracle_tensor *tensors = vl_oracle_layout(&count, shape);
    if (!tensors)
        return VL_ENOMEM;
    *all = *multiplying = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t row = 0; row < tensors[i].rows; row++) {
            *all += tensors[i].cols;
            if (tensors[i].multiplies)
                *multiplying += tensors[i].cols;
        }
    }
    free(tensors);
    return VL_OK;
}

/* A product (1,in) x (in,out): each of 'out' sums takes 'in' multiplications and additions. */
static double product(size_t in, size_t out)
{
    double operations = 0;
    for (size_t o = 0; o < out; o++)
        operations += 2 * (double)in;
    return operations;
}

enum vl_status vl_oracle_flops_per_token(double *flops, const struct vl_oracle_shape *shape)
{
    size_t count;
    struct vl_oracle_tensor *tensors = vl_oracle_layout(&count, shape);
    if (!tensors)
        return VL_ENOMEM;
    *flops = 0;
    for (size_t i = 0; i < count; i++) {
        if (!tensors[i].multiplies)
            continue;
        *flops += product(tensors[i].cols, tensors[i].rows); /* forward */
        *flops += product(tensors[i].rows, tensors[i].cols); /* gradient of the input */
        *flops += product(tensors[i].cols, tensors[i].rows); /* dw: as many, each added to it */
    }
    size_t head_width = shape->width / shape->heads;
    for (size_t head = 0; head < shape->layers * shape->heads; head++) {
        double scores = product(head_width, shape->sequence);  /* q . k for all T keys */
        double average = product(shape->sequence, head_width); /* of T values */
        *flops += scores + average;
        *flops += 2 * scores + 2 * average; /* dq, dk; dp, dv: as large, two for each */
    }
    free(tensors);
    return VL_OK;
}

double vl_oracle_mfu(double tokens_per_second, double flops_per_token, double peak)
{
    double seconds_at_peak = flops_per_token / peak; /* for one token */
    return seconds_at_peak * tokens_per_second;
}
