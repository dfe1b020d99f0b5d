/*
 * Lab 01, the prediction: three numbers, sealed before you measure.
 *
 * The model has the shapes below; the batch has BATCH sequences of SEQUENCE tokens.
 *
 * Computed here, since every student may have other shapes.
 */
#include "vialata/budget.h"

/* The shapes that you are asked about: leave them as they are, they may be your own. */
enum {
    LAYERS = 4,       /* L */
    WIDTH = 256,      /* D */
    HEADS = 4,        /* H */
    FF = 704,         /* F */
    VOCABULARY = 512, /* V */
    SEQUENCE = 128,   /* T */
    BATCH = 8
};

enum {
    TABLE = VOCABULARY * WIDTH,
    LAYER = 4 * WIDTH * WIDTH + 3 * WIDTH * FF,
    GAINS = (2 * LAYERS + 1) * WIDTH,
    MULTIPLYING = LAYERS * LAYER + TABLE,
    ALL = MULTIPLYING + TABLE + GAINS
};

enum vl_status vl_predict_training(struct vl_training_prediction *prediction)
{
    prediction->parameters = ALL;
    prediction->state_bytes = UINT64_C(4) * 4 * ALL;
    prediction->flops_per_step =
        (6.0 * MULTIPLYING + 12.0 * LAYERS * WIDTH * SEQUENCE) * BATCH * SEQUENCE;
    return VL_OK;
}
