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
    prediction->state_bytes_1 = 0; /* TODO(04): weights, gradients, m, v at stage 1 */
    prediction->state_bytes_2 = 0; /* TODO(04): the same at stage 2 */
    prediction->state_bytes_3 = 0; /* TODO(04): the same at stage 3 */
    prediction->sent_bytes_3 = 0;  /* TODO(04): by one rank in a step, stage 3 */

    int sealed = prediction->state_bytes_1 > 0 || prediction->state_bytes_2 > 0 ||
                 prediction->state_bytes_3 > 0 || prediction->sent_bytes_3 > 0;
    return sealed ? VL_OK : VL_TODO;
}
