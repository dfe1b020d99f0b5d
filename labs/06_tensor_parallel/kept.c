/*
 * Lab 06, station 5: what is kept of a product's input.
 *
 * Begin with vl_tensor_kept_rows, and then look at what the engine does with your answer:
 *
 *     ./vialata grade 06 --only vl_tensor_kept_rows
 *
 * The contracts are in include/vialata/tensor_parallel.h, under "what is kept". You may call your
 * own operators.
 */
#include "vialata/tensor_parallel.h"

/* include/vialata/tensor_parallel.h: the rows for which there is memory until backward. */
enum vl_status vl_tensor_kept_rows(size_t *rows, size_t n, const struct vl_tensor_group *group)
{
    (void)rows;
    (void)n;
    (void)group;
    /* TODO(06): which rows can the other ranks give back later, and which can they not? */
    return VL_TODO;
}

/* include/vialata/tensor_parallel.h: before a product in forward. */
enum vl_status vl_tensor_input_forward(float *whole, float *kept, size_t n, size_t d,
                                       const struct vl_tensor_group *group)
{
    (void)whole;
    (void)kept;
    (void)n;
    (void)d;
    (void)group;
    /* TODO(06): keep this rank's rows; where in whole do they begin? Then enter. */
    return VL_TODO;
}

/* include/vialata/tensor_parallel.h: before the gradient of that product's weights. */
enum vl_status vl_tensor_input_backward(float *whole, const float *kept, size_t n, size_t d,
                                        const struct vl_tensor_group *group)
{
    (void)whole;
    (void)kept;
    (void)n;
    (void)d;
    (void)group;
    /* TODO(06): what is in whole by now? Bring back all of its rows. */
    return VL_TODO;
}
