/*
 * Lab 04, station 1, finished: how much memory a rank needs for what it keeps.
 */
#include "vialata/zero.h"

enum vl_status vl_zero_plan(struct vl_zero_plan *plan, int stage, const size_t *units,
                            size_t unit_count, int rank, int ranks)
{
    if (plan == NULL || units == NULL || unit_count == 0 || stage < 1 || stage > 3)
        return VL_EINVAL;
    struct vl_piece last; /* where the last piece ends, the shard ends */
    enum vl_status status = vl_shard_piece(&last, units, unit_count, unit_count - 1, rank, ranks);
    if (status != VL_OK)
        return status;
    size_t whole = units[unit_count], shard = last.place + last.count, largest = 0;
    for (size_t unit = 0; unit < unit_count; unit++)
        if (units[unit + 1] - units[unit] > largest)
            largest = units[unit + 1] - units[unit];
    *plan = (struct vl_zero_plan){
        .weights = stage < 3 ? whole : shard,
        .gradients = stage < 2 ? whole : shard,
        .moments = shard,
        .lent_weights = stage < 3 ? 0 : 2 * largest,
        .lent_gradients = stage < 2 ? 0 : 2 * largest,
    };
    return VL_OK;
}
