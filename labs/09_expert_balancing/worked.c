/*
 * Lab 09, given: counting, and how uneven a count is.
 */
#include "vialata/expert_balance.h"

enum vl_status vl_load_add(double *counts, const int32_t *chosen, const struct vl_routing *routing)
{
    if (counts == NULL || routing == NULL || (chosen == NULL && routing->tokens > 0))
        return VL_EINVAL;
    size_t n = routing->tokens * routing->chosen;
    for (size_t c = 0; c < n; c++)
        if (chosen[c] < 0 || (size_t)chosen[c] >= routing->experts)
            return VL_EINVAL;
    for (size_t c = 0; c < n; c++)
        counts[chosen[c]] += 1.0;
    return VL_OK;
}

enum vl_status vl_load_max_violation(double *violation, const double *counts, size_t experts)
{
    if (violation == NULL || counts == NULL || experts == 0)
        return VL_EINVAL;
    double sum = 0.0, largest = counts[0];
    for (size_t e = 0; e < experts; e++) {
        sum += counts[e];
        if (counts[e] > largest)
            largest = counts[e];
    }
    double mean = sum / (double)experts;
    *violation = mean > 0.0 ? (largest - mean) / mean : 0.0;
    return VL_OK;
}
