/*
 * The truth about each operation, in float64 and plain loops.
 *
 * Written from the formulas of the contracts alone: nothing is shared with the labs, the references
 * or the engine, and there is no BLAS and no blocking. Arrays are row-major, laid out as the
 * contracts say. The caller widens float32 to float64 first, so inputs are exact.
 *
 * As in the contracts, gradients of inputs are overwritten and gradients of weights are added to.
 * Preconditions are the contracts'; nothing is checked here.
 */
#ifndef VIALATA_ORACLE_KERNELS_H
#define VIALATA_ORACLE_KERNELS_H

#include <stddef.h>
#include <stdint.h>

/* y (n,out) = x (n,in) w^T, w (out,in). */
void vl_oracle_linear(double *y, const double *x, const double *w, size_t n, size_t in, size_t out);
void vl_oracle_linear_input(double *dx, const double *dy, const double *w, size_t n, size_t in,
                            size_t out);
void vl_oracle_linear_weight(double *dw, const double *dy, const double *x, size_t n, size_t in,
                             size_t out);

/* x (n,width): row i is row tokens[i] of table. */
void vl_oracle_embedding(double *x, const double *table, const int32_t *tokens, size_t n,
                         size_t width);
void vl_oracle_embedding_weight(double *dtable, const double *dx, const int32_t *tokens, size_t n,
                                size_t width);

/* table (T,K): K/2 cosines and K/2 sines per row. */
void vl_oracle_rotary_table(double *table, size_t sequence, size_t head_width);

/* Turn q and k of qkv (B T, 3 H K) in place, by +angle (direction 1) or -angle (direction -1). */
void vl_oracle_rotary(double *qkv, const double *table, double direction, size_t batch,
                      size_t sequence, size_t heads, size_t head_width);

/* y (n,d), inv_rms (n). */
void vl_oracle_rmsnorm(double *y, double *inv_rms, const double *x, const double *gain, double eps,
                       size_t n, size_t d);
void vl_oracle_rmsnorm_input(double *dx, const double *dy, const double *x, const double *gain,
                             const double *inv_rms, size_t n, size_t d);
void vl_oracle_rmsnorm_weight(double *dgain, const double *dy, const double *x,
                              const double *inv_rms, size_t n, size_t d);

/* out (B T, H K), probs (B H T, T) with zeros right of the diagonal. */
void vl_oracle_attention(double *out, double *probs, const double *qkv, size_t batch,
                         size_t sequence, size_t heads, size_t head_width);
void vl_oracle_attention_input(double *dqkv, const double *dout, const double *qkv,
                               const double *probs, size_t batch, size_t sequence, size_t heads,
                               size_t head_width);

/* out (n,ff) from gate_up (n, 2 ff). */
void vl_oracle_swiglu(double *out, const double *gate_up, size_t n, size_t ff);
void vl_oracle_swiglu_input(double *dgate_up, const double *dout, const double *gate_up, size_t n,
                            size_t ff);

/* losses (n), probs (n,V). */
void vl_oracle_cross_entropy(double *losses, double *probs, const double *logits,
                             const int32_t *targets, size_t n, size_t vocabulary);
void vl_oracle_cross_entropy_input(double *dlogits, const double *probs, const int32_t *targets,
                                   double scale, size_t n, size_t vocabulary);

#endif
