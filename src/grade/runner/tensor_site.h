/*
 * What the calls of lab 06 share: who this rank is among those that hold a layer together.
 */
#ifndef VIALATA_GRADE_RUNNER_TENSOR_SITE_H
#define VIALATA_GRADE_RUNNER_TENSOR_SITE_H

#include "base/bag.h"
#include "vialata/tensor_parallel.h"

/* The ranks of the case; "shared" says whether they share the tokens outside of layers. */
struct vl_tensor_group vl_tensor_site_group(const struct vl_bag *inputs);

/* Have all ranks of the case the same bits? Collective, past the meter: it is not the submission
 * that asks. */
int64_t vl_same_everywhere(const float *numbers, size_t n);

/* A whole model, of which this rank has its part: loss and gradients of a step. */
enum vl_status vl_call_tensor_model(struct vl_bag *outputs, const struct vl_bag *inputs);

#endif
