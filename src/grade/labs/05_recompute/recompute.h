/*
 * Lab 05 inside the grader: makers of inputs and truths.
 *
 * Modes and kinds are numbers, in the order of vialata/recompute.h. If a case covers all of them,
 * results have a column for each: mode for bytes and operations, 3 mode + kind for slots.
 *
 *   slots     layer_counts (1,n) -> slots (n,9)            slot    layers -> slot (layers,9)
 *   restore   the toy -> what each backward read, and how often each function was called
 *   choose    a shape, budgets (1,n), preset -> modes and statuses (1,n)
 *
 * The toy of restore: layer l has an input x (width), and its forward leaves
 *
 *   rest = a[l] x,   probs = rest b[l],   and the next layer's x = (rest + probs) / 2
 *
 * in the slots of the mode. Outputs are probs and rest (passes * layers, width) as each backward
 * reads them, and forwards and attentions (passes, layers), the calls made before it.
 *
 * With "bad" the runner asks for what the contract refuses; the status is that of the first call
 * that was not refused.
 */
#ifndef VIALATA_GRADE_LABS_05_RECOMPUTE_RECOMPUTE_H
#define VIALATA_GRADE_LABS_05_RECOMPUTE_RECOMPUTE_H

#include "grade/catalogue/case.h"
#include "oracle/recompute.h"

/* What is special about a case; 'variant' of struct vl_case. */
enum vl_recompute_variant {
    VL_RECOMPUTE_PLAIN,     /* several layers, sizes that differ */
    VL_RECOMPUTE_ONE_LAYER, /* nothing has to be computed again */
    VL_RECOMPUTE_LARGE,     /* more elements than 32 bits count */
    VL_RECOMPUTE_BAD,       /* outside the contract */
    VL_RECOMPUTE_BAD_LAST,  /* ... in the last layer, where nothing is computed again */
    VL_RECOMPUTE_IN_NONE,   /* the mode */
    VL_RECOMPUTE_IN_SELECTIVE,
    VL_RECOMPUTE_IN_FULL,
    VL_RECOMPUTE_TWO_PASSES,    /* another micro-batch begins where one has ended */
    VL_RECOMPUTE_FAILS_FULL,    /* forward fails in some layer, and only forward */
    VL_RECOMPUTE_FAILS_PART,    /* the attention fails in some layer, and only the attention */
    VL_RECOMPUTE_EXACT_BUDGETS, /* budgets that a mode fits into to the byte */
    VL_RECOMPUTE_BYTE_SHORT,    /* one byte less: the next mode fits */
    VL_RECOMPUTE_NONE_FITS
};

vl_make_function vl_make_recompute_slots, vl_make_recompute_slot, vl_make_recompute_restore,
    vl_make_recompute_shape, vl_make_recompute_choose, vl_make_recompute_model,
    vl_make_recompute_engine;
/* peak_kept: to the byte; peak_arena: by how much the engine's arena shrinks, which also holds the
 * engine's bookkeeping */
vl_truth_function vl_truth_recompute_slots, vl_truth_recompute_slot, vl_truth_recompute_restore,
    vl_truth_recompute_choose, vl_truth_same_bits, vl_truth_peak_kept, vl_truth_peak_arena,
    vl_truth_activation_rule_bytes, vl_truth_activation_count, vl_truth_recompute_bytes,
    vl_truth_recompute_flops, vl_truth_predict_none_bytes, vl_truth_predict_selective_bytes,
    vl_truth_predict_full_bytes, vl_truth_predict_full_share;

/* Bytes that a mode keeps for backward, in the model of the inputs. */
int64_t vl_recompute_kept(const struct vl_bag *inputs, enum vl_oracle_mode mode);

#endif
