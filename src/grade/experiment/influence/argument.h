/*
 * What the inputs of a case are to whoever wrote the function: their names, and which of them can be
 * changed without making nonsense of the others.
 */
#ifndef VIALATA_GRADE_EXPERIMENT_INFLUENCE_ARGUMENT_H
#define VIALATA_GRADE_EXPERIMENT_INFLUENCE_ARGUMENT_H

#include "wire/bag.h"
#include <stdbool.h>

/* Does this input hold numbers, or bytes, that mean nothing but themselves? Structures of a lab's own do
 * not. */
bool vl_input_is_data(const struct vl_tensor_entry *entry);

/* Does it hold indices that nothing else follows from? Other whole numbers are sizes, offsets and
 * counts, which only fit together. */
bool vl_input_is_index(const struct vl_bag *inputs, const struct vl_tensor_entry *entry);

/* A row of this input is a micro-batch: that is all that a step sees of it. */
bool vl_input_is_micro_batch(const struct vl_bag *inputs, const char *name);

/* Was it made by another function, so that a submission may make it again by itself? */
bool vl_input_is_saved(const char *name);

/* The argument that an input is given as: "inv_rms" for "saved_inv_rms". */
const char *vl_input_shown(const struct vl_bag *inputs, const char *name);

#endif
