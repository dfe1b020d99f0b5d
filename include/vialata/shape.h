/*
 * The shape of the model: how many of everything.
 *
 * The letters used in every header of this course:
 *
 *   B batch (sequences)    T sequence length (tokens)   D model width     H heads
 *   K head width (D = HK)  F feed-forward width         V vocabulary      L layers
 *   E experts              P ranks of a group           M micro-batches
 *
 *   N = B T tokens         _loc = this rank's share (one device holds everything: H_loc = H)
 *   k = the experts that a token chooses
 *
 * A small t is a token's position or a step's number, as each header says; it never counts ranks.
 *
 *        tokens (B,T)
 *           |  embedding (V,D)
 *           v
 *        x (N,D) -----------------------------+
 *           | RMSNorm -> q|k|v -> attention -> o (+) ----> x
 *           | RMSNorm -> gate|up -> SwiGLU -> down (+) --> x      L times
 *           v
 *        RMSNorm -> head (V,D) -> logits (N,V) -> cross-entropy
 *
 * Matrices are row-major. A weight is stored (out, in), as in Llama checkpoints.
 * There are no biases; the output head is a matrix of its own, not the embedding's transpose.
 */
#ifndef VIALATA_SHAPE_H
#define VIALATA_SHAPE_H

#include <stddef.h>

struct vl_shape {
    size_t layers;     /* L */
    size_t width;      /* D */
    size_t heads;      /* H, divides D; K = D / H is even (rotary turns pairs) */
    size_t ff;         /* F */
    size_t vocabulary; /* V */
    size_t sequence;   /* T, the longest sequence */
};

/* F when nobody chooses one: 8 D / 3 rounded up to a multiple of 32. */
static inline size_t vl_shape_default_ff(size_t width)
{
    return ((8 * width + 2) / 3 + 31) / 32 * 32;
}

#endif
