/*
 * What a run of lab 07 must give: the toy of grade/pipeline_parallel.h, done on paper. Every number
 * is rounded once in float32, so results are compared bit by bit.
 */
#include "grade/catalogue/maker.h"
#include "grade/catalogue/scope.h"
#include "grade/labs/07_pipeline_parallel/pipeline_parallel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A pipeline at work. Arrays of (virtual stages, m, n); what waits for something comes later. */
struct replay {
    struct vl_pipe pipe;
    enum vl_pipe_mistake mistake;
    size_t n, computed; /* tasks of a stage; fewer than all if one fails */
    int memory;         /* as in the inputs */
    const float *c, *first, *target;
    struct vl_oracle_task *rows;
    size_t *next;     /* (p) */
    char *done;       /* (3, virtual stages, m) */
    float *x, *y;     /* what F read and left */
    float *dy, *d;    /* what B read and left */
    float *gradients; /* (virtual stages, n) */
    float *rooms;     /* (p, 2, n): where each direction's messages arrived last */
};

static size_t place(const struct replay *r, size_t k, size_t micro_batch)
{
    return (k * r->pipe.size.micro_batches + micro_batch) * r->n;
}

static char *done(const struct replay *r, enum vl_oracle_pass pass, size_t k, size_t micro_batch)
{
    size_t all = r->pipe.size.stages * r->pipe.size.chunks;
    return &r->done[((size_t)pass * all + k) * r->pipe.size.micro_batches + micro_batch];
}

/* What is found where a message should be: in a room of its own, or in one that is shared with the
 * message before. A mistake brings fewer bytes, or all of them too late. */
static void arrive(float *found, const struct replay *r, size_t stage, enum vl_oracle_pass pass,
                   const float *message)
{
    float *room = &r->rooms[(2 * stage + (pass == VL_ORACLE_BACKWARD)) * r->n];
    size_t bytes = r->n * sizeof *room;
    for (size_t i = 0; r->memory == 0 && i < r->n; i++)
        room[i] = VL_PIPE_ROOM;
    if (r->mistake == VL_PIPE_QUARTER)
        bytes = r->n;
    if (r->mistake == VL_PIPE_NOT_FIRST && r->n > 0)
        bytes = sizeof *room;
    if (r->mistake != VL_PIPE_NOT_THERE)
        memcpy(room, message, bytes);
    memcpy(found, room, r->n * sizeof *room);
    memcpy(room, message, bytes);
}

/* Does the task have what it needs? */
static int is_ready(const struct replay *r, const struct vl_oracle_task *t, size_t k)
{
    size_t last = r->pipe.size.stages * r->pipe.size.chunks - 1;
    if (t->pass == VL_ORACLE_FORWARD)
        return k == 0 || *done(r, VL_ORACLE_FORWARD, k - 1, t->micro_batch);
    if (t->pass == VL_ORACLE_WEIGHT)
        return 1;
    return k == last || *done(r, VL_ORACLE_BACKWARD, k + 1, t->micro_batch);
}

static void forward(struct replay *r, size_t stage, size_t k, size_t m)
{
    float *x = &r->x[place(r, k, m)], *y = &r->y[place(r, k, m)];
    if (k == 0)
        memcpy(x, &r->first[m * r->n], r->n * sizeof *x);
    else if (r->pipe.size.stages == 1)
        memcpy(x, &r->y[place(r, k - 1, m)], r->n * sizeof *x);
    else
        arrive(x, r, stage, VL_ORACLE_FORWARD, &r->y[place(r, k - 1, m)]);
    for (size_t i = 0; i < r->n; i++)
        y[i] = x[i] / 2 + r->c[k * r->n + i];
}

