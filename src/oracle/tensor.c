#include "oracle/tensor.h"

#include "oracle/collectives.h"

#define RANKS 64 /* most that are counted here */

typedef void (*half_fn)(uint64_t *sent, uint64_t *received, size_t n, int ranks);

/* Where all chunks are equally long, each of their elements goes round like the first one. */
static uint64_t half(half_fn go_round, size_t n, int rank, int ranks)
{
    uint64_t sent[RANKS] = {0}, received[RANKS] = {0};
    size_t each = n % (size_t)ranks == 0 ? n / (size_t)ranks : 1;
    go_round(sent, received, each > 0 ? n / each : 0, ranks);
    return each * sent[rank];
}

uint64_t vl_oracle_scatter_half_sent(size_t n, int rank, int ranks)
{
    return half(vl_oracle_ring_reduce_scatter, n, rank, ranks);
}

uint64_t vl_oracle_gather_half_sent(size_t n, int rank, int ranks)
{
    return half(vl_oracle_ring_all_gather, n, rank, ranks);
}

uint64_t vl_oracle_all_reduce_sent(size_t n, int rank, int ranks)
{
    return vl_oracle_scatter_half_sent(n, rank, ranks) + vl_oracle_gather_half_sent(n, rank, ranks);
}

uint64_t vl_oracle_cross_entropy_sent(size_t n, int rank, int ranks)
{
    size_t maxima = 0, sums_and_targets = 0;
    for (int of = 0; of < ranks; of++)
        maxima += n;
    for (size_t token = 0; token < n; token++)
        sums_and_targets += 2;
    return vl_oracle_gather_half_sent(maxima, rank, ranks) +
           vl_oracle_all_reduce_sent(sums_and_targets, rank, ranks);
}

uint64_t vl_oracle_tensor_sums(size_t layers)
{
    uint64_t sums = 0;
    sums++; /* forward: the embedding is left */
    for (size_t layer = 0; layer < layers; layer++)
        for (int part = 0; part < 2; part++) { /* attention, feed-forward */
            sums++;                            /* forward: it is left */
            sums++;                            /* backward: it was entered */
        }
    sums++; /* backward: the head was entered */
    return sums;
}

uint64_t vl_oracle_tensor_again(const struct vl_oracle_tensor_shape *shape)
{
    uint64_t again = 0;
    if (!shape->shared)
        return again;
    for (size_t layer = 0; layer < shape->layers; layer++) {
        again++; /* for q, k, v */
        again++; /* for gate, up */
    }
    again++; /* for the head */
    return again;
}

uint64_t vl_oracle_tensor_sent(const struct vl_oracle_tensor_shape *shape, int rank)
{
    uint64_t sent = 0, sums = vl_oracle_tensor_sums(shape->layers);
    for (uint64_t k = 0; k < sums; k++)
        sent += vl_oracle_all_reduce_sent(shape->tokens * shape->width, rank, shape->ranks);
    for (uint64_t k = 0, again = vl_oracle_tensor_again(shape); k < again; k++)
        sent += vl_oracle_gather_half_sent(shape->tokens * shape->width, rank, shape->ranks);
    return sent + vl_oracle_cross_entropy_sent(shape->tokens, rank, shape->ranks);
}

uint64_t vl_oracle_tensor_kept(const struct vl_oracle_tensor_shape *shape)
{
    size_t t = (size_t)shape->ranks, d = shape->width, part = d / t, kept = 0;
    size_t own = shape->shared ? shape->tokens / t : shape->tokens;
    for (size_t layer = 0; layer < shape->layers; layer++)
        for (size_t token = 0; token < shape->tokens; token++) {
            if (token < own) {
                kept += d + 1 + d; /* x, 1/rms, normed */
                kept += d + 1 + d; /* mid, 1/rms, normed */
            }
            kept += 3 * part + part;                     /* q, k, v; attention */
            kept += shape->heads / t * shape->length;    /* probabilities */
            kept += 2 * (shape->ff / t) + shape->ff / t; /* gate, up; active */
        }
    return kept;
}

uint64_t vl_oracle_tensor_weights(const struct vl_oracle_tensor_shape *shape)
{
    size_t d = shape->width, t = (size_t)shape->ranks, whole = 0, shared = 0;
    for (size_t layer = 0; layer < shape->layers; layer++) {
        whole += d + d;                              /* two gains */
        shared += 3 * d * d + d * d;                 /* q, k, v, o */
        shared += 2 * shape->ff * d + d * shape->ff; /* gate, up, down */
    }
    whole += d;
    shared += 2 * shape->vocabulary * d; /* table and head */
    return whole + shared / t;
}
