/*
 * Lab 09, the prediction: three numbers, sealed before you measure.
 *
 * The layer has EXPERTS experts, k = 2, u = 0.001, on RANKS data ranks.
 *
 *   1. MaxVio if every token chooses the same two experts.
 *   2. Global batches until the bias alone has closed a gap of GAP / 1000 between the affinities of
 *      an expert that is always above the mean and one that is always below it.
 *   3. Bytes that one rank sends for the counts of the layer, once per global batch.
 *
 * Computed here, since every student may have other shapes.
 */
#include "vialata/expert_balance.h"

/* The shapes that you are asked about: leave them as they are, they may be your own. */
enum {
    EXPERTS = 8, /* E */
    RANKS = 4,   /* P */
    GAP = 50     /* in thousandths */
};

enum {
    COUNTS = 8 * EXPERTS /* bytes of one rank */
};

enum vl_status vl_predict_expert_balancing(struct vl_balance_prediction *prediction)
{
    prediction->worst_violation = EXPERTS / 2.0 - 1;
    prediction->bias_steps = GAP / 2;
    prediction->reduced_bytes = (RANKS - 1) * COUNTS;
    return VL_OK;
}
