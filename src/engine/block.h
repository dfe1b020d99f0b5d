/*
 * One layer of the transformer: attention and feed-forward, each behind its norm, each added to
 * the residual stream x.
 *
 *   x --+-- RMSNorm -- q|k|v -- rotary -- attention -- o --(+)-- mid
 *       '------------------------------------------------'
 *   mid-+-- RMSNorm -- gate|up -- SwiGLU -- down ----------(+)-- out
 *       '------------------------------------------------'
 *
 * Backward comes apart: the input part leaves in 'pending' what the weight part needs, so the
 * weight part may run at once or later. The arithmetic is that of the labs' headers.
 */
#ifndef VIALATA_ENGINE_BLOCK_H
#define VIALATA_ENGINE_BLOCK_H

#include "base/arena.h"
#include "vialata/shape.h"
#include "vialata/status.h"
#include "vialata/unit_hooks.h"
#include <stddef.h>

/* The sizes one call works on: N = batch * sequence tokens. */
struct vl_block_size {
    size_t batch;
    size_t sequence;
    size_t width;
    size_t heads;
    size_t head_width;
    size_t ff;
    const float *rotary;               /* (sequence or more, head_width) */
    const struct vl_unit_hooks *hooks; /* polled between operations; may be NULL */
};

/* A moment for whoever has something on its way. */
enum vl_status vl_block_poll(const struct vl_unit_hooks *hooks);

/* The parameters of a layer, or their gradients. */
struct vl_block_weights {
    float *attention_gain; /* (D) */
    float *qkv;            /* (3D,D) */
    float *o;              /* (D,D) */
    float *ff_gain;        /* (D) */
    float *gate_up;        /* (2F,D) */
    float *down;           /* (D,F) */
};

/* What forward keeps for backward. The layer's input x is kept by the caller. */
struct vl_block_saved {
    float *attention_inv_rms; /* (N) */
    float *attention_normed;  /* (N,D) */
    float *qkv;               /* (N,3D), rotated */
    float *probs;             /* (B,H,T,T) */
    float *attention;         /* (N,D) */
    float *mid;               /* (N,D) */
    float *ff_inv_rms;        /* (N) */
    float *ff_normed;         /* (N,D) */
    float *gate_up;           /* (N,2F) */
    float *active;            /* (N,F) */
};

/* What the input part of backward leaves for the weight part. dy is kept by the caller. */
struct vl_block_pending {
    float *active;           /* (N,F), working memory */
    float *gate_up;          /* (N,2F) */
    float *ff_normed;        /* (N,D) */
    float *mid;              /* (N,D) */
    float *attention;        /* (N,D), working memory */
    float *qkv;              /* (N,3D) */
    float *attention_normed; /* (N,D) */
    float *scores;           /* (T,T), working memory */
};

/* Elements of probs, and of everything else that forward keeps. */
size_t vl_block_probs(const struct vl_block_size *size);
size_t vl_block_rest(const struct vl_block_size *size);

/* Bytes in an arena, and the taking; probs are taken apart (layers may share them). A take fails
 * (VL_ENOMEM) only if the arena was sized smaller.
 */
size_t vl_block_saved_bytes(const struct vl_block_size *size);
enum vl_status vl_block_saved_take(struct vl_block_saved *saved, struct vl_arena *arena,
                                   const struct vl_block_size *size);
size_t vl_block_pending_bytes(const struct vl_block_size *size);
enum vl_status vl_block_pending_take(struct vl_block_pending *pending, struct vl_arena *arena,
                                     const struct vl_block_size *size);

/* out (N,D), overwritten, from x (N,D). */
enum vl_status vl_block_forward(float *out, struct vl_block_saved *saved, const float *x,
                                const struct vl_block_weights *weights,
                                const struct vl_block_size *size);

/* The attention alone, from saved->qkv: fills saved->probs again (and saved->attention, with the
 * bits it has). */
enum vl_status vl_block_attention(struct vl_block_saved *saved, const struct vl_block_size *size);

/* dx (N,D), overwritten, from dy (N,D); fills pending. */
enum vl_status vl_block_backward_input(float *dx, struct vl_block_pending *pending, const float *dy,
                                       const struct vl_block_saved *saved, const float *x,
                                       const struct vl_block_weights *weights,
                                       const struct vl_block_size *size);

/* gradients, added to. */
enum vl_status vl_block_backward_weight(struct vl_block_weights *gradients,
                                        const struct vl_block_pending *pending, const float *dy,
                                        const struct vl_block_saved *saved, const float *x,
                                        const struct vl_block_size *size);

#endif
