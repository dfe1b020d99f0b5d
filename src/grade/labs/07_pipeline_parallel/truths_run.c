/*
 * What a run of lab 07 must give: the toy of pipeline_parallel.h, done on paper. Every number is
 * rounded once in float32, so results are compared bit by bit.
 */
#include "grade/catalogue/maker.h"
#include "grade/catalogue/scope.h"
#include "grade/labs/07_pipeline_parallel/pipeline_parallel.h"

#include <stdint.h>
#include <stdlib.h>

/* What went through a pipeline: arrays (virtual stages, m, n), except the gradients. */
struct replay {
    struct vl_pipe pipe;
    size_t n, each;   /* numbers of a message, and of all that pass from stage to stage */
    float *x, *y;     /* what F read and left */
    float *dy, *d;    /* what B read and left */
    float *gradients; /* (virtual stages, n) */
};

static void run_forward_and_backward(const struct replay *r, const struct vl_bag *inputs)
{
    const float *c = vl_bag_f32(inputs, "c"), *first = vl_bag_f32(inputs, "first"),
                *target = vl_bag_f32(inputs, "target");
    size_t all = r->pipe.size.stages * r->pipe.size.chunks * r->each, last = all - r->each;
    for (size_t i = 0; i < all; i++) {
        r->x[i] = i < r->each ? first[i] : r->y[i - r->each];
        r->y[i] = r->x[i] / 2 + c[i / r->each * r->n + i % r->n];
    }
    for (size_t i = all; i-- > 0;) {
        r->dy[i] = i >= last ? r->y[i] - target[i - last] : r->d[i + r->each];
        r->d[i] = r->dy[i] / 2 + r->x[i];
    }
}

/* In the order in which the stage does them, which shows in the bits of the sums. */
static void run_weight_parts(const struct replay *r, const struct vl_oracle_task *row, size_t stage)
{
    for (size_t i = 0; i < r->pipe.width; i++) {
        size_t k = row[i].chunk * r->pipe.size.stages + stage;
        for (size_t j = 0; row[i].pass == VL_ORACLE_WEIGHT && j < r->n; j++)
            r->gradients[k * r->n + j] += r->dy[k * r->each + row[i].micro_batch * r->n + j];
    }
}

/* A stage's chunks of an array (virtual stages, rows, n); as float64, which holds every float32. */
static void answer_array(struct vl_scope *s, const struct replay *r, const char *name, size_t stage,
                         const float *array, size_t rows)
{
    size_t v = r->pipe.size.chunks, each = rows * r->n;
    double *out = vl_ranked_out(s, name, (int)stage, v * rows, r->n);
    for (size_t i = 0; out != NULL && i < v * each; i++)
        out[i] = (double)array[(i / each * r->pipe.size.stages + stage) * each + i % each];
}

/* One number for each task, in the order in which they are done; -1: not done. */
static void answer_order(struct vl_scope *s, const struct vl_pipe *pipe,
                         const struct vl_oracle_task *row, size_t stage, size_t computed)
{
    int64_t *order = vl_ranked_whole(s, "order", (int)stage, 1, pipe->width);
    for (size_t i = 0; order != NULL && i < pipe->width; i++) {
        size_t number =
            (row[i].pass * pipe->size.chunks + row[i].chunk) * pipe->size.micro_batches +
            row[i].micro_batch;
        order[i] = i < computed ? (int64_t)number : -1;
    }
}

/* How a run ends. */
struct ending {
    enum vl_status status;
    size_t computed; /* tasks that the stage begins before; SIZE_MAX: all */
};

/* Without memory for messages, or if they are too long, stage 0 can only do its first task, and the
 * next stage none. */
static struct ending ending_of(const struct vl_scope *s, size_t stage)
{
    const size_t fails_at = vl_scope_size(s, "fails_at"), alone = stage == 0 ? 1 : 0;
    if (fails_at > 0)
        return (struct ending){VL_EIO, fails_at};
    if (vl_scope_size(s, "no_memory"))
        return (struct ending){VL_ENOMEM, alone};
    if (vl_scope_size(s, "too_long"))
        return (struct ending){VL_EINVAL, alone};
    if (vl_scope_size(s, "no_actions"))
        return (struct ending){VL_OK, 0};
    return (struct ending){VL_OK, SIZE_MAX};
}

/* If not all is computed the numbers are not compared; without rows the order is not. */
static void answer_all(struct vl_scope *s, const struct replay *r,
                       const struct vl_oracle_task *rows)
{
    size_t p = r->pipe.size.stages, m = r->pipe.size.micro_batches, width = r->pipe.width;
    for (size_t stage = 0; stage < p; stage++) {
        const struct ending ending = ending_of(s, stage);
        if (vl_bag_find(s->inputs, "rows") != NULL)
            answer_order(s, &r->pipe, &rows[stage * width], stage, ending.computed);
        if (ending.computed < width)
            continue;
        run_weight_parts(r, &rows[stage * width], stage);
        answer_array(s, r, "x", stage, r->x, m);
        answer_array(s, r, "dy", stage, r->dy, m);
        answer_array(s, r, "gradients", stage, r->gradients, 1);
    }
}

static void replay(struct vl_scope *s)
{
    struct vl_pipe pipe = vl_pipe_read(s->inputs);
    size_t n = vl_scope_size(s, "n"), each = pipe.size.micro_batches * n,
           all = pipe.size.stages * pipe.size.chunks * each;
    struct vl_oracle_task *rows = vl_pipe_rows(&pipe, s->inputs);
    float *memory = calloc(5 * all + 1, sizeof *memory);
    s->failed |= rows == NULL || memory == NULL;
    if (!s->failed) {
        const struct replay r = {pipe,
                                 n,
                                 each,
                                 memory,
                                 memory + all,
                                 memory + 2 * all,
                                 memory + 3 * all,
                                 memory + 4 * all};
        run_forward_and_backward(&r, s->inputs);
        answer_all(s, &r, rows);
    }
    free(rows);
    free(memory);
}

VL_SCOPED_TRUTH(pipe_whole)
{
    replay(s);
}

/* An error is passed on as it is, and nothing is done after it. */
VL_SCOPED_TRUTH(pipe_run)
{
    if (vl_scope_bad(s))
        return;
    for (size_t stage = 0; stage < vl_scope_size(s, "stages"); stage++)
        vl_ranked_int(s, "returned", (int)stage, ending_of(s, stage).status);
    replay(s);
}

VL_SCOPED_TRUTH(pipe_traffic)
{
    const int32_t *begin = vl_bag_i32(s->inputs, "begin"),
                  *actions = vl_bag_i32(s->inputs, "actions");
    for (int stage = 0; stage < (int)vl_scope_size(s, "stages"); stage++) {
        size_t messages[3] = {0}, bytes = 4 * vl_scope_size(s, "n");
        for (int32_t i = begin[stage]; i < begin[stage + 1] - 1; i++)
            messages[actions[6 * i]]++;
        vl_ranked_int(s, "sent_bytes", stage, bytes * messages[VL_ACTION_SEND]);
        vl_ranked_int(s, "sent_messages", stage, messages[VL_ACTION_SEND]);
        vl_ranked_int(s, "received_bytes", stage, bytes * messages[VL_ACTION_RECEIVE]);
        vl_ranked_int(s, "received_messages", stage, messages[VL_ACTION_RECEIVE]);
    }
}
