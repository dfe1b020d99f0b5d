/*
 * Tensor parallelism, counted by walking through the model and round the ring, without a formula.
 */
#ifndef VIALATA_ORACLE_TENSOR_H
#define VIALATA_ORACLE_TENSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Elements that one rank sends in an all-reduce, a reduce-scatter, an all-gather of n. */
uint64_t vl_oracle_all_reduce_sent(size_t n, int rank, int ranks);
uint64_t vl_oracle_scatter_half_sent(size_t n, int rank, int ranks);
uint64_t vl_oracle_gather_half_sent(size_t n, int rank, int ranks);

/* Elements of the cross-entropy of n tokens: maxima are gathered, sums and targets are summed. */
uint64_t vl_oracle_cross_entropy_sent(size_t n, int rank, int ranks);

/* All-reduces of a forward and a backward through 'layers' layers, embedding and head. */
uint64_t vl_oracle_tensor_sums(size_t layers);

struct vl_oracle_tensor_shape {
    size_t layers, width, ff, vocabulary;
    size_t heads, length, tokens; /* length: of a sequence; tokens: of a micro-batch */
    int ranks;
    bool shared; /* the tokens are shared out between the layers' halves */
};

/* Inputs of a forward and a backward that backward gathers once more. */
uint64_t vl_oracle_tensor_again(const struct vl_oracle_tensor_shape *shape);

/* Elements one rank sends in a forward and a backward; elements that the layers' forward leaves for
 * backward; elements of weights a rank holds. */
uint64_t vl_oracle_tensor_sent(const struct vl_oracle_tensor_shape *shape, int rank);
uint64_t vl_oracle_tensor_kept(const struct vl_oracle_tensor_shape *shape);
uint64_t vl_oracle_tensor_weights(const struct vl_oracle_tensor_shape *shape);

#endif
