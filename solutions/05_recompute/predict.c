/*
 * Lab 05, the prediction: four numbers, sealed before you measure.
 *
 * The model has the shapes below, float32; the batch has ROWS rows of SEQUENCE tokens, all in one
 * micro-batch.
 *
 * Computed here, since every student may have other shapes.
 */
#include "vialata/recompute.h"

/* The shapes that you are asked about: leave them as they are, they may be your own. */
enum {
    LAYERS = 4,       /* L */
    WIDTH = 128,      /* D */
    HEADS = 4,        /* H */
    FF = 352,         /* F */
    VOCABULARY = 256, /* V */
    SEQUENCE = 128,   /* T */
    ROWS = 8          /* B */
};

enum {
    TOKENS = ROWS * SEQUENCE,
    INPUT = TOKENS * WIDTH,
    PROBS = TOKENS * HEADS * SEQUENCE,
    REST = TOKENS * (2 + 7 * WIDTH + 3 * FF)
};

enum vl_status vl_predict_recompute(struct vl_recompute_prediction *prediction)
{
    if (prediction == NULL)
        return VL_EINVAL;
    const double matrices = 2.0 * (4 * WIDTH * WIDTH + 3 * WIDTH * FF),
                 head = 2.0 * WIDTH * VOCABULARY;
    const double layer = matrices + 4.0 * WIDTH * SEQUENCE;
    prediction->none_bytes = UINT64_C(4) * LAYERS * (INPUT + PROBS + REST);
    prediction->selective_bytes = UINT64_C(4) * (LAYERS * (INPUT + REST) + PROBS);
    prediction->full_bytes = UINT64_C(4) * (LAYERS * INPUT + PROBS + REST);
    prediction->full_share = (LAYERS - 1) * layer / (3 * (LAYERS * layer + head));
    return VL_OK;
}
