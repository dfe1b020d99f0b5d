/*
 * Lab 03, the prediction: three numbers, sealed before you measure.
 *
 * The model:   L = 4 layers   D = 128   F = 352   V = 256, float32 (what `vialata train` takes
 *              unless told otherwise): embedding 32768, each layer 200960, norm and head 32896
 *              parameters
 * The ranks:   4 replicas, rings as in lab 02
 *
 * Pencil and paper: numbers stand here, no formulas and no calls. Zero means "not sealed yet".
 */
#include "vialata/data_parallel.h"

enum vl_status vl_predict_data_parallel(struct vl_data_parallel_prediction *prediction)
{
    prediction->sent_bytes = 5217024;
    prediction->accumulated = 5217024;
    prediction->hidden_share = 0.962;
    return VL_OK;
}
