/*
 * Lab 01 inside the grader: makers of inputs, and a truth for each function.
 *
 * Arrays are named as in the contracts. Sizes travel as I64 scalars (n, in, out, d, ff, vocabulary,
 * batch, sequence, heads, head_width). If an input has the name of an output, the output holds it
 * before the call; if not, the runner poisons outputs that are overwritten and zeroes those that
 * are added to. Switches: "in_place" (output and input are the same memory), "null" (each array in
 * turn is NULL). Where bad arguments must be refused, there may be several calls with different ones.
 */
#ifndef VIALATA_GRADE_LABS_01_TRAINING_STEP_TRAINING_STEP_H
#define VIALATA_GRADE_LABS_01_TRAINING_STEP_TRAINING_STEP_H

#include "grade/catalogue/maker.h"
#include "grade/shared/model.h"
#include "oracle/optimizer.h"
#include "oracle/transformer.h"

/* What is special about a case; 'variant' of struct vl_case. */
enum vl_training_step_variant {
    VL_PLAIN,    /* odd and prime sizes */
    VL_LONG,     /* attention: more tokens than a block of queries; gradient_norm: many numbers */
    VL_ONE_ROW,  /* n = 1; one token and head; one micro-batch; one layer */
    VL_EMPTY,    /* n = 0; mfu: a machine that does nothing */
    VL_NO_WIDTH, /* linear: out = 0 */
    VL_PRESET,   /* the output holds something before the call */
    VL_LARGE,    /* magnitudes at which a careless formula overflows; shape: a long sequence */
    VL_TINY,     /* magnitudes at which eps matters; training_step: a small norm, and clipping */
    VL_IN_PLACE, /* output and input share memory */
    VL_JUNK,     /* NaN where nothing should be read */
    VL_UNLIKELY, /* cross_entropy: a target whose probability is zero in float32 */
    VL_BAD,      /* an argument outside the contract; training_step: a forward fails */
    VL_BACKWARD, /* training_step: a backward fails */
    VL_NO_STEP,  /* training_step: step 0, or no micro-batches */
    VL_CLIPPED,  /* training_step: the norm is above max_norm */
    VL_UNUSUAL,  /* training_step: tensors in another order, with one row, that decay or not */
    VL_FIRST,    /* adamw: step 1 */
    VL_LATE,     /* adamw: step 1000 */
    VL_WORLD     /* shape: as in the world, so that one table has more than 2^31 numbers */
};

typedef VL_MAKE(inputs);
vl_make_inputs vl_make_linear, vl_make_embedding, vl_make_rotary, vl_make_rmsnorm, vl_make_swiglu,
    vl_make_cross_entropy, vl_make_attention, vl_make_gradient_norm, vl_make_adamw, vl_make_step,
    vl_make_shape, vl_make_mfu, vl_make_ten_steps;

typedef VL_TRUTH(function);
vl_truth_function vl_truth_linear_forward, vl_truth_linear_backward_input,
    vl_truth_linear_backward_weight, vl_truth_embedding_forward, vl_truth_embedding_backward_weight,
    vl_truth_rotary_table, vl_truth_rotary_forward, vl_truth_rotary_backward_input,
    vl_truth_rmsnorm_forward, vl_truth_rmsnorm_backward_input, vl_truth_rmsnorm_backward_weight,
    vl_truth_swiglu_forward, vl_truth_swiglu_backward_input, vl_truth_cross_entropy_forward,
    vl_truth_cross_entropy_backward_input, vl_truth_attention_forward,
    vl_truth_attention_backward_input, vl_truth_gradient_norm, vl_truth_adamw_update,
    vl_truth_training_step, vl_truth_parameter_count, vl_truth_flops_per_token, vl_truth_mfu,
    vl_truth_predict_parameters, vl_truth_predict_state, vl_truth_predict_flops,
    vl_truth_ten_steps_gradients, vl_truth_ten_steps_losses;

#endif
