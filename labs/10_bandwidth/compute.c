/*
 * Lab 10, station 1: what a chip computes.
 *
 * Begin here. Both functions are a few lines. Then, in a terminal:
 *
 *     ./vialata grade 10 --only vl_planned_flops
 *
 * The contracts are in include/vialata/planner.h. Remove a (void) line as soon as you use its
 * argument.
 */
#include "vialata/planner.h"

/* include/vialata/planner.h: FLOPs of a token in training, and those of computing again. */
enum vl_status vl_planned_flops(struct vl_work *work, const struct vl_blueprint *model,
                                enum vl_keep keep)
{
    (void)work;
    (void)model;
    (void)keep;
    /* TODO(10): refuse null pointers; vl_planned_parameters of worked.c counts what multiplies. */
    /* TODO(10): useful: the parameters as in lab 01, and the attention in full; keys and values
     * are not equally wide here. */
    /* TODO(10): head: its share of the useful ones. */
    /* TODO(10): again: nothing; or, with latents, the two products that lead up from them; or
     * forward without the head. */
    return VL_TODO;
}

/* include/vialata/planner.h: seconds of a chip's part of a step, waiting for nothing. */
enum vl_status vl_planned_arithmetic(double *seconds, const struct vl_work *work,
                                     const struct vl_setting *setting,
                                     const struct vl_division *division)
{
    (void)seconds;
    (void)work;
    (void)setting;
    (void)division;
    /* TODO(10): tokens of a replica; vl_division_rows rounds up, and so do you. */
    /* TODO(10): what does one layer cost? Then the first stage (vl_division_layers), and the last
     * one (vl_division_last_layers) with the head: all wait for the slower of the two. */
    /* TODO(10): and what share of that does one chip do? */
    /* TODO(10): divide by the FLOP/s that a chip reaches: its peak times its efficiency. */
    return VL_TODO;
}
