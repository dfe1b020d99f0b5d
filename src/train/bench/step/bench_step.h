/*
 * `vialata bench step`: how much of this machine the training step uses, on one core.
 *
 *   gflops        model FLOPs of a step / its time:  tokens * (6 N + 12 L D T), N = parameters that
 *                 multiply, attention counted in full (include/vialata/budget.h)
 *   sgemm_gflops  2 n^3 / time of one square float32 product, the best of n = 512, 1024, 2048:
 *                 the rate that BLAS reaches here with nothing else to do
 *   ratio         gflops / sgemm_gflops
 *   products_gflops  the same FLOPs / time of the step's own products alone (products.h): what no
 *                 step with these products can exceed
 *   of_products   gflops / products_gflops: the share of a step that is products
 *
 * Steps, their products and squares alternate in one run, so that a busy machine slows all alike; the
 * squares of each size do as much work as a third of a step. Each figure is the median of its times.
 */
#ifndef VIALATA_TRAIN_BENCH_STEP_BENCH_STEP_H
#define VIALATA_TRAIN_BENCH_STEP_BENCH_STEP_H

#include "train/bench/step/learning.h"
#include "vialata/shape.h"
#include "vialata/status.h"
#include <stddef.h>

struct vl_bench_result {
    struct vl_shape shape;
    size_t batch;
    double tokens_per_second;
    double gflops;
    double sgemm_gflops;
    double ratio;
    double products_gflops;
    double of_products;
};

/* Measure both shapes; takes about half a minute. Sets BLAS to one thread. */
enum vl_status vl_bench_step(struct vl_bench_result results[VL_BENCH_SHAPES]);

#endif
