/*
 * SwiGLU: the nonlinearity of the feed-forward part. One half of the row opens or closes the
 * other half.
 *
 *   gate_up (n, 2 F_loc): a row holds the gate, then the up part
 *   out     (n, F_loc):   out = silu(gate) * up          silu(g) = g / (1 + exp(-g))
 *
 * Elementwise, so F_loc may be a rank's share. Serial. Source: Shazeer 2020, arXiv:2002.05202.
 */
#ifndef VIALATA_SWIGLU_H
#define VIALATA_SWIGLU_H

#include "vialata/status.h"
#include <stddef.h>

/* out (n,ff), overwritten. */
enum vl_status vl_swiglu_forward(float *out, const float *gate_up, size_t n, size_t ff);

/* dgate_up (n, 2 ff), overwritten, from dout (n,ff) and forward's gate_up. */
enum vl_status vl_swiglu_backward_input(float *dgate_up, const float *dout, const float *gate_up,
                                        size_t n, size_t ff);

#endif
