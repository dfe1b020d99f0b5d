/*
 * Lab 08, the prediction: three numbers, sealed before you measure.
 *
 * The layer:   D = 128   E = 8 experts and one shared, k = 2   F = 352 each
 * The batch:   8 rows of 128 tokens, half of them on each of 2 ranks
 *
 *   1. Bytes that one rank sends for this layer in forward and backward, if the choices are spread
 *      evenly, counts included.
 *   2. Parameters of the layer's feed-forward part: router, shared expert, experts.
 *   3. Those of them that one token meets.
 *
 * Pencil and paper: numbers stand here, no formulas and no calls. Zero means "not sealed yet".
 */
#include "vialata/expert_parallel.h"

enum vl_status vl_predict_expert_parallel(struct vl_expert_prediction *prediction)
{
    prediction->sent_bytes = 0;        /* TODO(08): the first number */
    prediction->parameters = 0;        /* TODO(08): the second */
    prediction->active_parameters = 0; /* TODO(08): the third */

    int sealed = prediction->sent_bytes > 0 || prediction->parameters > 0 ||
                 prediction->active_parameters > 0;
    return sealed ? VL_OK : VL_TODO;
}
