#include "train/bench/step/squares.h"

#include "base/random.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>

enum { LARGEST = 2048 };

static const size_t sizes[VL_SQUARES] = {512, 1024, LARGEST};

enum vl_status vl_squares_open(struct vl_squares *squares)
{
    size_t elements = (size_t)LARGEST * LARGEST;
    *squares = (struct vl_squares){.a = malloc(elements * sizeof *squares->a),
                                   .c = calloc(elements, sizeof *squares->c)};
    if (squares->a == NULL || squares->c == NULL)
        return VL_ENOMEM;
    vl_random_fill_normal(squares->a, elements, 1.0f, 2, 0, 0);
    return VL_OK;
}

void vl_squares_free(struct vl_squares *squares)
{
    free(squares->a);
    free(squares->c);
    *squares = (struct vl_squares){.a = NULL};
}

void vl_squares_clear(struct vl_squares *squares)
{
    squares->rounds = 0;
}

static double flops_of(size_t size)
{
    double n = (double)size;
    return 2 * n * n * n;
}

static double seconds_of_one(const struct vl_squares *squares, size_t size, double flops)
{
    blasint n = (blasint)size;
    size_t times = (size_t)ceil(flops / flops_of(size));
    double start = vl_bench_seconds();
    for (size_t i = 0; i < times; i++)
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1.0f, squares->a, n,
                    squares->a, n, 0.0f, squares->c, n);
    return (vl_bench_seconds() - start) / (double)times;
}

void vl_squares_round(struct vl_squares *squares, double flops)
{
    size_t round = squares->rounds++;
    for (size_t k = 0; k < VL_SQUARES; k++)
        squares->seconds[k][round] = seconds_of_one(squares, sizes[k], flops);
}

double vl_squares_rate(struct vl_squares *squares)
{
    double best = 0;
    for (size_t k = 0; k < VL_SQUARES; k++) {
        double rate = flops_of(sizes[k]) / vl_bench_median(squares->seconds[k], squares->rounds);
        best = fmax(best, rate);
    }
    return best;
}
