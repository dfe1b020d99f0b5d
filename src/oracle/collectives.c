#include "oracle/collectives.h"

size_t vl_oracle_chunk_count(size_t n, int rank, int ranks)
{
    size_t count = 0;
    for (size_t card = (size_t)rank; card < n; card += (size_t)ranks)
        count++;
    return count;
}

size_t vl_oracle_chunk_first(size_t n, int rank, int ranks)
{
    size_t first = 0;
    for (int before = 0; before < rank; before++)
        first += vl_oracle_chunk_count(n, before, ranks);
    return first;
}

float vl_oracle_sum_in_order(const float *data, size_t n, size_t i, int first, int ranks)
{
    float sum = data[(size_t)(first % ranks) * n + i];
    for (int k = 1; k < ranks; k++)
        sum += data[(size_t)((first + k) % ranks) * n + i];
    return sum;
}

double vl_oracle_sum(const float *data, size_t n, size_t i, int ranks)
{
    double sum = 0;
    for (int rank = 0; rank < ranks; rank++)
        sum += (double)data[(size_t)rank * n + i];
    return sum;
}

/* In every step each chunk goes from one rank to the next. Chunk c begins at rank c + 'begins'. */
static void go_round(uint64_t *sent, uint64_t *received, size_t n, int ranks, int begins)
{
    for (int chunk = 0; chunk < ranks; chunk++) {
        size_t count = vl_oracle_chunk_count(n, chunk, ranks);
        for (int step = 0; step + 1 < ranks; step++) {
            sent[(chunk + begins + step) % ranks] += count;
            received[(chunk + begins + step + 1) % ranks] += count;
        }
    }
}

void vl_oracle_ring_reduce_scatter(uint64_t *sent, uint64_t *received, size_t n, int ranks)
{
    go_round(sent, received, n, ranks, 1);
}

void vl_oracle_ring_all_gather(uint64_t *sent, uint64_t *received, size_t n, int ranks)
{
    go_round(sent, received, n, ranks, 0);
}

void vl_oracle_tree(uint64_t *sent, int ranks)
{
    for (int holders = 1; holders < ranks;) {
        int before = holders;
        for (int rank = 0; rank < before && holders < ranks; rank++, holders++)
            sent[rank]++;
    }
}

double vl_oracle_tree_seconds(struct vl_oracle_road road, int ranks, double bytes)
{
    double seconds = 0;
    for (int holders = 1; holders < ranks; holders += holders)
        seconds += road.alpha + road.beta * bytes;
    return seconds;
}

double vl_oracle_ring_seconds(struct vl_oracle_road road, int ranks, double bytes, int rounds)
{
    double seconds = 0;
    for (int round = 0; round < rounds; round++)
        for (int step = 0; step + 1 < ranks; step++)
            seconds += road.alpha + road.beta * bytes / ranks;
    return seconds;
}
