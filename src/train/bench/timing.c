#include "train/bench/timing.h"

#include <stdlib.h>
#include <time.h>

double vl_bench_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double vl_bench_median(double *times, size_t n)
{
    qsort(times, n, sizeof *times, by_size);
    return times[n / 2];
}
