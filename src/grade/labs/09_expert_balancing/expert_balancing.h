/*
 * Lab 09 inside the grader: makers of inputs, truths and suspects.
 *
 * One bag of inputs for all ranks, with "ranks", "experts", "chosen", "tokens" (N), "scope_tokens"
 * (T) and "alpha" where they matter:
 *
 *   counts    (P,E) float64: what each rank has counted, in load_reduce; (1,E) elsewhere
 *   chosen_by (N,k)           affinity (N,E)           shares (1,E) float64
 *   bias      (1,E)           dlogits (N,E): what stands there before the call
 *   auxiliary, language_model (1,n)
 *
 * A run has the fields of struct vl_oracle_router by their names, and "most": the MaxVio that the
 * last quarter may have on average.
 */
#ifndef VIALATA_GRADE_LABS_09_EXPERT_BALANCING_EXPERT_BALANCING_H
#define VIALATA_GRADE_LABS_09_EXPERT_BALANCING_EXPERT_BALANCING_H

#include "grade/catalogue/case.h"
#include "grade/catalogue/scope.h"
#include "oracle/balance.h"

/* What is special about a case, 'variant': any of these. */
enum vl_balancing_variant {
    VL_BALANCING_REVERSED = 0x1, /* the communicator counts the ranks backwards */
    VL_BALANCING_EMPTY = 0x2,    /* nothing to add up */
    VL_BALANCING_WIDE = 0x4,     /* wider than a vector register */
    VL_BALANCING_LARGE = 0x8,    /* counts that neither a float nor 32 bits hold */
    VL_BALANCING_ONE = 0x10,     /* one expert */
    VL_BALANCING_EVEN = 0x20,    /* all counts are the same */
    VL_BALANCING_MEAN = 0x40,    /* some have exactly the mean */
    VL_BALANCING_NEAR = 0x80,    /* all are within one of the mean, and none has it */
    VL_BALANCING_GLOBAL = 0x100, /* the scope is larger than the tokens here */
    VL_BALANCING_SEQUENCE = 0x200,
    VL_BALANCING_BAD = 0x400,
    VL_BALANCING_NOTHING = 0x800, /* no auxiliary gradient: the bias */
    VL_BALANCING_BOTH_ZERO = 0x1000,
    VL_BALANCING_TINY = 0x2000, /* squares that no float holds */
    VL_BALANCING_OPPOSITE = 0x4000,
    VL_BALANCING_COURSE = 0x8000 /* the bias of every batch is asked for */
};

/* Published: MaxVio, the mean of a run's last quarter. It is 1.3 and more where nothing is done. */
#define VL_BALANCING_MOST_BY_BIAS 0.3
#define VL_BALANCING_MOST_BY_LOSS 0.5

/* The lab's sealed case. */
#define VL_BALANCING_PREDICTED_EXPERTS 8
#define VL_BALANCING_PREDICTED_CHOSEN  2
#define VL_BALANCING_PREDICTED_RANKS   4
#define VL_BALANCING_PREDICTED_U       0.001
#define VL_BALANCING_PREDICTED_GAP     0.05

/* What the auxiliary loss of a case is over. */
struct vl_oracle_balance vl_balancing_scope(const struct vl_bag *inputs);

/* A run's router; its arrays are those of a bag in float64. */
struct vl_oracle_router vl_balancing_router(const struct vl_bag *wide);

/* course@r (batches,E) of every rank, with this correction of the bias. */
void vl_balancing_course(struct vl_scope *scope, const struct vl_oracle_router *router,
                         vl_oracle_correction correct, int mistake);

VL_MAKE(load_chosen); /* chosen_by, counts */
VL_MAKE(load_ranks);  /* counts of all ranks */
VL_MAKE(load_counts); /* counts, bias, u */
VL_MAKE(balance_scope);
VL_MAKE(balance_gradients);
VL_MAKE(balance_run);
VL_MAKE(balance_prediction);

VL_TRUTH(load_add);
VL_TRUTH(load_max_violation);
VL_TRUTH(load_reduce);
VL_TRUTH(load_traffic);
VL_TRUTH(balance_bias_update);
VL_TRUTH(balance_shares_add);
VL_TRUTH(balance_loss);
VL_TRUTH(balance_loss_backward);
VL_TRUTH(balance_interference);
VL_TRUTH(balance_by_bias);
VL_TRUTH(balance_by_loss);
VL_TRUTH(predict_worst_violation);
VL_TRUTH(predict_bias_steps);
VL_TRUTH(predict_reduced_bytes);

extern const struct vl_suspect vl_suspects_load_reduce[];
extern const struct vl_suspect vl_suspects_load_traffic[];
extern const struct vl_suspect vl_suspects_balance_bias_update[];
extern const struct vl_suspect vl_suspects_balance_shares_add[];
extern const struct vl_suspect vl_suspects_balance_loss[];
extern const struct vl_suspect vl_suspects_balance_loss_backward[];
extern const struct vl_suspect vl_suspects_balance_interference[];
extern const struct vl_suspect vl_suspects_balance_course[];
extern const struct vl_suspect vl_suspects_predict_worst_violation[];
extern const struct vl_suspect vl_suspects_predict_bias_steps[];
extern const struct vl_suspect vl_suspects_predict_reduced_bytes[];

extern const struct vl_lab_cases vl_cases_expert_balancing;

#endif
