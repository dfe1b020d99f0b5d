/*
 * Lab 07, the prediction: four numbers, sealed before you measure.
 *
 * The model:      L = 4 layers   D = 128   T = 128 tokens a row, float32 (that of `vialata train`)
 * The batch:      8 rows in m = 8 micro-batches of one row
 * The pipeline:   p = 4 stages, 1F1B; for the second number 2 chunks a stage
 *
 * Pencil and paper: numbers stand here, no formulas and no calls. Zero means "not sealed yet".
 */
#include "vialata/pipeline.h"

enum vl_status vl_predict_pipeline(struct vl_pipeline_prediction *prediction)
{
    prediction->bubble_of_ideal = 0.375;
    prediction->bubble_chunked = 0.1875;
    prediction->live_first = 4;
    prediction->sent_bytes = 1048576;
    return VL_OK;
}
