/*
 * Lab 07, the prediction: four numbers, sealed before you measure.
 *
 * The batch is MICRO_BATCHES micro-batches of one row, float32; the pipeline has STAGES stages and
 * runs 1F1B, for the second number with CHUNKS chunks per stage.
 *
 * Pencil and paper: write numbers here, no formulas and no calls. Zero means "not sealed yet".
 */
#include "vialata/pipeline.h"

/* The shapes that you are asked about: leave them as they are, they may be your own. */
enum {
    WIDTH = 128,       /* D */
    SEQUENCE = 128,    /* T, the tokens of a row */
    MICRO_BATCHES = 8, /* m */
    STAGES = 4,        /* p */
    CHUNKS = 2         /* v */
};

enum vl_status vl_predict_pipeline(struct vl_pipeline_prediction *prediction)
{
    prediction->bubble_of_ideal = 0; /* TODO(07): of 1F1B, one chunk */
    prediction->bubble_chunked = 0;  /* TODO(07): the same with CHUNKS chunks per stage */
    prediction->live_first = 0;      /* TODO(07): micro-batches alive on stage 0, 1F1B */
    prediction->sent_bytes = 0;      /* TODO(07): by stage 1 in one step, one chunk */

    int sealed = prediction->bubble_of_ideal > 0 || prediction->bubble_chunked > 0 ||
                 prediction->live_first > 0 || prediction->sent_bytes > 0;
    return sealed ? VL_OK : VL_TODO;
}
