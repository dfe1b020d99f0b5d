/*
 * The truth about balancing experts, in float64: one token after another, and whole runs of a small
 * router that is balanced by a bias or by a loss.
 */
#ifndef VIALATA_ORACLE_BALANCE_H
#define VIALATA_ORACLE_BALANCE_H

#include <stddef.h>

#define VL_ORACLE_EXPERTS 16 /* most in a run */
#define VL_ORACLE_WIDTH   16
#define VL_ORACLE_RANKS   8

double vl_oracle_max_violation(const double *counts, size_t experts);

/* One step of the bias (E) towards an even load. */
void vl_oracle_bias_step(double *bias, const double *counts, size_t experts, double u);

/* What a scope of the auxiliary loss is, and its weight. */
struct vl_oracle_balance {
    size_t experts, chosen, scope_tokens;
    double alpha;
};

/* Added to shares (E): what each token of affinity (N,E) gives to each expert, 1 in all. */
void vl_oracle_shares_add(double *shares, const double *affinity, size_t tokens, size_t experts);
double vl_oracle_balance_loss(const double *shares, const double *counts,
                              const struct vl_oracle_balance *b);
/* Added to dlogits (E): the loss's gradient for one token with affinity (E). */
void vl_oracle_balance_gradient(double *dlogits, const double *affinity, const double *counts,
                                const struct vl_oracle_balance *b);

/* |a| / |b|, and the cosine between them: of vectors (n) that are not zero. */
void vl_oracle_interference(double *size, double *cosine, const double *a, const double *b,
                            size_t n);

/* ---- runs ---- */

enum vl_oracle_scope { VL_ORACLE_GLOBAL, VL_ORACLE_MICRO, VL_ORACLE_SEQUENCE };

/*
 * A router with matrix w (E,D) on ranks that have N tokens each in a batch. Token i of rank r in
 * batch b is row ((b P + r) N + i) mod pool of x (pool,D). Its first number is always 1, so w's
 * first column gives each expert an offset that is the same for every token. The loss trains only
 * that column (a router that may learn everything makes all affinities equal, and then the loss
 * accepts any load). If the scope is a sequence, 'length' tokens are one.
 */
struct vl_oracle_router {
    const double *x, *w;
    size_t pool, width, experts, chosen, tokens, batches, length;
    int ranks;
    double u, alpha, rate;
    enum vl_oracle_scope scope;
};

/* What a run shows, as means over its last quarter: MaxVio, and the loss divided by alpha, which is
 * 1 where load is even. */
struct vl_oracle_run {
    double violation, loss;
    int same; /* all ranks had the same bias all the time */
};

/* The bias is corrected by u after each batch. course (P,batches,E), unless NULL, gets the bias
 * that each batch is routed with. */
struct vl_oracle_run vl_oracle_balance_by_bias(double *course,
                                               const struct vl_oracle_router *router);
/* w's first column descends the gradient of the loss. */
struct vl_oracle_run vl_oracle_balance_by_loss(const struct vl_oracle_router *router);

#endif
