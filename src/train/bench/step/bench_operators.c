#include "train/bench/step/bench_operators.h"

#include <cblas.h>
#include <stdlib.h>

#include "engine/check.h"
#include "train/bench/step/roof/stream.h"
#include "train/bench/step/squares.h"
#include "vialata/budget.h"

/* ---- a step with its operators ---- */

/* Stands between the step and the model: what is before the first forward is zeroing, and what is
 * after the last backward is the update. */
struct between {
    struct vl_learner own; /* as it was */
    int began;
};

static enum vl_status timed_forward(void *model, size_t micro_batch, double *loss)
{
    struct between *between = model;
    if (!between->began)
        vl_operators_leave(vl_work_zeroing(between->own.count));
    between->began = 1;
    return between->own.forward(between->own.model, micro_batch, loss);
}

static enum vl_status timed_backward(void *model, size_t micro_batch)
{
    struct between *between = model;
    enum vl_status status = between->own.backward(between->own.model, micro_batch);
    vl_operators_enter(VL_OPERATOR_UPDATE); /* the only micro-batch is the last */
    return status;
}

static enum vl_status timed_step(struct vl_operators *operators, struct vl_learning *learning,
                                 size_t vocabulary)
{
    struct between between = {.own = *learning->learner};
    size_t n = between.own.count;
    learning->learner->forward = timed_forward;
    learning->learner->backward = timed_backward;
    learning->learner->model = &between;
    vl_operators_open(operators, vocabulary, vl_bench_seconds);
    vl_operators_enter(VL_OPERATOR_ZEROING);
    enum vl_status status = vl_learning_step(learning);
    vl_operators_leave(vl_work_add(vl_work_gradient_norm(n), vl_work_adamw(n)));
    enum vl_status closed = vl_operators_close(operators);
    *learning->learner = between.own;
    return status == VL_OK ? closed : status;
}

/* ---- rounds ---- */

struct bench {
    struct vl_squares squares;
    struct vl_stream stream;
    struct vl_operators steps[VL_BENCH_ROUNDS];
    size_t rounds;
};

static int by_seconds(const void *a, const void *b)
{
    double x = (*(const struct vl_operators *const *)a)->seconds,
           y = (*(const struct vl_operators *const *)b)->seconds;
    return (x > y) - (x < y);
}

static void take_middle(struct vl_operators *middle, const struct bench *bench)
{
    const struct vl_operators *sorted[VL_BENCH_ROUNDS] = {bench->steps};
    size_t rounds = bench->rounds, third = rounds < 3 ? 1 : rounds / 3;
    for (size_t i = 0; i < rounds; i++)
        sorted[i] = &bench->steps[i];
    qsort(sorted, rounds, sizeof *sorted, by_seconds);
    vl_operators_mean(middle, sorted + (rounds - third) / 2, third);
}

static enum vl_status measure(struct vl_operator_bench *result, struct bench *bench,
                              struct vl_learning *learning)
{
    const struct vl_shape *shape = &result->shape.shape;
    double per_token;
    VL_CHECK(vl_flops_per_token(&per_token, shape));
    result->counted = (double)(result->shape.batch * shape->sequence) * per_token;
    VL_CHECK(vl_learning_step(learning)); /* warms everything up */
    vl_squares_clear(&bench->squares);
    vl_stream_clear(&bench->stream);
    for (size_t round = 0; round < bench->rounds; round++) {
        VL_CHECK(timed_step(&bench->steps[round], learning, shape->vocabulary));
        vl_squares_round(&bench->squares, result->counted / VL_SQUARES);
        vl_stream_round(&bench->stream);
    }
    take_middle(&result->operators, bench);
    result->roof = (struct vl_roof){.flops_per_second = vl_squares_rate(&bench->squares),
                                    .bytes_per_second = vl_stream_rate(&bench->stream)};
    return VL_OK;
}

static enum vl_status bench_shape(struct vl_operator_bench *result, struct bench *bench)
{
    struct vl_learning learning;
    enum vl_status status = vl_learning_open(&learning, &result->shape);
    if (status == VL_OK)
        status = measure(result, bench, &learning);
    vl_learning_close(&learning);
    return status;
}

enum vl_status vl_bench_operators(struct vl_operator_bench results[VL_BENCH_SHAPES], size_t rounds)
{
    if (rounds < 1 || rounds > VL_BENCH_ROUNDS)
        return VL_EINVAL;
    struct bench *bench = calloc(1, sizeof *bench);
    if (bench == NULL)
        return VL_ENOMEM;
    bench->rounds = rounds;
    openblas_set_num_threads(1);
    enum vl_status status = vl_squares_open(&bench->squares);
    if (status == VL_OK)
        status = vl_stream_open(&bench->stream);
    for (size_t k = 0; k < VL_BENCH_SHAPES && status == VL_OK; k++) {
        results[k] = (struct vl_operator_bench){.shape = vl_bench_shapes[k]};
        status = bench_shape(&results[k], bench);
    }
    vl_squares_free(&bench->squares);
    vl_stream_free(&bench->stream);
    free(bench);
    return status;
}
