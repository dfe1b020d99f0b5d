/*
 * Lab 03, the prediction: three numbers, sealed before you measure.
 *
 * The model has the shapes below, in float32 (the usual ones are those of `vialata train`). There
 * are RANKS replicas, with rings as in lab 02.
 *
 * Computed here, since every student may have other shapes.
 */
#include "vialata/data_parallel.h"

/* The shapes that you are asked about: leave them as they are, they may be your own. */
enum {
    LAYERS = 4,       /* L */
    WIDTH = 128,      /* D */
    FF = 352,         /* F */
    VOCABULARY = 256, /* V */
    RANKS = 4,        /* P */
    MICRO_BATCHES = 8 /* in the second question */
};

/* The parameters of the units. */
enum {
    EMBEDDING = VOCABULARY * WIDTH,
    LAYER = 4 * WIDTH * WIDTH + 3 * WIDTH * FF + 2 * WIDTH,
    NORM_AND_HEAD = WIDTH + VOCABULARY * WIDTH
};

enum { ALL = EMBEDDING + LAYERS * LAYER + NORM_AND_HEAD, SENT = 2 * (RANKS - 1) * (ALL / RANKS) };

enum vl_status vl_predict_data_parallel(struct vl_data_parallel_prediction *prediction)
{
    prediction->sent_bytes = UINT64_C(4) * SENT;
    prediction->accumulated = UINT64_C(4) * SENT;
    prediction->hidden_share = 1 - (double)EMBEDDING / ALL;
    return VL_OK;
}
