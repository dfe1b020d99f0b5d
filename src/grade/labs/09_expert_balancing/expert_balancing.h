/*
 * Lab 09 inside the grader: makers of inputs, and truths.
 *
 * Scalars, where they matter: "ranks", "experts", "chosen", "tokens" (N), "scope_tokens" (T),
 * "alpha". Arrays:
 *
 *   counts    (P,E) float64 in load_reduce: what each rank has counted, and a rank gets its own
 *             row; (1,E) in other cases
 *   chosen_by (N,k)           affinity (N,E)           shares (1,E) float64
 *   bias      (1,E)           dlogits (N,E): its values before the call
 *   auxiliary, language_model (1,n)
 *
 * A run has the fields of struct vl_oracle_router under their names, and "most": the largest mean
 * MaxVio that is allowed in its last quarter.
 */
#ifndef VIALATA_GRADE_LABS_09_EXPERT_BALANCING_EXPERT_BALANCING_H
#define VIALATA_GRADE_LABS_09_EXPERT_BALANCING_EXPERT_BALANCING_H

#include "grade/catalogue/case.h"
#include "oracle/balance.h"

/* What is special about a case, its 'variant': any of these flags. */
enum vl_balance_variant {
    VL_REVERSED = 0x1, /* the communicator counts the ranks backwards */
    VL_EMPTY = 0x2,    /* nothing to add up */
    VL_WIDE = 0x4,     /* wider than a vector register */
    VL_LARGE = 0x8,    /* counts that neither a float nor 32 bits hold */
    VL_ONE = 0x10,     /* one expert */
    VL_EVEN = 0x20,    /* all counts are the same */
    VL_MEAN = 0x40,    /* some have exactly the mean */
    VL_NEAR = 0x80,    /* all are within one of the mean, and none has it */
    VL_GLOBAL = 0x100, /* the scope is larger than the tokens here */
    VL_SEQUENCE = 0x200,
    VL_BAD = 0x400,
    VL_NOTHING = 0x800, /* no auxiliary gradient, as with a bias */
    VL_BOTH_ZERO = 0x1000,
    VL_TINY = 0x2000, /* squares too small for a float */
    VL_OPPOSITE = 0x4000,
    VL_COURSE = 0x8000,      /* the bias of every batch is compared */
    VL_SILENT = 0x10000,     /* one token's affinities are all 0, and those of another one tiny */
    VL_SLIGHT = 0x20000,     /* small, and yet a float holds the squares */
    VL_INEXACT = 0x40000,    /* 49 experts: in float64 49 times 1/49 is not 1 */
    VL_IDLE = 0x80000,       /* a rank has counted nothing */
    VL_ORTHOGONAL = 0x100000 /* each gradient is 0 where the other is not */
};

/* The lab's text states these bounds on the mean MaxVio of a run's last quarter; it stays above 1.2
 * if nothing is done. */
#define VL_BALANCE_MOST_BY_BIAS 0.3
#define VL_BALANCE_MOST_BY_LOSS 0.5

/* A run's router; its arrays are those of a bag widened to float64. */
struct vl_oracle_router vl_balance_router(const struct vl_bag *wide);

/* load_chosen: chosen_by, counts; load_ranks: counts of all ranks; load_counts: counts, bias, u */
vl_make_function vl_make_load_chosen, vl_make_load_ranks, vl_make_load_counts,
    vl_make_balance_scope, vl_make_balance_gradients, vl_make_balance_run;
vl_part_function vl_part_expert_balancing;
vl_truth_function vl_truth_load_add, vl_truth_load_max_violation, vl_truth_load_reduce,
    vl_truth_load_traffic, vl_truth_balance_bias_update, vl_truth_balance_shares_add,
    vl_truth_balance_loss, vl_truth_balance_loss_backward, vl_truth_balance_interference,
    vl_truth_balance_by_bias, vl_truth_balance_by_loss;
vl_truth_function vl_truth_predict_worst_violation, vl_truth_predict_bias_steps,
    vl_truth_predict_reduced_bytes;

#endif
