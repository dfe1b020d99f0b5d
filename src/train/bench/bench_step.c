#include "train/bench/bench_step.h"

#include <cblas.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "base/random.h"
#include "engine/check.h"
#include "engine/model/model.h"
#include "train/bench/products.h"
#include "vialata/budget.h"

enum { SQUARES = 3, ROUNDS = 9, LARGEST = 2048 };

static const size_t squares[SQUARES] = {512, 1024, LARGEST};

/* The shapes of the course's comparison with other trainers. */
static const struct {
    struct vl_shape shape;
    size_t batch;
} cases[VL_BENCH_SHAPES] = {
    {{.layers = 4, .width = 256, .heads = 4, .ff = 704, .vocabulary = 512, .sequence = 128}, 8},
    {{.layers = 6, .width = 512, .heads = 8, .ff = 1376, .vocabulary = 4096, .sequence = 256}, 4},
};

static double seconds(void)
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

static double median(double *times, size_t n)
{
    qsort(times, n, sizeof *times, by_size);
    return times[n / 2];
}

/* Seconds per product, averaged over at least 'flops' of work: a single small product could run
 * between two interruptions, while a step cannot. */
static double time_square(const float *a, float *c, size_t size, double flops)
{
    blasint n = (blasint)size;
    double one = 2.0 * (double)size * (double)size * (double)size;
    size_t times = (size_t)ceil(flops / one);
    double start = seconds();
    for (size_t i = 0; i < times; i++)
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1.0f, a, n, a, n, 0.0f, c,
                    n);
    return (seconds() - start) / (double)times;
}

/* A model that learns, the products of its step, and the matrices of the square products. */
struct bench {
    struct vl_model *model;
    struct vl_products products; /* of one step */
    const float *a;
    float *c;
};

static enum vl_status step_once(struct bench *bench, uint64_t number)
{
    const struct vl_adamw settings = {1e-3f, 0.9f, 0.95f, 1e-8f, 0.1f};
    struct vl_step_result step;
    return vl_training_step(vl_model_learner(bench->model), 1, &settings, 1.0f, number, &step);
}

/* The first step warms everything up, and shows its products. */
static enum vl_status first_step(struct bench *bench)
{
    vl_products_open(&bench->products);
    enum vl_status status = step_once(bench, 1);
    enum vl_status closed = vl_products_close(&bench->products);
    return status == VL_OK ? closed : status;
}

static enum vl_status measure(struct vl_bench_result *result, struct bench *bench)
{
    double steps[ROUNDS], products[ROUNDS], of_size[SQUARES][ROUNDS], flops;
    const double tokens = (double)(result->batch * result->shape.sequence);
    VL_CHECK(vl_flops_per_token(&flops, &result->shape));
    VL_CHECK(first_step(bench));
    for (size_t round = 0; round < ROUNDS; round++) {
        double start = seconds();
        VL_CHECK(step_once(bench, 2 + round));
        steps[round] = seconds() - start;
        start = seconds();
        vl_products_repeat(&bench->products);
        products[round] = seconds() - start;
        for (size_t k = 0; k < SQUARES; k++)
            of_size[k][round] =
                time_square(bench->a, bench->c, squares[k], tokens * flops / SQUARES);
    }
    result->tokens_per_second = tokens / median(steps, ROUNDS);
    result->gflops = 1e-9 * flops * result->tokens_per_second;
    result->products_gflops = 1e-9 * flops * tokens / median(products, ROUNDS);
    result->of_products = result->gflops / result->products_gflops;
    result->sgemm_gflops = 0;
    for (size_t k = 0; k < SQUARES; k++) {
        double n = (double)squares[k];
        double rate = 1e-9 * 2 * n * n * n / median(of_size[k], ROUNDS);
        if (rate > result->sgemm_gflops)
            result->sgemm_gflops = rate;
    }
    result->ratio = result->gflops / result->sgemm_gflops;
    return VL_OK;
}

static enum vl_status bench_shape(struct vl_bench_result *result, const float *a, float *c)
{
    size_t n = result->batch * result->shape.sequence;
    int32_t *tokens = calloc(2 * n, sizeof *tokens);
    struct bench bench = {.a = a, .c = c};
    enum vl_status status = tokens != NULL ? VL_OK : VL_ENOMEM;
    if (status == VL_OK)
        status = vl_model_create(&bench.model, &result->shape, result->batch, VL_MODEL_LEARNS);
    if (status == VL_OK) {
        for (size_t i = 0; i < 2 * n; i++)
            tokens[i] = (int32_t)vl_random_below(result->shape.vocabulary, 1, 0, i);
        vl_model_initialise(bench.model, 1);
        status = vl_model_set_batch(bench.model, tokens, tokens + n, result->batch, 1);
    }
    if (status == VL_OK)
        status = measure(result, &bench);
    vl_products_free(&bench.products);
    vl_model_free(bench.model);
    free(tokens);
    return status;
}

enum vl_status vl_bench_step(struct vl_bench_result results[VL_BENCH_SHAPES])
{
    size_t elements = (size_t)LARGEST * LARGEST;
    float *a = malloc(elements * sizeof *a), *c = calloc(elements, sizeof *c);
    enum vl_status status = a != NULL && c != NULL ? VL_OK : VL_ENOMEM;
    openblas_set_num_threads(1);
    if (status == VL_OK)
        vl_random_fill_normal(a, elements, 1.0f, 2, 0, 0);
    for (size_t k = 0; k < VL_BENCH_SHAPES && status == VL_OK; k++) {
        results[k] = (struct vl_bench_result){.shape = cases[k].shape, .batch = cases[k].batch};
        status = bench_shape(&results[k], a, c);
    }
    free(a);
    free(c);
    return status;
}
