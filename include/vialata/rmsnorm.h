/*
 * RMSNorm: bring every row to the same size, then stretch each column by a learned gain.
 *
 *   row of x (d)        inv_rms = 1 / sqrt( mean_j x_j^2 + eps )         eps = 1e-5
 *   y_j = x_j * inv_rms * gain_j
 *
 * What backward needs from forward: x (the caller keeps it) and one number per row, inv_rms.
 * Serial. n and d may be zero. Source: Zhang and Sennrich 2019, arXiv:1910.07467.
 */
#ifndef VIALATA_RMSNORM_H
#define VIALATA_RMSNORM_H

#include "vialata/status.h"
#include <stddef.h>

#define VL_RMSNORM_EPS 1e-5f

/* y (n,d) and inv_rms (n) from x (n,d) and gain (d); both outputs overwritten. */
enum vl_status vl_rmsnorm_forward(float *y, float *inv_rms, const float *x, const float *gain,
                                  size_t n, size_t d);

/* dx (n,d), overwritten. inv_rms (n) is what forward saved; it depends on its whole row. */
enum vl_status vl_rmsnorm_backward_input(float *dx, const float *dy, const float *x,
                                         const float *gain, const float *inv_rms, size_t n,
                                         size_t d);

/* dgain (d), added to: the sum over the n rows. */
enum vl_status vl_rmsnorm_backward_weight(float *dgain, const float *dy, const float *x,
                                          const float *inv_rms, size_t n, size_t d);

#endif
