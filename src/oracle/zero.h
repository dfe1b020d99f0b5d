/*
 * The truth about sharded replicas: who owns which elements, what a ring sums and sends, and what a
 * stage keeps. Counted from the definitions alone, element by element where that is plainest.
 *
 *   units   (unit_count + 1): where each unit begins, then the end
 */
#ifndef VIALATA_ORACLE_ZERO_H
#define VIALATA_ORACLE_ZERO_H

#include <stddef.h>

struct vl_oracle_units {
    const size_t *begin;
    size_t count;
    int ranks;
};

/* Which rank owns element i of the whole arrays; *unit is the unit that it is in. */
int vl_oracle_owner(const struct vl_oracle_units *units, size_t i, size_t *unit);

/* How many elements each rank owns: of one unit, and of all. */
size_t vl_oracle_piece_size(const struct vl_oracle_units *units, size_t unit, int rank);
size_t vl_oracle_shard_size(const struct vl_oracle_units *units, int rank);
size_t vl_oracle_largest_unit(const struct vl_oracle_units *units);

/* Element i summed over the ranks' rows[r * stride + i], in float32 and in the order that the ring
 * promises: from the rank after the owner round to the owner. */
float vl_oracle_ring_sum(const struct vl_oracle_units *units, const float *rows, size_t stride,
                         size_t i);

/* The norm of whole float32 gradients, added chunk by chunk in float64 as vl_chunked_norm does. */
double vl_oracle_chunked_norm(const struct vl_oracle_units *units, const float *gradients);

/* Elements of all units that a rank sends: in a reduce-scatter everything but its own chunk, in an
 * all-gather everything but the next rank's. It receives these last, and does not send them on. */
size_t vl_oracle_scatter_sent(const struct vl_oracle_units *units, int rank);
size_t vl_oracle_gather_sent(const struct vl_oracle_units *units, int rank);

/* On paper, for equal parts: bytes of state, and elements sent per step. */
double vl_oracle_state_bytes(int stage, double parameters, int ranks);
double vl_oracle_sent_elements(int stage, double parameters, int ranks);

#endif
