/*
 * Lab 06, on paper, finished: what is sent.
 */
#include "vialata/tensor_parallel.h"

/* A layer enters and leaves twice: two sums forward, two backward. The embedding is left once, and
 * the head is entered once. */
enum vl_status vl_tensor_all_reduces(uint64_t *count, size_t layers)
{
    if (count == NULL)
        return VL_EINVAL;
    *count = 4 * (uint64_t)layers + 2;
    return VL_OK;
}

/* A ring all-reduce of n elements sends 2 n (t-1)/t from each rank. An all-gather of n elements
 * from each of t ranks, of t n in all, sends n (t-1). */
enum vl_status vl_tensor_sent_bytes(double *bytes, const struct vl_shape *shape, size_t rows,
                                    int ranks)
{
    uint64_t sums;
    if (bytes == NULL || shape == NULL || ranks < 1)
        return VL_EINVAL;
    enum vl_status status = vl_tensor_all_reduces(&sums, shape->layers);
    if (status != VL_OK)
        return status;
    double t = (double)ranks, n = (double)rows * (double)shape->sequence;
    double ring = 2.0 * (t - 1.0) / t;
    double layers = ring * n * (double)shape->width * (double)sums;
    double cross_entropy = (t - 1.0) * n + ring * 2.0 * n;
    *bytes = (double)sizeof(float) * (layers + cross_entropy);
    return VL_OK;
}
