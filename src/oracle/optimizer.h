/*
 * The truth about the optimizer, in float64: the norm of a gradient, and AdamW.
 */
#ifndef VIALATA_ORACLE_OPTIMIZER_H
#define VIALATA_ORACLE_OPTIMIZER_H

#include <stddef.h>
#include <stdint.h>

struct vl_oracle_adamw {
    double lr, beta1, beta2, eps, weight_decay;
};

double vl_oracle_gradient_norm(const double *gradient, size_t n);

/* weights, m and v (n each) in place; step counts from 1. */
void vl_oracle_adamw(double *weights, double *m, double *v, const double *gradient, double scale,
                     const struct vl_oracle_adamw *settings, uint64_t step, size_t n);

/* min(1, max_norm / norm); 1 if max_norm is 0, which means no clipping. */
double vl_oracle_clip(double norm, double max_norm);

#endif
