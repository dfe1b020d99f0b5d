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
    prediction->parameters = 3475712;
    prediction->state_bytes = 55611392;
    prediction->flops_per_step = 22145925120.0;
    return VL_OK;
}
