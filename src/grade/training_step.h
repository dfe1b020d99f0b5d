/*
 * Lab 01 inside the grader: makers of inputs, truths and suspects, one of each a function.
 *
 * Names of the arrays are those of the contracts. Sizes travel as I64 scalars (n, in, out, d, ff,
 * vocabulary, batch, sequence, heads, head_width). An input array with the name of an output is
 * what stands in that output before the call; without one the runner poisons outputs that are
 * overwritten, and zeroes those that are added to. Switches: "in_place" (output and input are the
 * same memory), "null" (the input pointer is NULL).
 */
#ifndef VIALATA_GRADE_TRAINING_STEP_H
#define VIALATA_GRADE_TRAINING_STEP_H

#include "grade/maker.h"
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

#define VL_MAKE(name)                                                                              \
    enum vl_status vl_make_##name(struct vl_bag *inputs, const struct vl_case *self, uint64_t seed)
#define VL_TRUTH(name)                                                                             \
    enum vl_status vl_truth_##name(struct vl_bag *expected, const struct vl_bag *inputs)

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

/* Shared by truths and suspects. Read the optimizer's settings, a shape. */
struct vl_oracle_adamw vl_settings_read(const struct vl_bag *inputs);
struct vl_oracle_shape vl_shape_read(const struct vl_bag *inputs);
/* Settings for the maker's bag: AdamW's usual ones, and these. */
void vl_maker_settings(struct vl_maker *maker, double lr, double weight_decay);

/* All of a shape but "layers", small enough for plain loops in float64, and "rows_per_micro", which
 * is returned. */
size_t vl_maker_small_shape(struct vl_maker *maker);
/* Random tokens and targets, so many rows, and weights by name, for the shape in the bag. */
void vl_maker_transformer(struct vl_maker *maker, size_t rows);
/* The transformer of the inputs, in float64; to be freed. VL_ENOMEM. */
enum vl_status vl_transformer_read(struct vl_oracle_transformer *model,
                                   const struct vl_bag *inputs);

/* The toy learner in float64: a micro-batch's loss, its gradients added to 'gradients' (count). */
double vl_toy_loss(double *gradients, const struct vl_bag *wide, size_t micro_batch);

/* AdamW on its three tensors, the middle one without decay unless everything decays. */
void vl_toy_update(double *weights, double *m, double *v, const double *gradients,
                   const struct vl_bag *inputs, double scale, int everything_decays);

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

#endif
