/*
 * Lab 06, on paper, finished: what is sent, and what is kept.
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

/* An all-gather to which each rank adds N/t rows: two inputs of each layer, and the head's. */
enum vl_status vl_tensor_again_bytes(uint64_t *bytes, const struct vl_shape *shape, size_t rows,
                                     int ranks)
{
    if (bytes == NULL || shape == NULL || ranks < 1)
        return VL_EINVAL;
    uint64_t t = (uint64_t)ranks, n = (uint64_t)rows * shape->sequence;
    uint64_t inputs = 2 * shape->layers + 1;
    *bytes = sizeof(float) * inputs * (t - 1) * (n / t) * shape->width;
    return VL_OK;
}

/* Outside: x, mid and two normed of D, and two numbers for 1/rms. Inside: q k v and attention of
 * 4 D, gate, up and active of 3 F, and H T probabilities, of which a rank has its part. */
enum vl_status vl_tensor_kept_bytes(uint64_t *bytes, const struct vl_shape *shape, size_t rows,
                                    int ranks, int sequence)
{
    if (bytes == NULL || shape == NULL || ranks < 1)
        return VL_EINVAL;
    uint64_t t = (uint64_t)ranks, n = (uint64_t)rows * shape->sequence;
    uint64_t own = sequence ? n / t : n;
    uint64_t outside = 4 * shape->width + 2;
    uint64_t inside = 4 * shape->width + 3 * shape->ff + shape->heads * shape->sequence;
    *bytes = sizeof(float) * shape->layers * (own * outside + n * inside / t);
    return VL_OK;
}
