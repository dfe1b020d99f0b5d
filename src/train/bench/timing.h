/*
 * How the benchmarks look at the clock.
 */
#ifndef VIALATA_TRAIN_BENCH_TIMING_H
#define VIALATA_TRAIN_BENCH_TIMING_H

#include <stddef.h>

enum { VL_BENCH_ROUNDS = 9 }; /* what is compared takes turns, so often */

/* Seconds since some moment, never set back. */
double vl_bench_seconds(void);

/* The middle one of n > 0 times, which are sorted by this. */
double vl_bench_median(double *times, size_t n);

#endif
