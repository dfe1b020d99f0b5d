/*
 * The toy of lab 07 (pipeline_parallel.h) as a struct vl_stage: n numbers in each message, each
 * rounded once in each task. What its tasks read, and the order in which they were computed, are
 * outputs.
 */
#ifndef VIALATA_GRADE_LABS_07_PIPELINE_PARALLEL_RUNNER_PIPE_TOY_H
#define VIALATA_GRADE_LABS_07_PIPELINE_PARALLEL_RUNNER_PIPE_TOY_H

#include "vialata/pipeline.h"
#include "wire/bag.h"

#include <stdbool.h>

struct vl_pipe_toy {
    struct vl_stage stage;
    size_t p, v, m, n; /* of the pipeline; n numbers in a message */
    size_t rank;       /* its stage */
    /* What has its own buffer. 0: each message; 1: out and in, by direction; 2: each direction. */
    int memory;
    size_t fails_at; /* 1 + tasks before the one that fails; 0: none */
    int no_memory;   /* 'message' fails */
    MPI_Comm words;  /* late: the first stage tells the others on it that its forwards are done */
    int has_heard;

    const float *c, *first, *target;
    /* Outputs, so that all of them lie between guards. */
    float *buffers;           /* of messages */
    float *y, *d;             /* (v, m, n): what F and B left */
    float *x, *dy, *gradient; /* what F and B read, and the sums */
    int64_t *order;           /* the tasks in the order of computing */
    int64_t *strange;         /* questions about messages that do not exist */
    size_t computed, forwards;
};

/* Adds the outputs. False without memory. */
bool vl_pipe_toy_open(struct vl_pipe_toy *toy, struct vl_bag *outputs, const struct vl_bag *inputs);
/* After the run: overwrite the buffers, so that a send that is still open is noticed. */
void vl_pipe_toy_close(struct vl_pipe_toy *toy);

#endif
