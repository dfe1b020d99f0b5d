/*
 * Lab 10, station 2: what a chip holds.
 *
 * The contracts are in include/vialata/planner.h. Count in double: products of sizes grow fast.
 */
#include "vialata/planner.h"
#include "vialata/schedule.h"

/* include/vialata/planner.h: weights, gradients and optimizer state. */
enum vl_status vl_planned_state_bytes(double *bytes, const struct vl_chip *chip,
                                      const struct vl_recipe *recipe,
                                      const struct vl_division *division)
{
    (void)bytes;
    (void)chip;
    (void)recipe;
    (void)division;
    /* TODO(10): how many chips have the same common parameters? And how many the same experts? */
    /* TODO(10): for both kinds: which of weights, gradients and optimizer state does this stage of
     * ZeRO cut into so many shards? A static function for one kind serves both. */
    /* TODO(10): the unit that is there whole: its gradients, and its weights. */
    return VL_TODO;
}

/* include/vialata/planner.h: what forward leaves for backward, at the fullest moment. */
enum vl_status vl_planned_kept_bytes(double *bytes, const struct vl_chip *chip,
                                     const struct vl_setting *setting,
                                     const struct vl_division *division)
{
    (void)bytes;
    (void)chip;
    (void)setting;
    (void)division;
    /* TODO(10): elements of one token in one layer, from the table of the header; a static function
     * for a dense layer and for one with experts. */
    /* TODO(10): all layers of the stage, times what vl_live_1f1b or vl_live_interleaved says for
     * the first stage; a live chunk is not a whole stage. */
    /* TODO(10): one layer more, of the larger kind, less what is kept of it anyway. */
    /* TODO(10): tokens of a micro-batch, divided by 'tensor'; bytes per element kept. */
    return VL_TODO;
}
