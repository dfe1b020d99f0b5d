/*
 * Recomputation: the arrays that forward leaves for backward cost memory. Memory can be saved by
 * spending compute: forget them, and compute them again when backward comes.
 *
 * One layer's forward leaves three kinds of arrays. N = B T tokens of a micro-batch, float32:
 *
 *   input   x (N,D): what the layer begins with
 *   probs   the attention's probabilities (B,H,T,T)
 *   rest    everything else: 1/rms (N), normed (N,D), q k v (N,3D), attention (N,D), mid (N,D),
 *           1/rms (N), normed (N,D), gate and up (N,2F), active (N,F)
 *
 *                 input          probs          rest
 *   none          every layer    every layer    every layer      nothing is computed again
 *   selective     every layer    one slot       every layer      the attention again
 *   full          every layer    one slot       one slot         the whole layer again
 *
 * A slot that all layers share holds what the last layer wrote to it:
 *
 *   forward    layer 1 ----> layer 2 ----> layer 3
 *   slot       1             2             3
 *
 *   backward   layer 3 ----> layer 2 again, layer 2 ----> layer 1 again, layer 1
 *   slot       3             2                            1
 *
 * What is computed again runs through the same kernels on the same numbers, so its bits are the
 * same, and so are all gradients. Serial; nothing here allocates.
 *
 * Source: Chen et al. 2016, arXiv:1604.06174; Korthikanti et al. 2022, arXiv:2205.05198.
 */
#ifndef VIALATA_RECOMPUTE_H
#define VIALATA_RECOMPUTE_H

#include "vialata/shape.h"
#include "vialata/status.h"
#include <stddef.h>
#include <stdint.h>

enum vl_recompute { VL_RECOMPUTE_NONE, VL_RECOMPUTE_SELECTIVE, VL_RECOMPUTE_FULL };

enum vl_saved_kind { VL_SAVED_INPUT, VL_SAVED_PROBS, VL_SAVED_REST };

/* ---- the budget ---- */

/* How many slots of a kind a model of 'layers' layers needs. VL_EINVAL for an unknown mode or kind,
 * or for no layers. */
enum vl_status vl_recompute_slots(size_t *slots, enum vl_recompute mode, enum vl_saved_kind kind,
                                  size_t layers);

/* Which slot layer 'layer' (0 .. layers - 1) writes to and reads from. VL_EINVAL as above, and for
 * a layer outside 0 .. layers - 1. */
enum vl_status vl_recompute_slot(size_t *slot, enum vl_recompute mode, enum vl_saved_kind kind,
                                 size_t layer, size_t layers);

/* ---- computing again ---- */

/* A layer just before its backward; its weights are in memory. */
struct vl_layer_again {
    void *context;
    size_t layer;
    size_t layers;
    /* The layer's forward from its input: fills its probs and its rest. */
    enum vl_status (*forward)(void *context);
    /* The attention alone, from the q, k, v in the rest: fills its probs. */
    enum vl_status (*attention)(void *context);
};

/*
 * Bring back what this mode has forgotten, and nothing more: what is still in a slot from forward
 * is not computed again. Backward visits the layers last to first, right after the forward of the
 * same micro-batch. A status from the functions called is returned at once; VL_EINVAL for an
 * unknown mode.
 */
enum vl_status vl_recompute_restore(const struct vl_layer_again *again, enum vl_recompute mode);

/* ---- on paper ---- */

/* Elements that one layer's forward leaves behind, for a micro-batch of 'rows' sequences. */
struct vl_activation_count {
    uint64_t input, probs, rest;
};
enum vl_status vl_activation_count(struct vl_activation_count *count, const struct vl_shape *shape,
                                   size_t rows);

/* Bytes of all slots of all kinds together. The closed form is yours. VL_EINVAL for an unknown
 * mode. */
enum vl_status vl_recompute_bytes(uint64_t *bytes, enum vl_recompute mode,
                                  const struct vl_shape *shape, size_t rows);

/* Floating-point operations per token that a mode adds to a training step (conventions of
 * vialata/budget.h: a multiply and an add are two, attention in full, nothing for norms, rotary,
 * SwiGLU and softmax). */
enum vl_status vl_recompute_flops(double *flops, enum vl_recompute mode,
                                  const struct vl_shape *shape);

/* The mode that adds the fewest operations among those whose slots fit into 'budget' bytes.
 * VL_ENOMEM if none does; *mode is then untouched. */
enum vl_status vl_recompute_choose(enum vl_recompute *mode, const struct vl_shape *shape,
                                   size_t rows, uint64_t budget);

/* The literature's rule for one layer in 16 bits, with dropout: s b h (34 + 5 a s / h) bytes, s
 * tokens in a sequence, b sequences, h width, a heads (arXiv:2205.05198, equation 1). Worked. */
enum vl_status vl_activation_rule_bytes(double *bytes, const struct vl_shape *shape, size_t rows);

/* Written down before measuring, for the case that the lab's text gives; zero: not sealed yet. */
struct vl_recompute_prediction {
    uint64_t none_bytes, selective_bytes, full_bytes;
    double full_share; /* operations that full recomputation adds, over those of the step */
};
enum vl_status vl_predict_recompute(struct vl_recompute_prediction *prediction);

#endif
