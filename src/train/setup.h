/*
 * What train, eval and sample do before their work: open a checkpoint, see that the model fits
 * this machine, make it. Each says in *problem what went wrong.
 */
#ifndef VIALATA_TRAIN_SETUP_H
#define VIALATA_TRAIN_SETUP_H

#include "engine/checkpoint.h"
#include "engine/model.h"
#include "train/problem.h"
#include <stddef.h>

enum vl_status vl_setup_checkpoint(struct vl_checkpoint **checkpoint, const char *path,
                                   struct vl_problem *problem);

/* A model of that shape, 'rows' sequences at a time; with 'learns' zero for reading alone. */
enum vl_status vl_setup_model(struct vl_model **model, const struct vl_shape *shape, size_t rows,
                              int learns, struct vl_problem *problem);

/* Fill the model from the checkpoint at 'path'. */
enum vl_status vl_setup_weights(const struct vl_checkpoint *checkpoint, const char *path,
                                struct vl_model *model, struct vl_problem *problem);

#endif
