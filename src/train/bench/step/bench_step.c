#include "train/bench/step/bench_step.h"

#include <cblas.h>
#include <stddef.h>

#include "engine/check.h"
#include "train/bench/step/products.h"
#include "train/bench/step/squares.h"
#include "train/bench/timing.h"
#include "vialata/budget.h"

enum { ROUNDS = VL_BENCH_ROUNDS };

/* A model that learns, the products of its step, and the square products. */
struct bench {
    struct vl_learning learning;
    struct vl_products products; /* of one step */
    struct vl_squares *squares;
};

/* The first step warms everything up, and shows its products. */
static enum vl_status first_step(struct bench *bench)
{
    vl_products_open(&bench->products);
    enum vl_status status = vl_learning_step(&bench->learning);
    enum vl_status closed = vl_products_close(&bench->products);
    return status == VL_OK ? closed : status;
}

static enum vl_status measure(struct vl_bench_result *result, struct bench *bench)
{
    double steps[ROUNDS], products[ROUNDS], flops;
    const double tokens = (double)(result->batch * result->shape.sequence);
    VL_CHECK(vl_flops_per_token(&flops, &result->shape));
    VL_CHECK(first_step(bench));
    vl_squares_clear(bench->squares);
    for (size_t round = 0; round < ROUNDS; round++) {
        double start = vl_bench_seconds();
        VL_CHECK(vl_learning_step(&bench->learning));
        steps[round] = vl_bench_seconds() - start;
        start = vl_bench_seconds();
        vl_products_repeat(&bench->products);
        products[round] = vl_bench_seconds() - start;
        vl_squares_round(bench->squares, tokens * flops / VL_SQUARES);
    }
    result->tokens_per_second = tokens / vl_bench_median(steps, ROUNDS);
    result->gflops = 1e-9 * flops * result->tokens_per_second;
    result->products_gflops = 1e-9 * flops * tokens / vl_bench_median(products, ROUNDS);
    result->of_products = result->gflops / result->products_gflops;
    result->sgemm_gflops = 1e-9 * vl_squares_rate(bench->squares);
    result->ratio = result->gflops / result->sgemm_gflops;
    return VL_OK;
}

static enum vl_status bench_shape(struct vl_bench_result *result,
                                  const struct vl_bench_shape *shape, struct vl_squares *squares)
{
    struct bench bench = {.squares = squares};
    *result = (struct vl_bench_result){.shape = shape->shape, .batch = shape->batch};
    enum vl_status status = vl_learning_open(&bench.learning, shape);
    if (status == VL_OK)
        status = measure(result, &bench);
    vl_products_free(&bench.products);
    vl_learning_close(&bench.learning);
    return status;
}

enum vl_status vl_bench_step(struct vl_bench_result results[VL_BENCH_SHAPES])
{
    struct vl_squares squares;
    openblas_set_num_threads(1);
    enum vl_status status = vl_squares_open(&squares);
    for (size_t k = 0; k < VL_BENCH_SHAPES && status == VL_OK; k++)
        status = bench_shape(&results[k], &vl_bench_shapes[k], &squares);
    vl_squares_free(&squares);
    return status;
}
