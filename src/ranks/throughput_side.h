/*
 * One of the two jobs of a throughput (grade/job/throughput.h): it is started once, and then sleeps
 * until an order comes.
 *
 *   go.RANK     an order: prepare, take a turn, seal, finish (wire/board.h)
 *   said.RANK   the answer, under the order's number
 */
#ifndef VIALATA_RANKS_THROUGHPUT_SIDE_H
#define VIALATA_RANKS_THROUGHPUT_SIDE_H

#include "ranks/answers.h"
#include "ranks/tasks.h"
#include "sandbox/process.h"
#include "sandbox/sandbox.h"
#include "wire/board.h"
#include <stdbool.h>

/* How an order ends, and a timing. */
enum vl_throughput_end {
    VL_THROUGHPUT_MEASURED,
    VL_THROUGHPUT_WRONG,     /* its result differs from the reference's */
    VL_THROUGHPUT_REFUSED,   /* the function returned a status other than VL_OK */
    VL_THROUGHPUT_CRASHED,   /* or left */
    VL_THROUGHPUT_HUNG,      /* a turn took longer than anything reasonable */
    VL_THROUGHPUT_LARGE,     /* took more memory than a sandbox may */
    VL_THROUGHPUT_CONFUSED,  /* answers that fit no order, outputs that fit no seal */
    VL_THROUGHPUT_ELSEWHERE, /* worked when it was not its turn */
    VL_THROUGHPUT_THREADS,   /* worked with more than one thread per rank */
    VL_THROUGHPUT_NO_REFERENCE
};

struct vl_throughput_side {
    const struct vl_sandbox *sandbox;
    const char *program;
    int ranks;
    struct vl_process process;
    int running;
    struct vl_tasks tasks; /* found once its first work is prepared; none before */
    struct vl_answers answers;
    int go[VL_BOARD_RANKS];                         /* orders to each rank */
    int said[VL_BOARD_RANKS];                       /* its answers */
    uint64_t number;                                /* of the last order */
    uint64_t seals[VL_BOARD_RANKS][VL_ORDER_WORKS]; /* in the last answers */
};

/* Start it unless it runs. */
enum vl_status vl_throughput_side_start(struct vl_throughput_side *side);

/* End its mpirun; vl_throughput_close sweeps what that leaves. */
void vl_throughput_side_stop(struct vl_throughput_side *side);

/* 64 bits that nobody can know beforehand. */
uint64_t vl_throughput_draw(void);

/* Give one order to every rank, under a number that nobody knows before. */
void vl_throughput_side_order(struct vl_throughput_side *side, const struct vl_order *order);

/* Does it hold more memory than it may? Not to be asked while a clock runs: this takes time. */
bool vl_throughput_side_is_large(const struct vl_throughput_side *side);

/* Wait until every rank has answered that order. *status: VL_OK, or one answer that is not. */
enum vl_throughput_end vl_throughput_side_await(struct vl_throughput_side *side, double seconds,
                                                enum vl_status *status);

#endif
