/*
 * What lab 09 must give. Counts are compared to the bit; runs are judged by how even they get.
 */
#include "grade/catalogue/maker.h"
#include "grade/catalogue/scope.h"
#include "grade/labs/09_expert_balancing/expert_balancing.h"
#include "oracle/tensor.h"

#include <math.h>

/* What the auxiliary loss of a case is taken over. */
static struct vl_oracle_balance loss_scope(const struct vl_bag *inputs)
{
    return (struct vl_oracle_balance){.experts = vl_bag_size(inputs, "experts"),
                                      .chosen = vl_bag_size(inputs, "chosen"),
                                      .scope_tokens = vl_bag_size(inputs, "scope_tokens"),
                                      .alpha = vl_bag_real(inputs, "alpha")};
}

struct vl_oracle_router vl_balance_router(const struct vl_bag *wide)
{
    return (struct vl_oracle_router){.x = vl_bag_f64(wide, "x"),
                                     .w = vl_bag_f64(wide, "w"),
                                     .pool = vl_bag_size(wide, "pool"),
                                     .width = vl_bag_size(wide, "width"),
                                     .experts = vl_bag_size(wide, "experts"),
                                     .chosen = vl_bag_size(wide, "chosen"),
                                     .tokens = vl_bag_size(wide, "tokens"),
                                     .batches = vl_bag_size(wide, "batches"),
                                     .length = vl_bag_size(wide, "length"),
                                     .ranks = (int)vl_bag_int(wide, "ranks"),
                                     .u = vl_bag_real(wide, "u"),
                                     .alpha = vl_bag_real(wide, "alpha"),
                                     .rate = vl_bag_real(wide, "rate"),
                                     .scope = (enum vl_oracle_scope)vl_bag_int(wide, "scope")};
}

/* ---- counting ---- */

VL_TRUTH(load_add)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    if (vl_bag_int(inputs, "bad"))
        return vl_scope_refuse(&s, VL_EINVAL);
    const int32_t *chosen = vl_bag_i32(inputs, "chosen_by");
    size_t n = vl_scope_size(&s, "tokens") * vl_scope_size(&s, "chosen");
    double *counts = vl_scope_out(&s, "counts", 1, vl_scope_size(&s, "experts"), 1);
    for (size_t i = 0; counts != NULL && i < n; i++)
        counts[chosen[i]]++;
    return vl_scope_end(&s);
}

VL_TRUTH(load_max_violation)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    if (vl_bag_int(inputs, "bad"))
        return vl_scope_refuse(&s, VL_EINVAL);
    double worst = vl_oracle_max_violation(vl_scope_in(&s, "counts"), vl_scope_size(&s, "experts"));
    s.failed |= !vl_bag_set_real(expected, "violation", worst);
    return vl_scope_end(&s);
}

VL_TRUTH(load_reduce)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    const double *counts = vl_scope_in(&s, "counts");
    size_t experts = vl_bag_int(inputs, "none") ? 0 : vl_scope_size(&s, "experts");
    size_t ranks = vl_scope_size(&s, "ranks");
    for (int rank = 0; rank < (int)ranks; rank++) {
        double *sum = vl_ranked_out(&s, "counts", rank, 1, experts);
        for (size_t i = 0; sum != NULL && experts > 0 && i < ranks * experts; i++)
            sum[i % experts] += counts[i];
    }
    return vl_scope_end(&s);
}

/* One all-gather: each rank's counts are its chunk. */
VL_TRUTH(load_traffic)
{
    struct vl_scope s = {.answer = expected};
    int ranks = (int)vl_bag_int(inputs, "ranks");
    size_t n = vl_bag_size(inputs, "experts") * (size_t)ranks;
    for (int rank = 0; rank < ranks; rank++)
        vl_ranked_int(&s, "sent_bytes", rank,
                      sizeof(double) * vl_oracle_gather_half_sent(n, rank, ranks));
    return vl_scope_end(&s);
}

/* ---- bias and loss ---- */

VL_TRUTH(balance_bias_update)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    size_t experts = vl_scope_size(&s, "experts");
    double *bias = vl_scope_out(&s, "bias", 1, experts, 1);
    if (!s.failed)
        vl_oracle_bias_step(bias, vl_scope_in(&s, "counts"), experts, vl_scope_real(&s, "u"));
    for (size_t e = 0; !s.failed && e < experts; e++)
        bias[e] = (double)(float)bias[e]; /* bits are compared */
    return vl_scope_end(&s);
}

VL_TRUTH(balance_shares_add)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    size_t experts = vl_scope_size(&s, "experts");
    double *shares = vl_scope_out(&s, "shares", 1, experts, 1);
    if (!s.failed)
        vl_oracle_shares_add(shares, vl_scope_in(&s, "affinity"), vl_scope_size(&s, "tokens"),
                             experts);
    return vl_scope_end(&s);
}

