/*
 * The truth about the budget, counted and not derived: it walks over the matrices of the model and
 * the products that a token takes part in. Conventions are those of vialata/budget.h.
 */
#ifndef VIALATA_ORACLE_BUDGET_H
#define VIALATA_ORACLE_BUDGET_H

#include "oracle/transformer.h"

/* Every parameter, and those of matrices that a token is multiplied with. VL_ENOMEM. */
enum vl_status vl_oracle_parameter_count(uint64_t *all, uint64_t *multiplying,
                                         const struct vl_oracle_shape *shape);

/* Multiplications and additions one token costs, forward and backward, product by product. */
enum vl_status vl_oracle_flops_per_token(double *flops, const struct vl_oracle_shape *shape);

/* The useful operations of a second, divided by the peak. */
double vl_oracle_mfu(double tokens_per_second, double flops_per_token, double peak);

#endif
