/*
 * A pipeline's schedule, as data: which stage computes what, in which order.
 *
 * p stages, v chunks and m micro-batches are written in small letters here, as in the literature (p
 * is the P, and m the M, of vialata/shape.h). The layers are cut into p stages, one per rank, or
 * into v chunks per rank: chunk c of stage s is virtual stage c p + s, and a micro-batch goes
 * through virtual stages 0, 1, ..., p v - 1. Backward comes in two parts, input (B) and weights
 * (W), listed apart: the stage before waits for B, and nobody waits for W.
 *
 *   F(k, m)   forward of micro-batch m on virtual stage k     needs F(k-1, m)
 *   B(k, m)   backward, input part                            needs F(k, m) and B(k+1, m)
 *   W(k, m)   backward, weight part                           needs B(k, m)
 *
 *   p = 2, m = 3, all forward, all backward, and 1F1B, for F = B = W; a stage sends on after B:
 *   stage 0  F0 F1 F2 .. .. B0 W0 B1 W1 B2 W2     F0 F1 .. B0 W0 F2 B1 W1 .. B2 W2
 *   stage 1  .. F0 F1 F2 B0 W0 B1 W1 B2 W2 ..     .. F0 B0 W0 F1 B1 W1 F2 B2 W2 ..
 *
 * A schedule says the order on each stage and no times; waiting follows from what is needed.
 * Serial. Sources: Huang et al. 2018, arXiv:1811.06965; Narayanan et al. 2021, arXiv:2104.04473;
 * Qi et al. 2023, arXiv:2401.10241.
 */
#ifndef VIALATA_SCHEDULE_H
#define VIALATA_SCHEDULE_H

#include "vialata/status.h"
#include <stddef.h>
#include <stdint.h>

enum vl_task_kind {
    VL_TASK_FORWARD,
    VL_TASK_BACKWARD,
    VL_TASK_WEIGHT,
    VL_TASK_NONE /* a slot that is still empty; none is in a finished schedule */
};

struct vl_task {
    enum vl_task_kind kind;
    uint32_t chunk;
    uint32_t micro_batch;
};

struct vl_schedule {
    size_t stages;         /* p */
    size_t chunks;         /* v, at each stage */
    size_t micro_batches;  /* m */
    struct vl_task *tasks; /* (p, 3 v m): row s is what stage s does, in this order; the caller's */
};

/*
 * Fill schedule->tasks for the sizes given in it; what was there before means nothing. W follows
 * its B at once, except in ZB-H1.
 * VL_EINVAL for a size that is zero; VL_ESHAPE where a schedule requires more (below).
 */

/* All forward in order, then all backward in order. v = 1. */
enum vl_status vl_schedule_afab(struct vl_schedule *schedule);

/* One forward, one backward: stage s first does p - s - 1 forwards (or m, if that is less), then
 * forward and backward in turn, then the backwards that are left. v = 1. */
enum vl_status vl_schedule_1f1b(struct vl_schedule *schedule);

/* 1F1B over v chunks per stage, micro-batches in groups of p: a chunk does p of them, then the next
 * chunk. p divides m unless v = 1, which is 1F1B. */
enum vl_status vl_schedule_interleaved(struct vl_schedule *schedule);

/* Zero bubble, H1: 1F1B's forwards and backwards, and stage s does the weight part of micro-batch
 * i right after the backward of i + s; those left come last. So weight parts fill what would be
 * bubble, and every stage has as many micro-batches alive as 1F1B has on its first. v = 1. */
enum vl_status vl_schedule_zb_h1(struct vl_schedule *schedule);

/* ---- from order to messages ---- */

enum vl_action_kind { VL_ACTION_COMPUTE, VL_ACTION_SEND, VL_ACTION_RECEIVE };

/* One thing that a stage does. A receive comes right before the task that needs its data. A send
 * comes right after the task that made its data; it is only started there, and finished later. */
struct vl_action {
    enum vl_action_kind kind;
    struct vl_task task; /* computed; for messages: the task whose output it is */
    int peer;            /* stage, of messages */
    int tag;             /* of messages */
};

/* The tag of the message with a task's output: both ends work it out independently. It
 * distinguishes forward and backward, chunks and micro-batches. VL_EINVAL for a weight part, or a
 * tag beyond 16383. */
enum vl_status vl_schedule_tag(int *tag, const struct vl_schedule *schedule,
                               const struct vl_task *task);

/* The actions of one stage. actions can take 'capacity' of them (none: it may be NULL); *count says
 * how many there are, even if that is more than capacity (then VL_ENOMEM). VL_EINVAL for a task or
 * a stage that does not exist, or a message that has no tag. Between two chunks of the same stage
 * (p = 1) nothing is sent. */
enum vl_status vl_schedule_actions(struct vl_action *actions, size_t *count, size_t capacity,
                                   const struct vl_schedule *schedule, size_t stage);

/* ---- on paper ---- */

/*
 * vl_bubble_of_ideal gives the bubble as a share of *ideal* time: with one chunk for
 * all-forward-all-backward and 1F1B (it is the same), with more chunks for interleaved. Backward
 * counts as one piece, B + W = 2 F, and its result is sent to the stage before when both parts are
 * done. (If it is sent after B, as above, the bubble is smaller.)
 *
 * The others give how many micro-batches are alive on a stage at once: forward done, weight part
 * not. Interleaved with one chunk is 1F1B here too. VL_EINVAL, VL_ESHAPE as above; VL_EINVAL also
 * for a stage that does not exist.
 */
enum vl_status vl_bubble_of_ideal(double *share, size_t stages, size_t chunks,
                                  size_t micro_batches);
enum vl_status vl_live_afab(size_t *live, size_t stages, size_t micro_batches, size_t stage);
enum vl_status vl_live_1f1b(size_t *live, size_t stages, size_t micro_batches, size_t stage);
enum vl_status vl_live_interleaved(size_t *live, size_t stages, size_t chunks, size_t micro_batches,
                                   size_t stage); /* in chunks */

#endif
