/*
 * Square float32 products: the rate that BLAS reaches here with nothing else to do.
 *
 *   rate = 2 n^3 / time of one product, the best of n = 512, 1024, 2048
 */
#ifndef VIALATA_TRAIN_BENCH_STEP_SQUARES_H
#define VIALATA_TRAIN_BENCH_STEP_SQUARES_H

#include "train/bench/timing.h"
#include "vialata/status.h"
#include <stddef.h>

enum { VL_SQUARES = 3 };

struct vl_squares {
    float *a, *c; /* of the largest size */
    double seconds[VL_SQUARES][VL_BENCH_ROUNDS];
    size_t rounds; /* since vl_squares_clear */
};

/* VL_ENOMEM. Free it whatever is returned. */
enum vl_status vl_squares_open(struct vl_squares *squares);
void vl_squares_free(struct vl_squares *squares);

void vl_squares_clear(struct vl_squares *squares);
/* One more round, at most VL_BENCH_ROUNDS: each size is multiplied for at least 'flops' of work. A
 * single small product could run between two interruptions, while a step cannot. */
void vl_squares_round(struct vl_squares *squares, double flops);
/* FLOP/s: of each size its median time, and of the sizes the fastest. After one round at least. */
double vl_squares_rate(struct vl_squares *squares);

#endif
