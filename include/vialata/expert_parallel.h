/*
 * Expert parallelism: E experts on P ranks, E/P each, and tokens that travel to their experts.
 *
 * Each expert is a feed-forward part of its own, gate_up (2F,D) and down (D,F). A token chooses k
 * of them. A *choice* is one pair (token, expert); there are N k. Rank r has the experts from
 * r E/P to (r+1) E/P - 1.
 *
 *   rank 0: tokens a b, experts 0 1           rank 1: tokens c d, experts 2 3       k = 2
 *   a -> 0 2   b -> 0 1                       c -> 1 2   d -> 2 0
 *
 *   choices in the order of their experts     0: a b   1: b   2: a  |  0: d   1: c   2: c d
 *   dispatch, an all-to-all                   rank 0 gets a b b | d c      rank 1 gets a | c d
 *   rows, by expert, then by rank             0: a b d   1: b c     2: a c d   3: (nothing)
 *   experts compute                           out (R,D) from rows (R,D)
 *   combine, the way back                     y of a = w(a,0) out + w(a,2) out, ...
 *
 * No choice is dropped and none is padded: an expert may get all tokens, or none. The gradients of
 * an expert come from all tokens of all ranks already, so they are not summed over these ranks.
 *
 * All functions communicate through vialata/collectives.h only. Sources: Lepikhin et al. 2020,
 * GShard, arXiv:2006.16668; DeepSeek-AI 2024, arXiv:2412.19437.
 */
#ifndef VIALATA_EXPERT_PARALLEL_H
#define VIALATA_EXPERT_PARALLEL_H

#include "vialata/collectives.h"
#include "vialata/shape.h"
#include <stddef.h>
#include <stdint.h>

/* One rank's part in a dispatch. Memory is the caller's. */
struct vl_dispatch {
    MPI_Comm comm;
    int rank, ranks;
    size_t experts; /* E; P divides it */
    size_t chosen;  /* k */
    size_t width;   /* D */
    size_t tokens;  /* N, of this rank; ranks may have different ones */
    size_t room;    /* how many rows the memory below can take */

    /* Filled by the plan. */
    size_t *order;    /* (N k): which choice is sent at each place; choice j of token i has the
                       * number i k + j */
    size_t *counts;   /* (E): this rank's choices of each expert */
    size_t *arriving; /* (P, E/P): rows from each rank for each expert here */
    size_t *rows_of;  /* (E/P): rows of each expert here, from all ranks */
    size_t rows;      /* R: all of them */

    float *leaving; /* (N k, D): scratch, what is sent, in its order */
    float *landing; /* (room, D): scratch, what arrives, rank by rank */
};

/* ---- the plan ---- */

/* Where every choice goes, from chosen (N,k): sort them by expert, choices of one expert in the
 * order of their tokens; tell every rank how many come. VL_ESHAPE if P does not divide E. On this
 * rank alone (so the caller ends the job): VL_EINVAL for an expert outside 0 .. E-1, before
 * anything is sent, and VL_ENOMEM if more rows arrive than 'room'; then 'rows' says how many.
 * Collective. Sends E/P counts to every other rank. */
enum vl_status vl_dispatch_plan(struct vl_dispatch *dispatch, const int32_t *chosen);

/* ---- there and back; rows by expert, then by rank, then by token ---- */

/* rows (R,D), overwritten, from x (N,D) of every rank. Collective. */
enum vl_status vl_dispatch_forward(float *rows, const float *x, struct vl_dispatch *dispatch);
/* dx (N,D), *added to*: each token the sum over its choices of drows (R,D). Collective. */
enum vl_status vl_dispatch_backward(float *dx, const float *drows, struct vl_dispatch *dispatch);

/* y (N,D), *added to* (it may hold the shared expert's output), from out (R,D) and weights (N,k).
 * returned (N k, D) keeps what came back, choice by choice, for backward. Collective. */
enum vl_status vl_combine_forward(float *y, float *returned, const float *out, const float *weights,
                                  struct vl_dispatch *dispatch);
/* dout (R,D) and dweights (N,k), overwritten, from dy (N,D). Collective. */
enum vl_status vl_combine_backward(float *dout, float *dweights, const float *dy,
                                   const float *returned, const float *weights,
                                   struct vl_dispatch *dispatch);

/* ---- the experts of this rank, one after the other on their rows ---- */

struct vl_experts {
    size_t count;          /* E/P */
    const size_t *rows_of; /* (count), may be 0 */
    size_t width, ff;      /* D, F of one expert */
    const float *gate_up;  /* (count, 2F, D) */
    const float *down;     /* (count, D, F) */
};

/* out (R,D), overwritten; opened (R,2F) and active (R,F) are kept for backward. Serial. [worked] */
enum vl_status vl_experts_forward(float *out, float *opened, float *active, const float *rows,
                                  const struct vl_experts *experts);
/* drows (R,D), overwritten, from dout (R,D); leaves dopened (R,2F) for the weight part. dactive
 * (R,F) is scratch. Serial. */
enum vl_status vl_experts_backward_input(float *drows, float *dopened, float *dactive,
                                         const float *dout, const float *opened,
                                         const struct vl_experts *experts);
/* dgate_up (count,2F,D) and ddown (count,D,F), added to. Serial. */
enum vl_status vl_experts_backward_weight(float *dgate_up, float *ddown, const float *dout,
                                          const float *dopened, const float *active,
                                          const float *rows, const struct vl_experts *experts);

/* ---- on paper ---- */

/* Bytes that one rank sends for one such layer in forward and backward of N tokens, if its choices
 * are spread evenly over all experts: rows there and back, in both passes, and the counts (8 bytes
 * each). The closed form is yours. VL_EINVAL for ranks < 1. */
enum vl_status vl_expert_sent_bytes(double *bytes, size_t tokens, size_t width, size_t chosen,
                                    size_t experts, int ranks);

/* Written down before measuring, for the case that the lab's text gives; zero: not sealed yet. */
struct vl_expert_prediction {
    uint64_t sent_bytes;        /* by one rank, one layer, forward and backward, spread evenly */
    uint64_t parameters;        /* of one layer with experts */
    uint64_t active_parameters; /* of these, the ones that a single token uses */
};
enum vl_status vl_predict_expert_parallel(struct vl_expert_prediction *prediction);

#endif