VL_TRUTH(balance_loss)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    const struct vl_oracle_balance b = loss_scope(inputs);
    double loss =
        s.failed ? 0
                 : vl_oracle_balance_loss(vl_scope_in(&s, "shares"), vl_scope_in(&s, "counts"), &b);
    s.failed |= !vl_bag_set_real(expected, "loss", loss);
    return vl_scope_end(&s);
}

VL_TRUTH(balance_loss_backward)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    const struct vl_oracle_balance b = loss_scope(inputs);
    size_t tokens = vl_scope_size(&s, "tokens");
    double *dlogits = vl_scope_out(&s, "dlogits", tokens, b.experts, 1);
    for (size_t t = 0; !s.failed && t < tokens; t++)
        vl_oracle_balance_gradient(dlogits + t * b.experts,
                                   vl_scope_in(&s, "affinity") + t * b.experts,
                                   vl_scope_in(&s, "counts"), &b, 0);
    return vl_scope_end(&s);
}

VL_TRUTH(balance_interference)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    const double *aux = vl_scope_in(&s, "auxiliary"), *model = vl_scope_in(&s, "language_model");
    size_t n = vl_scope_size(&s, "n");
    double size = 0, cosine = 0, largest = 0;
    if (vl_bag_int(inputs, "bad"))
        return vl_scope_refuse(&s, VL_EINVAL);
    for (size_t i = 0; aux != NULL && i < n; i++)
        largest = fmax(largest, fabs(aux[i]));
    if (largest > 0)
        vl_oracle_interference(&size, &cosine, aux, model, n);
    s.failed |=
        !vl_bag_set_real(expected, "size", size) || !vl_bag_set_real(expected, "cosine", cosine);
    return vl_scope_end(&s);
}

/* ---- runs ---- */

/* A perfect run has a violation of 0; the bound says how far from it a run may be. */
static void ask_for_even_load(struct vl_scope *s, int with_same)
{
    for (int rank = 0; rank < (int)vl_scope_size(s, "ranks"); rank++) {
        vl_ranked_real(s, "violation", rank, 0);
        if (with_same)
            vl_ranked_int(s, "same_bias", rank, 1);
    }
}

/* The bias that each batch is routed with, (batches,E) on every rank. */
static void add_course(struct vl_scope *s, const struct vl_oracle_router *router)
{
    size_t each = router->batches * router->experts;
    double *all = vl_scope_work(s, "all", (size_t)router->ranks * each);
    if (!s->failed)
        vl_oracle_balance_by_bias(all, router, vl_oracle_correct, 0);
    for (int rank = 0; !s->failed && rank < router->ranks; rank++)
        vl_ranked_copy(s, "course", rank, all + (size_t)rank * each, router->batches,
                       router->experts);
}

VL_TRUTH(balance_by_bias)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    const struct vl_oracle_router router = vl_balance_router(s.wide);
    if (vl_bag_int(inputs, "course"))
        add_course(&s, &router);
    else
        ask_for_even_load(&s, 1);
    return vl_scope_end(&s);
}

VL_TRUTH(balance_by_loss)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    ask_for_even_load(&s, 0);
    return vl_scope_end(&s);
}

/* ---- the sealed numbers ---- */

VL_TRUTH(predict_worst_violation)
{
    /* Of E experts the first k get everything. */
    double counts[VL_BALANCE_PREDICTED_EXPERTS] = {0};
    (void)inputs;
    for (size_t e = 0; e < VL_BALANCE_PREDICTED_CHOSEN; e++)
        counts[e] = 1;
    double worst = vl_oracle_max_violation(counts, VL_BALANCE_PREDICTED_EXPERTS);
    return vl_bag_set_real(expected, "worst_violation", worst) ? VL_OK : VL_ENOMEM;
}

VL_TRUTH(predict_bias_steps)
{
    int64_t steps = 0;
    (void)inputs;
    /* Half a step less, so that rounding cannot ask for one more. */
    for (double low = 0, high = VL_BALANCE_PREDICTED_GAP; high - low > VL_BALANCE_PREDICTED_U;
         steps++) {
        low += VL_BALANCE_PREDICTED_U;
        high -= VL_BALANCE_PREDICTED_U;
    }
    return vl_bag_set_int(expected, "bias_steps", steps) ? VL_OK : VL_ENOMEM;
}

VL_TRUTH(predict_reduced_bytes)
{
    const int ranks = VL_BALANCE_PREDICTED_RANKS;
    const size_t n = (size_t)ranks * VL_BALANCE_PREDICTED_EXPERTS;
    (void)inputs;
    uint64_t bytes = sizeof(double) * vl_oracle_gather_half_sent(n, 0, ranks);
    return vl_bag_set_int(expected, "reduced_bytes", (int64_t)bytes) ? VL_OK : VL_ENOMEM;
}
