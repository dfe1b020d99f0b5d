/*
 * The toy of lab 07 (pipeline_parallel.h) as a struct vl_stage: n numbers in each message, each
 * rounded once in each task. What its tasks read, the order in which they were computed, and how the
 * run went about it, are outputs. Once something has failed here everything does.
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
    size_t more;     /* numbers that a gradient's message has in front of its n */
    size_t fails_at; /* 1 + tasks before the one that fails; 0: none */
    int no_memory;   /* 'message' fails, but for the first that stage 0 sends */
    int too_long;    /* messages have more elements than can be sent */
    int one_place;   /* empty messages have memory, all the same */
    int has_failed;

    /* Late: the first stage tells the others that its forwards are done, the last one that all is. */
    int late;
    MPI_Comm words;
    int has_heard[2]; /* of the first stage, of the last one */

    int listed; /* only these have messages: */
    const struct vl_action *actions;
    size_t action_count;

    const float *c, *first, *target;
    /* Outputs, so that all of them lie between guards. */
    float *buffers;           /* of messages */
    float *y, *d;             /* (v, m, n): what F and B left */
    float *x, *dy, *gradient; /* what F and B read, and the sums */
    int64_t *order;           /* the tasks in the order of computing */
    int64_t *strange;         /* questions about messages that do not exist */
    int64_t *unpolled;        /* tasks before which no MPI call moved the sends under way */
    size_t computed, forwards;
    uint64_t calls; /* of MPI, until the latest task was done */
};

/* Adds the outputs. False without memory. */
bool vl_pipe_toy_open(struct vl_pipe_toy *toy, struct vl_bag *outputs, const struct vl_bag *inputs);
/* After a run that 'status' has ended early on both of two stages: what stage 0 still sends is
 * received, so that nothing is left for the next case. */
void vl_pipe_toy_clear(const struct vl_pipe_toy *toy, enum vl_status status);
/* After the run: overwrite the buffers, so that a send that is still open is noticed. */
void vl_pipe_toy_close(struct vl_pipe_toy *toy);

#endif
