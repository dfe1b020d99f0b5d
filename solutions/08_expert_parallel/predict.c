/*
 * Lab 08, the prediction: three numbers, sealed before you measure.
 *
 * The layer has EXPERTS experts and one shared, all of width FF, and k = 2; the batch has ROWS rows
 * of SEQUENCE tokens, half of them on each of 2 ranks.
 *
 *   1. Bytes that one rank sends for this layer in forward and backward, if the choices are spread
 *      evenly, counts included.
 *   2. Parameters of the layer's feed-forward part: router, shared expert, experts.
 *   3. Those of them that one token meets.
 *
 * Computed here, since every student may have other shapes.
 */
#include "vialata/expert_parallel.h"

/* The shapes that you are asked about: leave them as they are, they may be your own. */
enum {
    WIDTH = 128,   /* D */
    EXPERTS = 8,   /* E */
    FF = 352,      /* F */
    ROWS = 8,      /* B */
    SEQUENCE = 128 /* T */
};

enum {
    TOKENS = ROWS * SEQUENCE / 2, /* of one rank */
    ELSEWHERE = TOKENS * 2 / 2,   /* choices that leave the rank: k = 2, 2 ranks */
    EXPERT = 3 * WIDTH * FF,
    ROUTER = EXPERTS * WIDTH,
    COUNTS = EXPERTS / 2
};

enum vl_status vl_predict_expert_parallel(struct vl_expert_prediction *prediction)
{
    prediction->sent_bytes = UINT64_C(4) * 4 * ELSEWHERE * WIDTH + 8 * COUNTS;
    prediction->parameters = UINT64_C(1) * ROUTER + (EXPERTS + 1) * EXPERT;
    prediction->active_parameters = UINT64_C(1) * ROUTER + 3 * EXPERT;
    return VL_OK;
}
