#include "oracle/zero.h"

#include <math.h>

size_t vl_oracle_piece_size(const struct vl_oracle_units *units, size_t unit, int rank)
{
    size_t n = units->begin[unit + 1] - units->begin[unit], ranks = (size_t)units->ranks;
    size_t first = (size_t)rank; /* as if dealt out like cards: this one, then every P-th below n */
    return first < n ? (n - first + ranks - 1) / ranks : 0;
}

int vl_oracle_owner(const struct vl_oracle_units *units, size_t i, size_t *unit)
{
    *unit = 0;
    while (i >= units->begin[*unit + 1])
        ++*unit;
    size_t end = units->begin[*unit];
    for (int rank = 0; rank < units->ranks; rank++) {
        end += vl_oracle_piece_size(units, *unit, rank);
        if (i < end)
            return rank;
    }
    return -1;
}

size_t vl_oracle_shard_size(const struct vl_oracle_units *units, int rank)
{
    size_t size = 0;
    for (size_t unit = 0; unit < units->count; unit++)
        size += vl_oracle_piece_size(units, unit, rank);
    return size;
}

size_t vl_oracle_largest_unit(const struct vl_oracle_units *units)
{
    size_t largest = 0;
    for (size_t unit = 0; unit < units->count; unit++)
        if (units->begin[unit + 1] - units->begin[unit] > largest)
            largest = units->begin[unit + 1] - units->begin[unit];
    return largest;
}

float vl_oracle_ring_sum(const struct vl_oracle_units *units, const float *rows, size_t stride,
                         size_t i)
{
    size_t unit, ranks = (size_t)units->ranks;
    size_t owner = (size_t)vl_oracle_owner(units, i, &unit);
    float sum = rows[(owner + 1) % ranks * stride + i];
    for (size_t step = 2; step <= ranks; step++)
        sum += rows[(owner + step) % ranks * stride + i];
    return sum;
}

double vl_oracle_chunked_norm(const struct vl_oracle_units *units, const float *gradients)
{
    double squares = 0;
    for (size_t unit = 0, i = 0; unit < units->count; unit++)
        for (int rank = 0; rank < units->ranks; rank++) {
            double chunk = 0;
            for (size_t left = vl_oracle_piece_size(units, unit, rank); left > 0; left--, i++)
                chunk += (double)gradients[i] * (double)gradients[i];
            squares += chunk;
        }
    return sqrt(squares);
}

static size_t all_but(const struct vl_oracle_units *units, int rank)
{
    return units->begin[units->count] - units->begin[0] - vl_oracle_shard_size(units, rank);
}

size_t vl_oracle_scatter_sent(const struct vl_oracle_units *units, int rank)
{
    return all_but(units, rank);
}

size_t vl_oracle_gather_sent(const struct vl_oracle_units *units, int rank)
{
    return all_but(units, (rank + 1) % units->ranks);
}

double vl_oracle_state_bytes(int stage, double parameters, int ranks)
{
    double m_and_v = 2 * sizeof(float) * parameters, gradients = sizeof(float) * parameters,
           weights = sizeof(float) * parameters;
    if (stage >= 1)
        m_and_v /= ranks;
    if (stage >= 2)
        gradients /= ranks;
    if (stage >= 3)
        weights /= ranks;
    return weights + gradients + m_and_v;
}

double vl_oracle_sent_elements(int stage, double parameters, int ranks)
{
    double ring = parameters - parameters / ranks; /* all but one part of P */
    double gradients = ring, weights = stage == 3 ? ring + ring : ring;
    return gradients + weights;
}
