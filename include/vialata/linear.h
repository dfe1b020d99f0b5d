/*
 * A matrix product: nearly all the compute of a transformer is here.
 *
 *   x (n,in)      w (out,in)          y (n,out) = x w^T
 *
 * Backward comes in two halves, because they are needed at different times: the gradient of
 * the input is needed at once by the layer below, the gradient of the weight only before the
 * optimizer's step. (A pipeline without bubbles will use exactly that freedom.)
 *
 * The rule for gradients, here and in every header of this course:
 *   - the gradient of an INPUT is overwritten;
 *   - the gradient of a WEIGHT is added to what is there, so several uses of one weight sum up.
 *
 * 'in' and 'out' are local sizes: with tensor parallelism a rank passes only its share.
 * Any size may be zero; an array without elements may be NULL. Serial. Errors: VL_EINVAL for a null
 * array that should hold elements.
 */
#ifndef VIALATA_LINEAR_H
#define VIALATA_LINEAR_H

#include "vialata/status.h"
#include <stddef.h>

/* y (n,out) = x (n,in) w^T (in,out). 2 n in out floating-point operations. [worked] */
enum vl_status vl_linear_forward(float *y, const float *x, const float *w, size_t n, size_t in,
                                 size_t out);

/* dx (n,in), overwritten: how the loss changes with the input, given dy (n,out) for the output. */
enum vl_status vl_linear_backward_input(float *dx, const float *dy, const float *w, size_t n,
                                        size_t in, size_t out);

/* dw (out,in), added to: how the loss changes with the weight. x (n,in) is forward's input. */
enum vl_status vl_linear_backward_weight(float *dw, const float *dy, const float *x, size_t n,
                                         size_t in, size_t out);

#endif
