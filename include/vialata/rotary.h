/*
 * Rotary positions: attention knows the position of a token because its query and key are turned
 * by an angle that grows with the position.
 *
 *   one head of width K at position t:  for i in [0, K/2)
 *       angle = t * theta^(-2i/K)                     theta = 10000
 *       (a, b) = (row[i], row[i + K/2])               halves, as in Llama checkpoints
 *       (row[i], row[i + K/2]) = (a cos - b sin, b cos + a sin)
 *
 * The sines and cosines do not depend on data, so they are computed once:
 *   table (T,K): row t = K/2 cosines, then K/2 sines.
 *
 *   qkv (B T, 3 H_loc K): a row holds the heads of q, then of k, then of v; only q and k turn.
 *
 * Turning is orthogonal, so backward turns by the opposite angle. Serial.
 * Source: Su et al. 2021, arXiv:2104.09864.
 */
#ifndef VIALATA_ROTARY_H
#define VIALATA_ROTARY_H

#include "vialata/status.h"
#include <stddef.h>

#define VL_ROTARY_THETA 10000.0

/* Fill table (sequence, head_width). VL_EINVAL if head_width is odd. [worked] */
enum vl_status vl_rotary_table(float *table, size_t sequence, size_t head_width);

/* Turn q and k of qkv (batch*sequence, 3*heads*head_width) in place. [worked] */
enum vl_status vl_rotary_forward(float *qkv, const float *table, size_t batch, size_t sequence,
                                 size_t heads, size_t head_width);

/* Turn the gradients of q and k back, in place. [worked] */
enum vl_status vl_rotary_backward_input(float *dqkv, const float *table, size_t batch,
                                        size_t sequence, size_t heads, size_t head_width);

#endif
