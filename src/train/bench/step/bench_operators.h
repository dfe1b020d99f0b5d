/*
 * `vialata bench step --operators`: a training step, operator by operator, under the machine's roof.
 *
 *   operators  the mean of the middle third of the steps, sorted by their times: the times of the
 *              rows and the rest add up to 'seconds' (operators.h)
 *   roof       the rates of a large sgemm and of the memory, measured between the steps (squares.h,
 *              stream.h), so that a busy machine slows all alike
 *   counted    FLOPs of a step as vialata/budget.h counts them. Against the operators' sum this has
 *              6 L N D (T - 1) more for the masked half of attention, and lacks all that is
 *              no product.
 */
#ifndef VIALATA_TRAIN_BENCH_STEP_BENCH_OPERATORS_H
#define VIALATA_TRAIN_BENCH_STEP_BENCH_OPERATORS_H

#include "train/bench/step/learning.h"
#include "train/bench/step/roof/operators.h"
#include "train/bench/step/roof/roofline.h"
#include "train/bench/timing.h"

struct vl_operator_bench {
    struct vl_bench_shape shape;
    struct vl_operators operators;
    struct vl_roof roof;
    double counted;
};

/* Measure both shapes, with this many steps of each (1 .. VL_BENCH_ROUNDS); takes about half a
 * minute with all of them. Sets BLAS to one thread. VL_ENOMEM; VL_EINVAL for another number of
 * steps, and in a program without operator_calls.c. */
enum vl_status vl_bench_operators(struct vl_operator_bench results[VL_BENCH_SHAPES], size_t rounds);

#endif
