/*
 * What the benchmarks of a step time: a model that learns one random batch, step by step.
 */
#ifndef VIALATA_TRAIN_BENCH_STEP_LEARNING_H
#define VIALATA_TRAIN_BENCH_STEP_LEARNING_H

#include "vialata/shape.h"
#include "vialata/training_step.h"
#include <stddef.h>
#include <stdint.h>

enum { VL_BENCH_SHAPES = 2 };

struct vl_bench_shape {
    struct vl_shape shape;
    size_t batch; /* sequences */
};

/* The shapes of the course's comparison with other trainers. */
extern const struct vl_bench_shape vl_bench_shapes[VL_BENCH_SHAPES];

struct vl_learning {
    struct vl_model *model;
    struct vl_learner *learner; /* the model's */
    int32_t *tokens;            /* the batch, then its targets */
    uint64_t steps;             /* so far */
    double loss;                /* of the last one */
};

/* A new model with a batch. Close it whatever is returned. VL_ENOMEM. */
enum vl_status vl_learning_open(struct vl_learning *learning, const struct vl_bench_shape *shape);
void vl_learning_close(struct vl_learning *learning);

/* One step of lab 01, with clipping. */
enum vl_status vl_learning_step(struct vl_learning *learning);

#endif
