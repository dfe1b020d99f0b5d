/*
 * What train, eval and sample do first: open a checkpoint, check that the model fits into this
 * machine's memory, create it. Each says in *problem what went wrong.
 */
#ifndef VIALATA_TRAIN_RUN_SETUP_H
#define VIALATA_TRAIN_RUN_SETUP_H

#include "engine/checkpoint/checkpoint.h"
#include "engine/model/model.h"
#include "train/log/problem.h"
#include <stddef.h>

enum vl_status vl_setup_checkpoint(struct vl_checkpoint **checkpoint, const char *path,
                                   struct vl_problem *problem);

/* What the memory that a run needs depends on, over all its ranks. */
struct vl_setup_load {
    size_t rows;         /* of a micro-batch */
    double live;         /* micro-batches whose activations are alive at once */
    size_t replicas;     /* each needs all of this */
    size_t expert_ranks; /* replicas that share one set of routed experts */
    int zero;            /* stage of ZeRO (0: everything whole) */
    size_t tensor;       /* ranks that share matrices; what lies between these is whole on each */
    size_t stages;       /* of a pipeline; 1: none */
    enum vl_recompute recompute;
    double elsewhere; /* the share of the ranks that are on other machines */
};

/* Has this machine the memory to train such a model? VL_ENOMEM with a sentence if not. */
enum vl_status vl_setup_check_memory(const struct vl_shape *shape,
                                     const struct vl_expert_shape *experts,
                                     const struct vl_setup_load *load, struct vl_problem *problem);

/* Create a model of the checkpoint's shape that only reads, 'rows' sequences at a time. */
enum vl_status vl_setup_model(struct vl_model **model, const struct vl_checkpoint *checkpoint,
                              size_t rows, struct vl_problem *problem);

/* Refuse a file that is not a checkpoint, for the reason 'detail'; returns VL_EFORMAT. */
enum vl_status vl_setup_refuse(struct vl_problem *problem, const char *path, const char *detail);

/* Fill the model from the checkpoint at 'path'. */
enum vl_status vl_setup_weights(const struct vl_checkpoint *checkpoint, const char *path,
                                struct vl_model *model, struct vl_problem *problem);

#endif
