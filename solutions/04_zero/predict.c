/*
 * Lab 04, the prediction: four numbers, sealed before you measure.
 *
 * The model:   L = 4 layers   D = 128   F = 352   V = 256, float32 (that of lab 03): 869504
 *              parameters
 * The ranks:   4; every kind that is shared is shared in 4 equal parts
 *
 * Pencil and paper: numbers stand here, no formulas and no calls. Zero means "not sealed yet".
 */
#include "vialata/zero.h"

enum vl_status vl_predict_zero(struct vl_zero_prediction *prediction)
{
    prediction->state_bytes_1 = 8695040;
    prediction->state_bytes_2 = 6086528;
    prediction->state_bytes_3 = 3478016;
    prediction->sent_bytes_3 = 7825536;
    return VL_OK;
}
