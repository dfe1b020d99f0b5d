/*
 * Lab 01 inside the grader: makers of inputs, truths and suspects, one of each a function.
 *
 * Names of the arrays are those of the contracts. Sizes travel as I64 scalars (n, in, out, d, ff,
 * vocabulary, batch, sequence, heads, head_width). An input array with the name of an output is
 * what stands in that output before the call; without one the runner poisons outputs that are
 * overwritten, and zeroes those that are added to. Switches: "in_place" (output and input are the
 * same memory), "null" (the input pointer is NULL).
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
    VL_LONG,     /* attention: more tokens than a block of queries, and not a multiple */
    VL_ONE_ROW,  /* n = 1; one token; one head */
    VL_EMPTY,    /* n = 0 */
    VL_PRESET,   /* the output holds something before the call */
    VL_LARGE,    /* magnitudes at which a careless formula overflows */
    VL_TINY,     /* magnitudes at which eps matters */
    VL_IN_PLACE, /* output and input share memory */
    VL_JUNK,     /* NaN where nothing should be read */
    VL_BAD,      /* an argument outside the contract */
    VL_CLIPPED,  /* training_step: the norm is above max_norm */
    VL_FIRST,    /* adamw: step 1 */
    VL_LATE      /* adamw: step 1000 */
};

VL_MAKE(linear);
VL_MAKE(embedding);
VL_MAKE(rotary);
VL_MAKE(rmsnorm);
VL_MAKE(swiglu);
VL_MAKE(cross_entropy);
VL_MAKE(attention);
VL_MAKE(gradient_norm);
VL_MAKE(adamw);
VL_MAKE(step);
VL_MAKE(shape);
VL_MAKE(mfu);
VL_MAKE(prediction);
VL_MAKE(ten_steps);

VL_TRUTH(linear_forward);
VL_TRUTH(linear_backward_input);
VL_TRUTH(linear_backward_weight);
VL_TRUTH(embedding_forward);
VL_TRUTH(embedding_backward_weight);
VL_TRUTH(rotary_table);
VL_TRUTH(rotary_forward);
VL_TRUTH(rotary_backward_input);
VL_TRUTH(rmsnorm_forward);
VL_TRUTH(rmsnorm_backward_input);
VL_TRUTH(rmsnorm_backward_weight);
VL_TRUTH(swiglu_forward);
VL_TRUTH(swiglu_backward_input);
VL_TRUTH(cross_entropy_forward);
VL_TRUTH(cross_entropy_backward_input);
VL_TRUTH(attention_forward);
VL_TRUTH(attention_backward_input);
VL_TRUTH(gradient_norm);
VL_TRUTH(adamw_update);
VL_TRUTH(training_step);
VL_TRUTH(parameter_count);
VL_TRUTH(flops_per_token);
VL_TRUTH(mfu);
VL_TRUTH(predict_parameters);
VL_TRUTH(predict_state);
VL_TRUTH(predict_flops);
VL_TRUTH(ten_steps_gradients);
VL_TRUTH(ten_steps_losses);

extern const struct vl_suspect vl_suspects_rmsnorm_forward[];
extern const struct vl_suspect vl_suspects_attention_forward[];
extern const struct vl_suspect vl_suspects_swiglu_forward[];
extern const struct vl_suspect vl_suspects_cross_entropy_forward[];
extern const struct vl_suspect vl_suspects_linear_backward_input[];
extern const struct vl_suspect vl_suspects_linear_backward_weight[];
extern const struct vl_suspect vl_suspects_rmsnorm_backward_input[];
extern const struct vl_suspect vl_suspects_rmsnorm_backward_weight[];
extern const struct vl_suspect vl_suspects_swiglu_backward_input[];
extern const struct vl_suspect vl_suspects_cross_entropy_backward_input[];
extern const struct vl_suspect vl_suspects_attention_backward_input[];
extern const struct vl_suspect vl_suspects_gradient_norm[];
extern const struct vl_suspect vl_suspects_adamw_update[];
extern const struct vl_suspect vl_suspects_training_step[];
extern const struct vl_suspect vl_suspects_parameter_count[];
extern const struct vl_suspect vl_suspects_flops_per_token[];
extern const struct vl_suspect vl_suspects_mfu[];
extern const struct vl_suspect vl_suspects_predict_parameters[];
extern const struct vl_suspect vl_suspects_predict_state[];
extern const struct vl_suspect vl_suspects_predict_flops[];

/* The shape and batch of the sealed prediction, as the lab's text gives them. */
#define VL_PREDICTED_BATCH 8

extern const struct vl_lab_cases vl_cases_training_step;

#endif
