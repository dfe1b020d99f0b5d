/*
 * Lab 09, the prediction: three numbers, sealed before you measure.
 *
 * The layer:   E = 8 experts, k = 2, u = 0.001
 * The ranks:   4 data ranks
 *
 *   1. MaxVio if every token chooses the same two experts.
 *   2. Global batches until the bias alone has closed a gap of 0.05 between the affinities of an
 *      expert that is always above the mean and one that is always below it.
 *   3. Bytes that one rank sends for the counts of the layer, once a global batch.
 *
 * Pencil and paper: numbers stand here, no formulas and no calls. Zero means "not sealed yet".
 */
#include "vialata/expert_balance.h"

enum vl_status vl_predict_expert_balancing(struct vl_balance_prediction *prediction)
{
    prediction->worst_violation = 3.0;
    prediction->bias_steps = 25;
    prediction->reduced_bytes = 192;
    return VL_OK;
}
