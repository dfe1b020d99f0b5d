/*
 * What lab 09 must give. Counts are compared bit by bit; runs are judged by how even they get.
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

VL_SCOPED_TRUTH(load_add)
{
    if (vl_scope_bad(s))
        return;
    const int32_t *chosen = vl_bag_i32(s->inputs, "chosen_by");
    size_t n = vl_scope_size(s, "tokens") * vl_scope_size(s, "chosen");
    double *counts = vl_scope_out(s, "counts", 1, vl_scope_size(s, "experts"), 1);
    for (size_t i = 0; counts != NULL && i < n; i++)
        counts[chosen[i]]++;
}

VL_SCOPED_TRUTH(load_max_violation)
{
    if (!vl_scope_bad(s))
        vl_scope_give_real(
            s, "violation",
            vl_oracle_max_violation(vl_scope_in(s, "counts"), vl_scope_size(s, "experts")));
}

VL_SCOPED_TRUTH(load_reduce)
{
    const double *counts = vl_scope_in(s, "counts");
    size_t experts = vl_scope_size(s, "none") ? 0 : vl_scope_size(s, "experts");
    size_t ranks = vl_scope_size(s, "ranks");
    for (int rank = 0; rank < (int)ranks; rank++) {
        double *sum = vl_ranked_out(s, "counts", rank, 1, experts);
        for (size_t i = 0; sum != NULL && i < ranks * experts; i++)
            sum[i % experts] += counts[i];
    }
}

/* What a rank sends in an all-gather of float64 counts: its chunk is its own. */
static size_t gathered_bytes(size_t experts, int rank, int ranks)
{
    return sizeof(double) * vl_oracle_gather_half_sent(experts * (size_t)ranks, rank, ranks);
}

VL_SCOPED_TRUTH(load_traffic)
{
    int ranks = (int)vl_scope_size(s, "ranks");
    for (int rank = 0; rank < ranks; rank++) {
        vl_ranked_int(s, "sent_bytes", rank,
                      gathered_bytes(vl_scope_size(s, "experts"), rank, ranks));
        vl_ranked_int(s, VL_MOST_MESSAGES, rank, (size_t)ranks - 1);
    }
}

/* ---- bias and loss ---- */

VL_SCOPED_TRUTH(balance_bias_update)
{
    size_t experts = vl_scope_size(s, "experts");
    double *bias = vl_scope_out(s, "bias", 1, experts, 1);
    if (s->failed)
        return;
    vl_oracle_bias_step(bias, vl_scope_in(s, "counts"), experts, vl_scope_real(s, "u"));
    for (size_t e = 0; e < experts; e++)
        bias[e] = (double)(float)bias[e]; /* bits are compared */
}

VL_SCOPED_TRUTH(balance_shares_add)
{
    size_t tokens = vl_scope_size(s, "tokens"), experts = vl_scope_size(s, "experts");
    double *shares = vl_scope_out(s, "shares", 1, experts, 1);
    if (!s->failed)
        vl_oracle_shares_add(shares, vl_scope_in(s, "affinity"), tokens, experts);
}

VL_SCOPED_TRUTH(balance_loss)
{
    const struct vl_oracle_balance b = loss_scope(s->inputs);
    vl_scope_give_real(
        s, "loss", vl_oracle_balance_loss(vl_scope_in(s, "shares"), vl_scope_in(s, "counts"), &b));
}

VL_SCOPED_TRUTH(balance_loss_backward)
{
    const struct vl_oracle_balance b = loss_scope(s->inputs);
    const double *affinity = vl_scope_in(s, "affinity"), *counts = vl_scope_in(s, "counts");
    size_t n = vl_scope_size(s, "tokens") * b.experts;
    double *dlogits = vl_scope_out(s, "dlogits", vl_scope_size(s, "tokens"), b.experts, 1);
    for (size_t at = 0; !s->failed && at < n; at += b.experts)
        vl_oracle_balance_gradient(dlogits + at, affinity + at, counts, &b);
}

VL_SCOPED_TRUTH(balance_interference)
{
    const double *aux = vl_scope_in(s, "auxiliary"), *model = vl_scope_in(s, "language_model");
    size_t n = vl_scope_size(s, "n");
    double size = 0, cosine = 0, largest = 0;
    if (vl_scope_bad(s))
        return;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(aux[i]));
    if (largest > 0)
        vl_oracle_interference(&size, &cosine, aux, model, n);
    vl_scope_give_real(s, "size", size);
    vl_scope_give_real(s, "cosine", cosine);
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
static void add_course(struct vl_scope *s)
{
    const struct vl_oracle_router router = vl_balance_router(s->wide);
    size_t each = router.batches * router.experts;
    double *all = vl_scope_work(s, "all", (size_t)router.ranks * each);
    if (!s->failed)
        vl_oracle_balance_by_bias(all, &router);
    for (int rank = 0; !s->failed && rank < router.ranks; rank++)
        vl_ranked_copy(s, "course", rank, all + (size_t)rank * each, router.batches,
                       router.experts);
}

VL_SCOPED_TRUTH(balance_by_bias)
{
    if (vl_scope_size(s, "course"))
        add_course(s);
    else
        ask_for_even_load(s, 1);
}

VL_SCOPED_TRUTH(balance_by_loss)
{
    ask_for_even_load(s, 0);
}

/* ---- the sealed numbers ---- */

/* The first k of E experts get everything. */
VL_SCOPED_TRUTH(predict_worst_violation)
{
    size_t experts = vl_scope_size(s, "experts"), chosen = vl_scope_size(s, "chosen");
    double *counts = vl_scope_work(s, "counts", experts);
    for (size_t e = 0; counts != NULL && e < chosen; e++)
        counts[e] = 1;
    if (counts != NULL)
        vl_scope_give_real(s, "worst_violation", vl_oracle_max_violation(counts, experts));
}

/* Each step takes 2u off the gap. Half a step may be left, so that rounding cannot add one more. */
VL_SCOPED_TRUTH(predict_bias_steps)
{
    const double u = 0.001;
    uint64_t steps = 0;
    for (double gap = (double)vl_scope_size(s, "gap") / 1000; gap > u; gap -= 2 * u)
        steps++;
    vl_scope_give_int(s, "bias_steps", steps);
}

VL_SCOPED_TRUTH(predict_reduced_bytes)
{
    int ranks = (int)vl_scope_size(s, "ranks");
    vl_scope_give_int(s, "reduced_bytes", gathered_bytes(vl_scope_size(s, "experts"), 0, ranks));
}
