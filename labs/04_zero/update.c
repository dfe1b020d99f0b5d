/*
 * Lab 04, station 2: the norm and the update, when each rank has a shard. After this station, all
 * that stage 1 still needs is the gradients of station 3.
 *
 * What a rank keeps whole is addressed by piece.first, what it keeps as a shard by piece.place.
 *
 *     ./vialata grade 04 --only vl_zero_update
 */
#include "vialata/zero.h"

/* include/vialata/zero.h: the bits of vl_chunked_norm, from chunks on P ranks. */
enum vl_status vl_zero_norm(double *norm, const struct vl_zero *zero)
{
    (void)norm;
    (void)zero;
    /* TODO(04): a small array of doubles, P rows of unit_count: row r is rank r's. */
    /* TODO(04): your row: for each unit, the squares of your chunk, added up in float64 from the
     * first element to the last. Where are your gradients at stage 1, and where at stages 2
     * and 3? */
    /* TODO(04): vl_all_gather_start and vl_transfer_finish fill the other rows. */
    /* TODO(04): add unit by unit, in each unit rank by rank; then the root. Free the array. */
    return VL_TODO;
}

/* include/vialata/zero.h: AdamW on this rank's chunks; then, if weights are whole, gather them. */
enum vl_status vl_zero_update(struct vl_zero *zero, const struct vl_adamw *settings, float scale,
                              uint64_t step)
{
    (void)zero;
    (void)settings;
    (void)scale;
    (void)step;
    /* TODO(04): refuse step 0 before anything is touched, even on a rank with empty chunks. */
    /* TODO(04): for each unit, your piece. For each tensor, the part that lies in the piece, if
     * there is one: vl_adamw_update on that part, without decay where the tensor has none. */
    /* TODO(04): at stages 1 and 2, all-gather the weights of every unit. */
    return VL_TODO;
}
