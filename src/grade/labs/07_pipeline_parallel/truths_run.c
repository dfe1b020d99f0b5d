/*
 * What a run of lab 07 must give: the toy of pipeline_parallel.h, done on paper. Every number is
 * rounded once in float32, so results are compared bit by bit.
 */
#include "grade/catalogue/maker.h"
#include "grade/catalogue/scope.h"
#include "grade/labs/07_pipeline_parallel/pipeline_parallel.h"

#include <stdlib.h>
#include <string.h>

/* A pipeline at work. Arrays of (virtual stages, m, n). */
struct replay {
    struct vl_pipe pipe;
    size_t n, computed, last; /* tasks of a stage, fewer if one fails; the last virtual stage */
    const float *c, *first, *target;
    struct vl_oracle_task *rows;
    size_t *next; /* (p): how far each stage has come */
    char *done;   /* (3, virtual stages, m) */
    float *memory;
    float *x, *y;     /* what F read and left */
    float *dy, *d;    /* what B read and left */
    float *gradients; /* (virtual stages, n) */
};

static size_t place(const struct replay *r, size_t k, size_t micro_batch)
{
    return (k * r->pipe.size.micro_batches + micro_batch) * r->n;
}

static char *done(const struct replay *r, enum vl_oracle_pass pass, size_t k, size_t micro_batch)
{
    size_t row = (size_t)pass * (r->last + 1) + k;
    return &r->done[row * r->pipe.size.micro_batches + micro_batch];
}

/* Does the task have what it needs? */
static int is_ready(const struct replay *r, const struct vl_oracle_task *t, size_t k)
{
    if (t->pass == VL_ORACLE_FORWARD)
        return k == 0 || *done(r, VL_ORACLE_FORWARD, k - 1, t->micro_batch);
    if (t->pass == VL_ORACLE_WEIGHT)
        return 1;
    return k == r->last || *done(r, VL_ORACLE_BACKWARD, k + 1, t->micro_batch);
}

static void compute(struct replay *r, enum vl_oracle_pass pass, size_t k, size_t m)
{
    size_t at = place(r, k, m);
    for (size_t i = 0; i < r->n; i++) {
        if (pass == VL_ORACLE_FORWARD) {
            r->x[at + i] = k == 0 ? r->first[m * r->n + i] : r->y[place(r, k - 1, m) + i];
            r->y[at + i] = r->x[at + i] / 2 + r->c[k * r->n + i];
        } else if (pass == VL_ORACLE_BACKWARD) {
            r->dy[at + i] = k == r->last ? r->y[at + i] - r->target[m * r->n + i]
                                         : r->d[place(r, k + 1, m) + i];
            r->d[at + i] = r->dy[at + i] / 2 + r->x[at + i];
        } else {
            r->gradients[k * r->n + i] += r->dy[at + i];
        }
    }
}

/* The next task of a stage, if it can be done. */
static int step(struct replay *r, size_t stage)
{
    if (r->next[stage] == r->computed)
        return 0;
    const struct vl_oracle_task *t = &r->rows[stage * r->pipe.width + r->next[stage]];
    size_t k = t->chunk * r->pipe.size.stages + stage;
    if (!is_ready(r, t, k))
        return 0;
    compute(r, t->pass, k, t->micro_batch);
    *done(r, t->pass, k, t->micro_batch) = 1;
    r->next[stage]++;
    return 1;
}