static void backward(struct replay *r, size_t stage, size_t k, size_t m)
{
    size_t last = r->pipe.size.stages * r->pipe.size.chunks - 1;
    float *dy = &r->dy[place(r, k, m)], *d = &r->d[place(r, k, m)];
    for (size_t i = 0; k == last && i < r->n; i++)
        dy[i] = r->y[place(r, k, m) + i] - r->target[m * r->n + i];
    if (k < last && r->pipe.size.stages == 1)
        memcpy(dy, &r->d[place(r, k + 1, m)], r->n * sizeof *dy);
    else if (k < last)
        arrive(dy, r, stage, VL_ORACLE_BACKWARD, &r->d[place(r, k + 1, m)]);
    for (size_t i = 0; i < r->n; i++)
        d[i] = dy[i] / 2 + r->x[place(r, k, m) + i];
}

/* The next task of a stage, if it can be done. */
static int step(struct replay *r, size_t stage)
{
    if (r->next[stage] == r->computed)
        return 0;
    const struct vl_oracle_task *t = &r->rows[stage * r->pipe.width + r->next[stage]];
    size_t k = t->chunk * r->pipe.size.stages + stage, m = t->micro_batch;
    if (!is_ready(r, t, k))
        return 0;
    if (t->pass == VL_ORACLE_FORWARD)
        forward(r, stage, k, m);
    else if (t->pass == VL_ORACLE_BACKWARD)
        backward(r, stage, k, m);
    for (size_t i = 0; t->pass == VL_ORACLE_WEIGHT && i < r->n; i++)
        r->gradients[k * r->n + i] += r->dy[place(r, k, m) + i];
    *done(r, t->pass, k, m) = 1;
    r->next[stage]++;
    return 1;
}

static int open(struct replay *r, const struct vl_bag *inputs)
{
    size_t p = r->pipe.size.stages, all = p * r->pipe.size.chunks,
           each = all * r->pipe.size.micro_batches, fails_at = vl_bag_size(inputs, "fails_at");
    const int32_t *table = vl_bag_i32(inputs, "rows");
    r->n = vl_bag_size(inputs, "n");
    r->memory = (int)vl_bag_int(inputs, "memory");
    r->computed = fails_at > 0 ? fails_at : r->pipe.width;
    r->c = vl_bag_f32(inputs, "c");
    r->first = vl_bag_f32(inputs, "first");
    r->target = vl_bag_f32(inputs, "target");
    r->rows = calloc(p * r->pipe.width, sizeof *r->rows);
    r->next = calloc(p, sizeof *r->next);
    r->done = calloc(3 * each, 1);
    float **const arrays[] = {&r->x, &r->y, &r->dy, &r->d};
    int kept = r->rows != NULL && r->next != NULL && r->done != NULL;
    for (size_t i = 0; i < 4; i++)
        kept &= (*arrays[i] = calloc(each * r->n + 1, sizeof(float))) != NULL;
    kept &= (r->gradients = calloc(all * r->n + 1, sizeof(float))) != NULL;
    kept &= (r->rooms = calloc(2 * p * r->n + 1, sizeof(float))) != NULL;
    for (size_t i = 0; r->rooms != NULL && i < 2 * p * r->n; i++)
        r->rooms[i] = VL_PIPE_ROOM;
    if (kept && table != NULL)
        vl_pipe_rows_read(r->rows, table, p * r->pipe.width);
    else if (kept)
        vl_pipe_rows(r->rows, &r->pipe);
    return kept;
}

static void close(struct replay *r)
{
    free(r->rows);
    free(r->next);
    free(r->done);
    free(r->x);
    free(r->y);
    free(r->dy);
    free(r->d);
    free(r->gradients);
    free(r->rooms);
}

/* A stage's chunks of an array (virtual stages, rows, n); as float64, which holds every float32. */
static int answer_array(struct vl_bag *answer, const struct replay *r, const char *name,
                        size_t stage, const float *array, size_t rows)
{
    char ranked[VL_RANKED_NAME];
    size_t v = r->pipe.size.chunks, each = rows * r->n;
    double *out = vl_bag_add_f64(answer, vl_ranked(ranked, name, (int)stage), v * rows, r->n);
    for (size_t i = 0; out != NULL && i < v * each; i++)
        out[i] = (double)array[(i / each * r->pipe.size.stages + stage) * each + i % each];
    return out != NULL;
}

