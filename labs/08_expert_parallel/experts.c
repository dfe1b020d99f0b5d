/*
 * Lab 08, station 4: the experts' backward, in two parts as everywhere.
 *
 * worked.c has their forward. All rows of one expert come first, then all rows of the next. Each
 * expert is the feed-forward part of lab 01, so vialata/linear.h and vialata/swiglu.h do the
 * arithmetic.
 *
 *     ./vialata grade 08 --only vl_experts_backward_input
 */
#include "vialata/expert_parallel.h"
#include "vialata/linear.h"
#include "vialata/swiglu.h"

/* include/vialata/expert_parallel.h: from dout to drows; dopened is left for the weight part. */
enum vl_status vl_experts_backward_input(float *drows, float *dopened, float *dactive,
                                         const float *dout, const float *opened,
                                         const struct vl_experts *experts)
{
    (void)drows;
    (void)dopened;
    (void)dactive;
    (void)dout;
    (void)opened;
    (void)experts;
    /* TODO(08): for each expert that has rows: back through down, SwiGLU, gate_up. Where in each
     * array do its rows begin? */
    return VL_TODO;
}

/* include/vialata/expert_parallel.h: what the rows teach the experts of this rank. */
enum vl_status vl_experts_backward_weight(float *dgate_up, float *ddown, const float *dout,
                                          const float *dopened, const float *active,
                                          const float *rows, const struct vl_experts *experts)
{
    (void)dgate_up;
    (void)ddown;
    (void)dout;
    (void)dopened;
    (void)active;
    (void)rows;
    (void)experts;
    /* TODO(08): two products for each expert that has rows. And for an expert that has none? */
    return VL_TODO;
}
