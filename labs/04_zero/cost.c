/*
 * Lab 04, on paper: what a stage keeps and what it sends.
 *
 * Find the closed forms with a pencil; the explanation says how to count.
 */
#include "vialata/zero.h"

/* include/vialata/zero.h: weights, gradients and both moments, float32, on one rank. */
enum vl_status vl_zero_state_bytes(double *bytes, int stage, double parameters, int ranks)
{
    (void)bytes;
    (void)stage;
    (void)parameters;
    (void)ranks;
    /* TODO(04): refuse a stage outside 0 .. 3, and fewer ranks than one. */
    /* TODO(04): the bytes of weights, gradients and moments: whole, or one part in P. */
    return VL_TODO;
}

/* include/vialata/zero.h: elements that one rank sends in a step of one micro-batch. */
enum vl_status vl_zero_sent_elements(double *elements, int stage, double parameters, int ranks)
{
    (void)elements;
    (void)stage;
    (void)parameters;
    (void)ranks;
    /* TODO(04): how many rings does a unit go through at this stage? What does one ring cost? */
    return VL_TODO;
}
