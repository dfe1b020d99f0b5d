/*
 * Calls that need a learner: the toy one whose answer can be written down, and the real model.
 */
#ifndef VIALATA_RUNNER_LEARNER_H
#define VIALATA_RUNNER_LEARNER_H

#include "vialata/adamw.h"
#include "vialata/shape.h"
#include "vialata/status.h"
#include "vialata/training_step.h"
#include "wire/bag.h"

struct vl_model;

/* The optimizer's settings, and the model's shape, as the inputs hold them. */
struct vl_adamw vl_settings(const struct vl_bag *inputs);
struct vl_shape vl_shape_of(const struct vl_bag *inputs);

/* The three tensors of the toy learners: a matrix, a gain, a matrix; (rows, cols) of the inputs. */
enum { VL_TOY_TENSORS = 3 };
void vl_toy_tensors(struct vl_tensor tensors[VL_TOY_TENSORS], const struct vl_bag *inputs);

/* What a step reports: "loss" and "gradient_norm". Begin adds them as poisoned outputs, and gives
 * the result the same bits (0: no memory). End writes the result to the outputs. */
struct vl_step_report {
    double *loss, *norm;
    struct vl_step_result result;
};
int vl_step_report_begin(struct vl_step_report *report, struct vl_bag *outputs);
void vl_step_report_end(const struct vl_step_report *report);

/* One vl_training_step on the toy learner of the inputs. */
enum vl_status vl_call_training_step(struct vl_bag *outputs, const struct vl_bag *inputs);

/* The gradients of the transformer's first batch, then the losses of its training steps. */
enum vl_status vl_call_ten_steps(struct vl_bag *outputs, const struct vl_bag *inputs);

/* Copy a learner's weights from the inputs, by the names of its tensors. VL_EINTERNAL. */
enum vl_status vl_take_weights(const struct vl_learner *learner, const struct vl_bag *inputs);

/* The first batch of the inputs, forward and backward: its loss, and its gradients in the model. */
enum vl_status vl_pass_batch(double *loss, struct vl_model *model, const struct vl_bag *inputs);

/* Add a learner's gradients to the outputs, by the names of its tensors. VL_EINTERNAL. */
enum vl_status vl_give_gradients(struct vl_bag *outputs, const struct vl_learner *learner);

#endif
