/*
 * Causal attention: every token looks at itself and at the tokens before it.
 *
 *   for each sequence b and head h (K wide), queries, keys and values of T tokens:
 *
 *        score[i][j] = q_i . k_j / sqrt(K)     j <= i         probs (T,T)
 *        probs[i][:] = softmax over j <= i                    1 . . .
 *        out_i       = sum_j probs[i][j] v_j                  p p . .    the part right of the
 *                                                             p p p .    diagonal is never read:
 *                                                             p p p p    do not spend time on it
 *
 *   qkv   (B T, 3 H_loc K): a row holds the heads of q, then of k, then of v (already rotated)
 *   out   (B T, H_loc K)
 *   probs (B, H_loc, T, T): what backward needs from forward. Only j <= i has meaning; you
 *         may leave anything right of the diagonal.
 *
 * Heads are local: a rank of a tensor-parallel group passes its own heads only. Serial.
 * Forward costs 4 B H K T^2 operations in full, about half of that if the mask is used.
 * Source: Vaswani et al. 2017, arXiv:1706.03762.
 */
#ifndef VIALATA_ATTENTION_H
#define VIALATA_ATTENTION_H

#include "vialata/status.h"
#include <stddef.h>

/* out and probs, both overwritten. Scores may be large: subtract the row's maximum. */
enum vl_status vl_attention_forward(float *out, float *probs, const float *qkv, size_t batch,
                                    size_t sequence, size_t heads, size_t head_width);

/*
 * dqkv (B T, 3 H_loc K), overwritten, from dout (B T, H_loc K), forward's qkv and its probs.
 * scratch (T,T) is working memory: kernels do not allocate.
 */
enum vl_status vl_attention_backward_input(float *dqkv, float *scratch, const float *dout,
                                           const float *qkv, const float *probs, size_t batch,
                                           size_t sequence, size_t heads, size_t head_width);

#endif
