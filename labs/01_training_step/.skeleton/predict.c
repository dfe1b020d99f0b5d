/*
 * Lab 01, the prediction: three numbers, sealed before you measure.
 *
 * The shape:  L = 4 layers   D = 256   H = 4   F = 704   V = 512   T = 128
 * The batch:  8 sequences of 128 tokens
 *
 * Pencil and paper: numbers stand here, no formulas and no calls. Zero means "not sealed yet".
 */
#include "vialata/budget.h"

enum vl_status vl_predict_training(struct vl_training_prediction *prediction)
{
    prediction->parameters = 0;       /* TODO(01): all trainable numbers of the model */
    prediction->state_bytes = 0;      /* TODO(01): weights, gradients, m and v, float32 */
    prediction->flops_per_step = 0.0; /* TODO(01): forward and backward of the whole batch */

    int sealed = prediction->parameters > 0 || prediction->state_bytes > 0 ||
                 prediction->flops_per_step > 0.0;
    return sealed ? VL_OK : VL_TODO;
}
