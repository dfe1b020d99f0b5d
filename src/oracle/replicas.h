/*
 * The truth about replicas, on paper: what travels round a ring, and where buckets close.
 */
#ifndef VIALATA_ORACLE_REPLICAS_H
#define VIALATA_ORACLE_REPLICAS_H

#include <stddef.h>

/* Elements of chunk 'chunk' (any number: taken modulo ranks) of n. */
size_t vl_oracle_chunk_size(size_t n, int chunk, int ranks);

/* Elements that a rank sends, and receives, in a ring all-reduce of n: walked step by step. */
void vl_oracle_ring(size_t *sent, size_t *received, size_t n, int rank, int ranks);

/*
 * Where buckets close. Units become ready from the last to the first; a bucket takes units until it
 * holds bucket_bytes, and unit 0 closes the last. started[i] and open_end[i] are those fields of
 * struct vl_buckets after the i-th unit became ready (i = 0: the last unit). Returns the number of
 * buckets.
 */
size_t vl_oracle_buckets(size_t *started, size_t *open_end, const size_t *units, size_t unit_count,
                         size_t bucket_bytes);

#endif