/* One number for each task, in the order in which they are done; -1: not done. */
static int answer_order(struct vl_bag *answer, const struct replay *r, size_t stage)
{
    char ranked[VL_RANKED_NAME];
    int64_t *order =
        vl_pipe_table(answer, vl_ranked(ranked, "order", (int)stage), 1, r->pipe.width, -1);
    for (size_t i = 0; order != NULL && i < r->computed; i++) {
        const struct vl_oracle_task *t = &r->rows[stage * r->pipe.width + i];
        order[i] = (int64_t)(((size_t)t->pass * r->pipe.size.chunks + t->chunk) *
                                 r->pipe.size.micro_batches +
                             t->micro_batch);
    }
    return order != NULL;
}

static int answer_all(struct vl_bag *answer, const struct replay *r)
{
    size_t m = r->pipe.size.micro_batches;
    int kept = 1;
    for (size_t stage = 0; kept && stage < r->pipe.size.stages; stage++)
        kept = answer_array(answer, r, "x", stage, r->x, m) &&
               answer_array(answer, r, "dy", stage, r->dy, m) &&
               answer_array(answer, r, "gradients", stage, r->gradients, 1);
    return kept;
}

enum vl_status vl_pipe_replay(struct vl_bag *answer, const struct vl_bag *inputs,
                              enum vl_pipe_mistake mistake)
{
    struct replay r = {.pipe = vl_pipe_read(inputs), .mistake = mistake};
    int kept = open(&r, inputs);
    for (int moved = kept; moved;) {
        moved = 0;
        for (size_t stage = 0; stage < r.pipe.size.stages; stage++)
            while (step(&r, stage))
                moved = 1;
    }
    kept = kept && (r.computed < r.pipe.width || answer_all(answer, &r));
    for (size_t stage = 0; kept && mistake == VL_PIPE_RIGHT &&
                           vl_bag_find(inputs, "rows") != NULL && stage < r.pipe.size.stages;
         stage++)
        kept = answer_order(answer, &r, stage);
    close(&r);
    return kept ? VL_OK : VL_ENOMEM;
}

VL_TRUTH(pipe_whole)
{
    return vl_pipe_replay(expected, inputs, VL_PIPE_RIGHT);
}

/* An error is handed on as it is, and nothing is done behind it. */
VL_TRUTH(pipe_run)
{
    char name[VL_RANKED_NAME];
    int fails = vl_bag_int(inputs, "fails_at") > 0, no_memory = vl_bag_int(inputs, "no_memory") > 0;
    int status = fails ? VL_EIO : no_memory ? VL_ENOMEM : VL_OK;
    struct vl_pipe pipe = vl_pipe_read(inputs);
    for (int rank = 0; rank < (int)pipe.size.stages; rank++)
        if (!vl_bag_set_int(expected, vl_ranked(name, "returned", rank), status))
            return VL_ENOMEM;
    return no_memory ? VL_OK : vl_pipe_replay(expected, inputs, VL_PIPE_RIGHT);
}

VL_TRUTH(pipe_traffic)
{
    static const char *const names[] = {"sent_bytes", "sent_messages", "received_bytes",
                                        "received_messages"};
    char name[VL_RANKED_NAME];
    struct vl_pipe pipe = vl_pipe_read(inputs);
    const int32_t *begin = vl_bag_i32(inputs, "begin"), *actions = vl_bag_i32(inputs, "actions");
    size_t bytes = 4 * vl_bag_size(inputs, "n");
    for (size_t stage = 0; stage < pipe.size.stages; stage++) {
        size_t count[4] = {0};
        for (int32_t i = begin[stage]; i < begin[stage + 1]; i++)
            for (size_t way = 0; way < 2; way++)
                if (actions[6 * i] == (way == 0 ? VL_PIPE_SEND : VL_PIPE_RECEIVE)) {
                    count[2 * way] += bytes;
                    count[2 * way + 1]++;
                }
        for (size_t i = 0; i < 4; i++)
            if (!vl_bag_set_int(expected, vl_ranked(name, names[i], (int)stage), (int64_t)count[i]))
                return VL_ENOMEM;
    }
    return VL_OK;
}