static int prepare(struct replay *r, const struct vl_bag *inputs)
{
    size_t p = r->pipe.size.stages, all = p * r->pipe.size.chunks, n = vl_bag_size(inputs, "n"),
           each = all * r->pipe.size.micro_batches, fails_at = vl_bag_size(inputs, "fails_at");
    r->n = n;
    r->last = all - 1;
    r->computed = fails_at > 0 ? fails_at : r->pipe.width;
    r->c = vl_bag_f32(inputs, "c");
    r->first = vl_bag_f32(inputs, "first");
    r->target = vl_bag_f32(inputs, "target");
    r->rows = vl_pipe_rows(&r->pipe, inputs);
    r->next = calloc(p, sizeof *r->next);
    r->done = calloc(3 * each, 1);
    r->memory = calloc((4 * each + all) * n + 1, sizeof *r->memory);
    if (r->rows == NULL || r->next == NULL || r->done == NULL || r->memory == NULL)
        return 0;
    float **const arrays[] = {&r->x, &r->y, &r->dy, &r->d, &r->gradients};
    for (size_t i = 0; i < 5; i++)
        *arrays[i] = r->memory + i * each * n;
    return 1;
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
static void answer_order(struct vl_scope *s, const struct replay *r, size_t stage)
{
    int64_t *order = vl_ranked_whole(s, "order", (int)stage, 1, r->pipe.width);
    for (size_t i = 0; order != NULL && i < r->pipe.width; i++) {
        const struct vl_oracle_task *t = &r->rows[stage * r->pipe.width + i];
        size_t row = (size_t)t->pass * r->pipe.size.chunks + t->chunk;
        order[i] =
            i < r->computed ? (int64_t)(row * r->pipe.size.micro_batches + t->micro_batch) : -1;
    }
}

/* Where a task fails the numbers are not compared; without rows the order is not. */
static void answer_all(struct vl_scope *s, const struct replay *r)
{
    size_t p = r->pipe.size.stages, m = r->pipe.size.micro_batches;
    for (size_t stage = 0; r->computed == r->pipe.width && stage < p; stage++) {
        answer_array(s, r, "x", stage, r->x, m);
        answer_array(s, r, "dy", stage, r->dy, m);
        answer_array(s, r, "gradients", stage, r->gradients, 1);
    }
    for (size_t stage = 0; vl_bag_find(s->inputs, "rows") != NULL && stage < p; stage++)
        answer_order(s, r, stage);
}

/* The whole pipeline, done stage by stage. */
static void replay(struct vl_scope *s)
{
    struct replay r = {.pipe = vl_pipe_read(s->inputs)};
    s->failed |= !prepare(&r, s->inputs);
    for (int moved = !s->failed; moved;) {
        moved = 0;
        for (size_t stage = 0; stage < r.pipe.size.stages; stage++)
            while (step(&r, stage))
                moved = 1;
    }
    if (!s->failed)
        answer_all(s, &r);
    free(r.rows);
    free(r.next);
    free(r.done);
    free(r.memory);
}

VL_SCOPED_TRUTH(pipe_whole)
{
    replay(s);
}

/* An error is passed on as it is, and nothing is done after it. */
VL_SCOPED_TRUTH(pipe_run)
{
    int fails = vl_scope_size(s, "fails_at") > 0, no_memory = vl_scope_size(s, "no_memory") > 0;
    for (int rank = 0; rank < (int)vl_scope_size(s, "stages"); rank++)
        vl_ranked_int(s, "returned", rank, fails ? VL_EIO : no_memory ? VL_ENOMEM : VL_OK);
    if (!no_memory)
        replay(s);
}

VL_SCOPED_TRUTH(pipe_traffic)
{
    const int32_t *begin = vl_bag_i32(s->inputs, "begin"),
                  *actions = vl_bag_i32(s->inputs, "actions");
    for (int stage = 0; stage < (int)vl_scope_size(s, "stages"); stage++) {
        size_t messages[3] = {0}, bytes = 4 * vl_scope_size(s, "n");
        for (int32_t i = begin[stage]; i < begin[stage + 1]; i++)
            messages[actions[6 * i]]++;
        vl_ranked_int(s, "sent_bytes", stage, bytes * messages[VL_PIPE_SEND]);
        vl_ranked_int(s, "sent_messages", stage, messages[VL_PIPE_SEND]);
        vl_ranked_int(s, "received_bytes", stage, bytes * messages[VL_PIPE_RECEIVE]);
        vl_ranked_int(s, "received_messages", stage, messages[VL_PIPE_RECEIVE]);
    }
}
