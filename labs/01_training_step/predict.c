/*
 * Lab 01, the prediction: three numbers, sealed before you measure.
 *
 * The model has the shapes below; the batch has BATCH sequences of SEQUENCE tokens.
 *
 * Pencil and paper: write numbers here, no formulas and no calls. Zero means "not sealed yet".
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

enum vl_status vl_predict_training(struct vl_training_prediction *prediction)
{
    prediction->parameters = 0;       /* TODO(01): all trainable numbers of the model */
    prediction->state_bytes = 0;      /* TODO(01): weights, gradients, m and v, float32 */
    prediction->flops_per_step = 0.0; /* TODO(01): forward and backward of the whole batch */

    int sealed = prediction->parameters > 0 || prediction->state_bytes > 0 ||
                 prediction->flops_per_step > 0.0;
    return sealed ? VL_OK : VL_TODO;
}
