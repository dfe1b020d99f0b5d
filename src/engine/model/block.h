/*
 * One layer of the transformer: attention and feed-forward, each behind its norm, each added to
 * the residual stream x.
 *
 *   x --+-- RMSNorm -- q|k|v -- rotary -- attention -- o --(+)-- mid
 *       '---------------------------------------------------'
 *   mid-+-- RMSNorm -- gate|up -- SwiGLU -- down ----------(+)-- out
 *       '---------------------------------------------------'
 *
 * Backward has two parts: the input part leaves in 'pending' what the weight part needs, so the
 * weight part may run at once or later. The formulas are those of the labs' headers.
 *
 * Under tensor parallelism this is the same block with fewer heads and a narrower feed-forward
 * part, each between enter and leave (vialata/tensor_parallel.h):
 *
 *   RMSNorm -(enter)-- q|k|v ... o ------(leave)- (+)
 *   RMSNorm -(enter)-- gate|up ... down -(leave)- (+)
 *
 * What is outside these two is in engine/model/outside.h.
 */
#ifndef VIALATA_ENGINE_MODEL_BLOCK_H
#define VIALATA_ENGINE_MODEL_BLOCK_H

#include "base/arena.h"
#include "engine/experts/moe.h"
#include "vialata/shape.h"
#include "vialata/status.h"
#include "vialata/tensor_parallel.h"
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

    /* The tensor group; NULL: this rank alone. heads and ff count this rank's part only; outside
     * enter and leave it works on tokens own_first .. own_first + own - 1. Of the input of a product
     * it keeps 'kept' rows for backward (vl_tensor_kept_rows). */
    const struct vl_tensor_group *tensor;
    size_t own_first, own, kept;

    /* (N,D) each, used by all layers in turn, and only where the tokens are shared out: the input of
     * a product, and a sum that is about to be left. Without experts they are the same memory. */
    float *whole, *sums;

    /* Routed experts; the feed-forward part is then the shared one. NULL: no experts. */
    const struct vl_moe_size *experts;
    const struct vl_moe_working *moe_working;
};

/* Call the hooks' poll, so that messages in flight make progress. */
enum vl_status vl_block_poll(const struct vl_unit_hooks *hooks);

/* The parameters of a layer, or their gradients. */
struct vl_block_weights {
    float *attention_gain; /* (D) */
    float *qkv;            /* (3D,D) */
    float *o;              /* (D,D) */
    float *ff_gain;        /* (D) */
    float *gate_up;        /* (2F,D) */
    float *down;           /* (D,F) */

    struct vl_moe_weights moe; /* from here on: with experts only */
    const float *bias;         /* (E), for choosing; not among the gradients */
    double *counts;            /* (E), of choices; not among the gradients */
    struct vl_moe_loss loss;   /* not among the gradients */
    float *against;            /* (2,E,D), among the gradients only; NULL: not measured */
};

/* What forward keeps for backward. The layer's input x is kept by the caller. */
struct vl_block_saved {
    float *attention_inv_rms; /* (own) */
    float *attention_normed;  /* (kept,D) */
    float *qkv;               /* (N,3D), rotated */
    float *probs;             /* (B,H,T,T) */
    float *attention;         /* (N,D) */
    float *mid;               /* (own,D) */
    float *ff_inv_rms;        /* (own) */
    float *ff_normed;         /* (kept,D) */
    float *gate_up;           /* (N,2F) */
    float *active;            /* (N,F) */

    struct vl_moe_saved moe;        /* with experts */
    struct vl_moe_routing *routing; /* stored elsewhere: it is never recomputed */
};

/* What the input part of backward leaves for the weight part, and its working memory, which is not
 * needed afterwards (layers may share it). The caller keeps dy. */
struct vl_block_pending {
    float *gate_up;          /* (N,2F) */
    float *ff_normed;        /* (N,D) */
    float *mid;              /* (N,D) */
    float *qkv;              /* (N,3D) */
    float *attention_normed; /* (N,D) */

    struct vl_moe_pending moe; /* with experts */

    float *active;    /* (N,F), working memory */
    float *attention; /* (N,D) */
    float *scores;    /* (T,T) */
};

/* Elements of probs, and of everything else that forward keeps. */
size_t vl_block_probs(const struct vl_block_size *size);
size_t vl_block_rest(const struct vl_block_size *size);

/* The bytes to reserve in an arena, and the function that takes them. probs and working memory are
 * taken separately (layers may share them). VL_ENOMEM if the arena is too small. */
size_t vl_block_saved_bytes(const struct vl_block_size *size);
enum vl_status vl_block_saved_take(struct vl_block_saved *saved, struct vl_arena *arena,
                                   const struct vl_block_size *size);
size_t vl_block_pending_bytes(const struct vl_block_size *size);
enum vl_status vl_block_pending_take(struct vl_block_pending *pending, struct vl_arena *arena,
                                     const struct vl_block_size *size);
size_t vl_block_working_bytes(const struct vl_block_size *size);
enum vl_status vl_block_working_take(struct vl_block_pending *pending, struct vl_arena *arena,
                                     const struct vl_block_size *size);

/* out (own,D), overwritten, from x (own,D). */
enum vl_status vl_block_forward(float *out, struct vl_block_saved *saved, const float *x,
                                const struct vl_block_weights *weights,
                                const struct vl_block_size *size);

/* The attention alone, from saved->qkv: fills saved->probs again (and saved->attention, with the
 * bits it has). */
enum vl_status vl_block_attention(struct vl_block_saved *saved, const struct vl_block_size *size);

/* dx (N,D), overwritten, from dy (N,D). Of dy only this rank's own rows must be set; on return all
 * of it is, as the weight part needs it. Fills pending. */
enum vl_status vl_block_backward_input(float *dx, struct vl_block_pending *pending, float *dy,
                                       const struct vl_block_saved *saved, const float *x,
                                       const struct vl_block_weights *weights,
                                       const struct vl_block_size *size);

/* gradients, added to. Collective over the tensor group under sequence parallelism: the inputs of q, k
 * and v, and of gate and up, are gathered again. */
enum vl_status vl_block_backward_weight(struct vl_block_weights *gradients,
                                        const struct vl_block_pending *pending, const float *dy,
                                        const struct vl_block_saved *saved, const float *x,
                                        const struct vl_block_size *size);

#endif
