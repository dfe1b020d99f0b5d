/*
 * Collectives and their cost, worked out step by step, without the formulas that a lab asks for.
 */
#ifndef VIALATA_ORACLE_COLLECTIVES_H
#define VIALATA_ORACLE_COLLECTIVES_H

#include <stddef.h>
#include <stdint.h>

/* Elements of chunk r: dealt out like cards, one to each rank in turn, then put together again. */
size_t vl_oracle_chunk_count(size_t n, int rank, int ranks);
size_t vl_oracle_chunk_first(size_t n, int rank, int ranks);

/* Sum of element i over the rows of data (ranks, n), beginning with row 'first' and going round:
 * rounded to float32 after each addition, or in float64. */
float vl_oracle_sum_in_order(const float *data, size_t n, size_t i, int first, int ranks);
double vl_oracle_sum(const float *data, size_t n, size_t i, int ranks);

/* Elements that each rank sends and receives on a ring, added to sent (ranks), received (ranks). */
void vl_oracle_ring_reduce_scatter(uint64_t *sent, uint64_t *received, size_t n, int ranks);
void vl_oracle_ring_all_gather(uint64_t *sent, uint64_t *received, size_t n, int ranks);

/* Messages that each rank sends in a tree: in each round every rank that has the data sends it on,
 * as long as there is a rank without it. Added to sent (ranks); rank 0 is the root. */
void vl_oracle_tree(uint64_t *sent, int ranks);

/* Seconds, with alpha per message and beta per byte, added up step by step. */
struct vl_oracle_road {
    double alpha, beta;
};
double vl_oracle_tree_seconds(struct vl_oracle_road road, int ranks, double bytes);
double vl_oracle_ring_seconds(struct vl_oracle_road road, int ranks, double bytes, int rounds);

#endif
