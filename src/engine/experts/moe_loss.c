#include "engine/experts/moe_loss.h"

#include "engine/check.h"
#include "vialata/expert_balance.h"

#include <string.h>

/* Tokens in one scope, where that is a sequence or a micro-batch. */
static size_t span_of(const struct vl_moe_loss *loss, const struct vl_routing *routing)
{
    return loss->how.scope == VL_BALANCE_SEQUENCE ? loss->sequence : routing->tokens;
}

static enum vl_status count_span(double *counts, const int32_t *chosen,
                                 const struct vl_routing *span)
{
    memset(counts, 0, span->experts * sizeof *counts);
    return vl_load_add(counts, chosen, span);
}

/* alpha, weighted by the scope's part of the whole batch. */
static float part_of(const struct vl_moe_loss *loss, const struct vl_routing *span)
{
    return loss->how.alpha * (float)((double)span->tokens / (double)loss->batch_tokens);
}

enum vl_status vl_moe_loss_forward(const struct vl_moe_loss *loss, const float *affinity,
                                   const int32_t *chosen, const struct vl_routing *routing)
{
    size_t e = routing->experts;
    double *counts = loss->scratch, *shares = loss->scratch + e, one;
    struct vl_routing span = *routing;
    if (loss->how.alpha <= 0.0f)
        return VL_OK;
    if (loss->how.scope == VL_BALANCE_GLOBAL)
        return vl_balance_shares_add(loss->shares, affinity, routing);
    span.tokens = span_of(loss, routing);
    for (size_t first = 0; first < routing->tokens; first += span.tokens) {
        VL_CHECK(count_span(counts, chosen + first * routing->chosen, &span));
        memset(shares, 0, e * sizeof *shares);
        VL_CHECK(vl_balance_shares_add(shares, affinity + first * e, &span));
        VL_CHECK(vl_balance_loss(&one, shares, counts, span.tokens, &span, part_of(loss, &span)));
        *loss->sum += one;
    }
    return VL_OK;
}

enum vl_status vl_moe_loss_backward(float *dlogits, const struct vl_moe_loss *loss,
                                    const float *affinity, const int32_t *chosen,
                                    const double *counts, const struct vl_routing *routing)
{
    size_t e = routing->experts;
    struct vl_routing span = *routing;
    if (loss->how.alpha <= 0.0f)
        return VL_OK;
    if (loss->how.scope == VL_BALANCE_GLOBAL)
        return vl_balance_loss_backward(dlogits, affinity, counts, loss->batch_tokens, routing,
                                        loss->how.alpha);
    span.tokens = span_of(loss, routing);
    for (size_t first = 0; first < routing->tokens; first += span.tokens) {
        VL_CHECK(count_span(loss->scratch, chosen + first * routing->chosen, &span));
        VL_CHECK(vl_balance_loss_backward(dlogits + first * e, affinity + first * e, loss->scratch,
                                          span.tokens, &span, part_of(loss, &span)));
    }
    return VL_OK;
}
