/*
 * Lab 05, the prediction: four numbers, sealed before you measure.
 *
 * The model:   L = 4 layers   D = 128   H = 4   F = 352   T = 128   V = 256, float32
 * The batch:   8 rows, all in one micro-batch
 *
 * Pencil and paper: numbers stand here, no formulas and no calls. Zero means "not sealed yet".
 */
#include "vialata/recompute.h"

enum vl_status vl_predict_recompute(struct vl_recompute_prediction *prediction)
{
    prediction->none_bytes = 0;      /* TODO(05): kept by forward, every layer its own slots */
    prediction->selective_bytes = 0; /* TODO(05): the same, one slot for the probabilities */
    prediction->full_bytes = 0;      /* TODO(05): the same, one slot for all but the inputs */
    prediction->full_share = 0;      /* TODO(05): operations added by full, over those of the step
                                      * without it; 0.5 for half as many again */

    int sealed = prediction->none_bytes > 0 || prediction->selective_bytes > 0 ||
                 prediction->full_bytes > 0 || prediction->full_share > 0;
    return sealed ? VL_OK : VL_TODO;
}
