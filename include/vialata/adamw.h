/*
 * AdamW: the optimizer. For every element it keeps two running averages, of the gradient (m) and of
 * its square (v), and steps by their ratio.
 *
 *   step t = 1, 2, ...         g = gradient * gradient_scale
 *   m = beta1 m + (1 - beta1) g            v = beta2 v + (1 - beta2) g^2
 *   m^ = m / (1 - beta1^t)                 v^ = v / (1 - beta2^t)
 *   w = w - lr * ( m^ / (sqrt(v^) + eps) + weight_decay * w )     decay is decoupled: it does
 *                                                                 not pass through m and v
 * Serial; elementwise, so n may be a rank's shard. Source: Loshchilov and Hutter, arXiv:1711.05101.
 */
#ifndef VIALATA_ADAMW_H
#define VIALATA_ADAMW_H

#include "vialata/status.h"
#include <stddef.h>
#include <stdint.h>

struct vl_adamw {
    float lr;
    float beta1;
    float beta2;
    float eps;
    float weight_decay;
};

/* Update weights, m and v (n each) in place. VL_EINVAL for step 0. */
enum vl_status vl_adamw_update(float *weights, float *m, float *v, const float *gradient,
                               float gradient_scale, const struct vl_adamw *settings, uint64_t step,
                               size_t n);

/* norm = sqrt of the sum of squares of gradient (n), summed in float64: in a large float32 sum,
 * small squares would be lost. */
enum vl_status vl_gradient_norm(double *norm, const float *gradient, size_t n);

#endif
