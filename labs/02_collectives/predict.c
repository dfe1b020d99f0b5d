/*
 * Lab 02, the prediction: three numbers, sealed before you measure.
 *
 *   1. RANKS ranks, n = ELEMENTS float32: how many bytes does one rank send in a ring all-reduce?
 *   2. TREE_RANKS ranks: how many messages does the root of a broadcast send?
 *   3. 4 ranks, alpha = ALPHA_US microseconds, beta = BETA_PS picoseconds per byte: above how many
 *      bytes does the ring all-reduce beat reducing along a binomial tree and then broadcasting
 *      along one?
 *
 * Pencil and paper: write numbers here, no formulas and no calls. Zero means "not sealed yet".
 */
#include "vialata/road_cost.h"

/* The shapes that you are asked about: leave them as they are, they may be your own. */
enum {
    RANKS = 4,          /* P of the ring */
    ELEMENTS = 1000000, /* n */
    TREE_RANKS = 8,     /* P of the broadcast */
    ALPHA_US = 10,      /* alpha */
    BETA_PS = 100       /* beta */
};

enum vl_status vl_predict_collectives(struct vl_collectives_prediction *prediction)
{
    prediction->ring_sent_bytes = 0;    /* TODO(02): question 1 */
    prediction->tree_root_messages = 0; /* TODO(02): question 2 */
    prediction->break_even_bytes = 0.0; /* TODO(02): question 3 */

    int sealed = prediction->ring_sent_bytes > 0 || prediction->tree_root_messages > 0 ||
                 prediction->break_even_bytes > 0.0;
    return sealed ? VL_OK : VL_TODO;
}
