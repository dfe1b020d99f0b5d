/*
 * Lab 04, given: where a rank's chunk of a unit lies.
 *
 * Read it first; nearly every function of this lab begins with this question. Places are added up
 * again each time: a model has tens of units, and that is nothing next to one matrix product.
 */
#include "vialata/zero.h"

/*
 *   units         |0 0 1 1 2 2 3|0 0 1 1 2 2 3 3|0 1 2|       P = 4
 *                  unit 0        unit 1          unit 2
 *   shard of rank 1: |1 1|1 1|1|                              unit 2: first 16, place 4, count 1
 */
enum vl_status vl_shard_piece(struct vl_piece *piece, const size_t *units, size_t unit_count,
                              size_t unit, int rank, int ranks)
{
    if (piece == NULL || units == NULL || unit >= unit_count)
        return VL_EINVAL;
    size_t place = 0, first = 0, count = 0;
    for (size_t u = 0; u <= unit; u++) {
        place += count; /* of the unit before */
        enum vl_status status = vl_chunk(&first, &count, units[u + 1] - units[u], rank, ranks);
        if (status != VL_OK)
            return status;
    }
    *piece = (struct vl_piece){.first = units[unit] + first, .place = place, .count = count};
    return VL_OK;
}
