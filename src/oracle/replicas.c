#include "oracle/replicas.h"

static int modulo(int a, int n)
{
    return ((a % n) + n) % n;
}

size_t vl_oracle_chunk_size(size_t n, int chunk, int ranks)
{
    size_t size = 0;
    /* Deal the elements out one by one: how many come to this chunk? */
    for (size_t i = (size_t)modulo(chunk, ranks); i < n; i += (size_t)ranks)
        size++;
    return size;
}

void vl_oracle_ring(size_t *sent, size_t *received, size_t n, int rank, int ranks)
{
    *sent = *received = 0;
    for (int step = 0; step < 2 * (ranks - 1); step++) {
        /* Chunk c begins at rank c + 1 and moves on by one rank per step, almost twice round. */
        *sent += vl_oracle_chunk_size(n, rank - 1 - step, ranks);
        *received += vl_oracle_chunk_size(n, rank - 2 - step, ranks);
    }
}

size_t vl_oracle_buckets(size_t *started, size_t *open_end, const size_t *units, size_t unit_count,
                         size_t bucket_bytes)
{
    size_t buckets = 0, end = unit_count > 0 ? units[unit_count] : 0;
    for (size_t i = 0; i < unit_count; i++) {
        size_t unit = unit_count - 1 - i;
        if (unit == 0 || (end - units[unit]) * sizeof(float) >= bucket_bytes) {
            buckets++;
            end = units[unit];
        }
        started[i] = buckets;
        open_end[i] = end;
    }
    return buckets;
}
