/*
 * Lab 08, station 2: where every choice goes.
 *
 * Fill 'order', 'counts', 'arriving', 'rows_of' and 'rows' of the dispatch; their memory is given.
 * The drawing in include/vialata/expert_parallel.h is an example with all of it.
 *
 *     ./vialata grade 08 --only vl_dispatch_plan
 */
#include "vialata/expert_parallel.h"

/* include/vialata/expert_parallel.h: sort the choices, and tell everybody how many come. */
enum vl_status vl_dispatch_plan(struct vl_dispatch *dispatch, const int32_t *chosen)
{
    (void)dispatch;
    (void)chosen;
    /* TODO(08): refuse an E that P does not divide, and an expert that does not exist, before
     * anything is sent. */
    /* TODO(08): count the choices of each expert; then you know where each expert begins. */
    /* TODO(08): go through the choices in their order, and put each at the next place of its
     * expert. */
    /* TODO(08): vl_all_to_all of the counts: E/P of them to each rank. */
    /* TODO(08): add up what arrives, for each expert here and in all. Is 'room' enough? */
    return VL_TODO;
}
