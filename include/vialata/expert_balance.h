/*
 * Balancing experts: how to make sure that all of them learn and none is overloaded.
 *
 *   count     how often each expert was chosen in a whole global batch
 *   MaxVio    (largest count - mean) / mean: 0 is perfect
 *
 * Three ways:
 *
 *   none   nothing: an expert that is chosen learns, and is chosen more often
 *   loss   an auxiliary loss that is large when load is uneven; its gradient goes into the router,
 *          in addition to that of the language model
 *   bias   b(e) += u sign(mean - count(e)) once per global batch. It is used only for choosing:
 *          it has no gradient, and a batch never sees the correction that its own counts cause
 *
 * Sources: Wang et al. 2024, Auxiliary-Loss-Free Load Balancing, arXiv:2408.15664; DeepSeek-AI
 * 2024, arXiv:2412.19437; Fedus et al. 2021, Switch Transformers, arXiv:2101.03961.
 */
#ifndef VIALATA_EXPERT_BALANCE_H
#define VIALATA_EXPERT_BALANCE_H

#include "vialata/collectives.h"
#include "vialata/router.h"

/* ---- counting ---- */

/* counts (E), added to: the choices in chosen (N,k). Called in the first forward of a micro-batch,
 * not when it is computed again. Serial. VL_EINVAL for an expert outside 0 .. E-1. */
enum vl_status vl_load_add(double *counts, const int32_t *chosen, const struct vl_routing *routing);

/* counts (E) = their sum over all data ranks, in rank order, by one all-gather of float64. Once per
 * global batch. Whole numbers, so exact up to 2^53. Collective over comm; E is the same on every
 * rank. */
enum vl_status vl_load_reduce(MPI_Comm comm, double *counts, size_t experts);

/* MaxVio of counts (E). 0 where nothing was counted. Serial. VL_EINVAL for E = 0. */
enum vl_status vl_load_max_violation(double *violation, const double *counts, size_t experts);

/* ---- the bias ---- */

/* bias (E), in place: one step of size u towards an even load; an expert that has exactly the mean
 * keeps its bias. Serial. */
enum vl_status vl_balance_bias_update(float *bias, const double *counts, size_t experts, float u);

/* ---- the auxiliary loss ---- */

/*
 * Over the T tokens of a scope (the global batch, a micro-batch, or one sequence):
 *
 *   p(t,e) = affinity(t,e) / sum over e' of affinity(t,e')
 *   loss   = E alpha / (k T^2)  sum over e of  (sum over t of p(t,e)) count(e)
 *
 * It is alpha where load is even. count has no gradient, but p has one. A token whose affinities
 * are all 0 (its logits are so low that float32 has nothing smaller) has p = 0 for every expert,
 * and no gradient.
 */

/* shares (E), added to: sum over the N tokens here of p. Serial. */
enum vl_status vl_balance_shares_add(double *shares, const float *affinity,
                                     const struct vl_routing *routing);

/* The loss from shares (E) and counts (E) of a whole scope with T = scope_tokens. Serial. */
enum vl_status vl_balance_loss(double *loss, const double *shares, const double *counts,
                               size_t scope_tokens, const struct vl_routing *routing, float alpha);

/* dlogits (N,E), *added to* (the language model's gradient is there already): the gradient of the
 * loss for the N tokens here. counts are those of the whole scope, so with the global batch all
 * forwards come before the first backward. Serial. */
enum vl_status vl_balance_loss_backward(float *dlogits, const float *affinity, const double *counts,
                                        size_t scope_tokens, const struct vl_routing *routing,
                                        float alpha);

/* ---- interference ---- */

/* The auxiliary gradient (n) compared with the language model's (n): |aux| / |lm|, and the cosine
 * of the angle between them. Both are 0 where aux is zero, as with the bias, or where n is 0.
 * VL_EINVAL where only lm is zero. Serial. */
enum vl_status vl_balance_interference(double *size, double *cosine, const float *auxiliary,
                                       const float *language_model, size_t n);

/* Written down before measuring, for the case that the lab's text gives; zero: not sealed yet. */
struct vl_balance_prediction {
    double worst_violation; /* MaxVio when all tokens choose the same k experts */
    uint64_t bias_steps;    /* global batches until the bias has closed a given gap of affinity */
    uint64_t reduced_bytes; /* that one rank sends per global batch for the counts of one layer */
};
enum vl_status vl_predict_expert_balancing(struct vl_balance_prediction *prediction);

#endif
