/*
 * Models in the inputs of a case: the settings of an optimizer, the shape and the weights of a
 * small transformer, and the toy learner whose gradients have a formula. Several labs need these.
 */
#ifndef VIALATA_GRADE_SHARED_MODEL_H
#define VIALATA_GRADE_SHARED_MODEL_H

#include "grade/catalogue/maker.h"
#include "grade/catalogue/scope.h"
#include "oracle/optimizer.h"
#include "oracle/transformer.h"

/* Read the optimizer's settings; read a shape. */
struct vl_oracle_adamw vl_settings_read(const struct vl_bag *inputs);
struct vl_oracle_shape vl_shape_read(const struct vl_bag *inputs);
/* Settings for the maker's bag: AdamW's usual ones, and these. */
void vl_maker_settings(struct vl_maker *maker, double lr, double weight_decay);

/* The moments "m" and "v" of count elements; no v is zero or below. */
void vl_maker_moments(struct vl_maker *maker, size_t count);

/* All of a shape but "layers", small enough for plain loops in float64, and "rows_per_micro", which
 * is returned. */
size_t vl_maker_small_shape(struct vl_maker *maker);
/* 'rows' rows of random tokens and targets, and weights by name, for the shape in the bag. */
void vl_maker_transformer(struct vl_maker *maker, size_t rows);
/* The transformer of the inputs, in float64; to be freed. VL_ENOMEM. */
enum vl_status vl_transformer_read(struct vl_oracle_transformer *model,
                                   const struct vl_bag *inputs);
/* The same with its loss and gradients on the first batch of the inputs; to be freed if VL_OK. */
enum vl_status vl_transformer_pass(double *loss, struct vl_oracle_transformer *model,
                                   const struct vl_bag *inputs);

/* Add its gradients to the answer, by the names of its tensors; returns the loss. */
double vl_answer_gradients(struct vl_scope *scope);

/* The toy learner in float64: a micro-batch's loss, its gradients added to 'gradients' (count). */
double vl_toy_loss(double *gradients, const struct vl_bag *wide, size_t micro_batch);

/* AdamW on its three tensors, the middle one without decay. */
void vl_toy_update(double *weights, double *m, double *v, const double *gradients,
                   const struct vl_bag *inputs, double scale);

#endif
