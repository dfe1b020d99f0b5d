/*
 * A pipeline's schedule, as data: which stage computes what, in which order.
 *
 * The layers are cut into p stages, one a rank, or into v chunks a rank: chunk c of stage s is
 * virtual stage c p + s, and a micro-batch goes through virtual stages 0, 1, ..., p v - 1. Backward
 * comes in two parts, input (B) and weights (W), listed apart: B is what the stage before waits
 * for, W is waited for by nobody.
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
 * Fill schedule->tasks for the sizes that stand in it. W follows its B at once, but in ZB-H1.
 * VL_EINVAL for a size that is zero; VL_ESHAPE where a schedule asks for more (below).
 */

/* All forward in order, then all backward in order. v = 1. */
enum vl_status vl_schedule_afab(struct vl_schedule *schedule);

/* One forward, one backward: stage s first does p - s - 1 forwards (or m, if that is less), then
 * forward and backward in turn, then the backwards that are left. v = 1. */
enum vl_status vl_schedule_1f1b(struct vl_schedule *schedule);

/* 1F1B over v chunks a stage, micro-batches in groups of p: a chunk does p of them, then the next
 * chunk. p divides m unless v = 1, which is 1F1B. */
enum vl_status vl_schedule_interleaved(struct vl_schedule *schedule);

/* Zero bubble, H1: 1F1B's forwards and backwards, and stage s does the weight part of micro-batch
 * i right after the backward of i + s; those left come last. So weight parts fill what would be
 * bubble, and every stage has as many micro-batches alive as 1F1B has on its first. v = 1. */
enum vl_status vl_schedule_zb_h1(struct vl_schedule *schedule);

/* ---- from order to messages ---- */

enum vl_action_kind { VL_ACTION_COMPUTE, VL_ACTION_SEND, VL_ACTION_RECEIVE };

/* What a stage does, one after the other. A receive stands where its data is needed, right before
 * the computing that needs it; a send right behind the computing that made it. It is only started
 * there, and finished later. */
struct vl_action {
    enum vl_action_kind kind;
    struct vl_task task; /* computed; for messages: the task whose output it is */
    int peer;            /* stage, of messages */
    int tag;             /* of messages */
};

/* tag of the output of a task on its way: both ends work it out alone. Forward and backward, chunk
 * and micro-batch differ in it. VL_EINVAL for a weight part, or a tag beyond 16383. */
enum vl_status vl_schedule_tag(int *tag, const struct vl_schedule *schedule,
                               const struct vl_task *task);

/* The actions of one stage, at most 'room' of them; *count are there (also if room is less, then
 * VL_ENOMEM). VL_EINVAL for a task that there is not. A message between two chunks of the same
 * stage (p = 1) is no message. */
enum vl_status vl_schedule_actions(struct vl_action *actions, size_t *count, size_t room,
                                   const struct vl_schedule *schedule, size_t stage);

/* ---- on paper ---- */

/*
 * The bubble as a share of *ideal* time: with one chunk that of all-forward-all-backward and of
 * 1F1B (the same), with more that of interleaved. Backward counts as one piece, B + W = 2 F, which
 * goes on to the stage before when both are done. (Sent on after B, as above, the bubble is
 * smaller.)
 *
 * And the micro-batches alive on a stage at once: forward done, weight part not. Interleaved with
 * one chunk is 1F1B here too. VL_EINVAL, VL_ESHAPE as above.
 */
enum vl_status vl_bubble_of_ideal(double *share, size_t stages, size_t chunks,
                                  size_t micro_batches);
enum vl_status vl_live_afab(size_t *live, size_t stages, size_t micro_batches, size_t stage);
enum vl_status vl_live_1f1b(size_t *live, size_t stages, size_t micro_batches, size_t stage);
enum vl_status vl_live_interleaved(size_t *live, size_t stages, size_t chunks, size_t micro_batches,
                                   size_t stage); /* in chunks */

#endif
