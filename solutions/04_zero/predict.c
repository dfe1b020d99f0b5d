/*
 * Lab 04, the prediction: four numbers, sealed before you measure.
 *
 * The model has the shapes below, float32; what is sharded is cut into RANKS equal parts.
 *
 * Computed here, since every student may have other shapes.
 */
#include "vialata/zero.h"

/* The shapes that you are asked about: leave them as they are, they may be your own. */
enum {
    LAYERS = 4,       /* L */
    WIDTH = 128,      /* D */
    FF = 352,         /* F */
    VOCABULARY = 256, /* V */
    RANKS = 4         /* P */
};

/* The parameters of a layer, and of the model. */
enum {
    LAYER = 4 * WIDTH * WIDTH + 3 * WIDTH * FF + 2 * WIDTH,
    PARAMETERS = LAYERS * LAYER + 2 * VOCABULARY * WIDTH + WIDTH
};

enum { PART = PARAMETERS / RANKS, RING = PARAMETERS - PART };

enum vl_status vl_predict_zero(struct vl_zero_prediction *prediction)
{
    prediction->state_bytes_1 = UINT64_C(8) * PARAMETERS + 8 * PART;
    prediction->state_bytes_2 = UINT64_C(4) * PARAMETERS + 12 * PART;
    prediction->state_bytes_3 = UINT64_C(16) * PART;
    prediction->sent_bytes_3 = UINT64_C(4) * 3 * RING;
    return VL_OK;
}
