/*
 * A pipeline at work: each stage goes through its actions, and messages flow between stages.
 *
 *   stage 0   F0 F1 .. B0 W0 F2 B1 W1 .. B2 W2      F sends x (N,D) to the stage after
 *               \     /        /        /
 *   stage 1   .. F0 B0 W0 F1 B1 W1 F2 B2 W2 ..      B sends dx (N,D) to the stage before
 *
 * vialata/schedule.h says which actions a stage does and in which order; here they are done. All
 * functions communicate through vialata/collectives.h only (vl_send_start, vl_receive_start).
 * Source: Huang et al. 2018, arXiv:1811.06965.
 */
#ifndef VIALATA_PIPELINE_H
#define VIALATA_PIPELINE_H

#include "vialata/collectives.h"
#include "vialata/schedule.h"

/* One stage, and what it can do. A status other than VL_OK from a function here ends the run. */
struct vl_stage {
    MPI_Comm comm; /* rank = stage */
    void *context; /* handed to both functions */

    /* The memory of a message, and how many elements it has. 'action' is one of those that the
     * stage runs, just as it is listed. For a SEND it is where compute leaves the output of the
     * action's task, which is one of this stage. For a RECEIVE it is where the output of a task of
     * another stage arrives. (Both task and kind matter: each stage may have an F0.) Messages may
     * use the same memory one after another, and may have different sizes. An empty message may
     * have none; it is sent all the same, and nobody waits for its memory. Cheap: may be called
     * often. */
    enum vl_status (*message)(void *context, const struct vl_action *action, float **values,
                              size_t *count);
    /* Compute 'task'; what it needs from other stages has arrived. */
    enum vl_status (*compute)(void *context, const struct vl_task *task);
};

/* A send that is not finished yet, and the memory that belongs to it until then. */
struct vl_stage_send {
    struct vl_transfer *transfer;
    const float *values;
};

/*
 * Do the actions (count) of one stage, in order.
 *
 *   SEND      is started and goes on while later actions are done, so it is polled between them;
 *             the stage never waits for it before it must: when its memory is needed again, or all
 *             actions are done
 *   RECEIVE   is started and finished: the next action needs the data
 *   COMPUTE   computes the task
 *
 * RECEIVE and COMPUTE write into the memory of a message, and first make sure that no send under
 * way still reads it. A task whose output is not sent (the next action is not a SEND) has no
 * message, and 'message' is not asked about it.
 *
 * sends (count) is the caller's memory for the sends under way, overwritten. On return everything
 * is finished. A status other than VL_OK, even that of a transfer, is returned at once, whatever is
 * under way then; the other stages wait in vain, so the caller ends the job. VL_EINVAL for an
 * action of any other kind. Without actions there is nothing to do. Collective over stage->comm:
 * each stage with its own actions.
 */
enum vl_status vl_stage_run(const struct vl_stage *stage, const struct vl_action *actions,
                            size_t count, struct vl_stage_send *sends);

/* Written down before measuring, for the case that the lab's text gives; zero: not sealed yet. */
struct vl_pipeline_prediction {
    double bubble_of_ideal; /* of 1F1B, backward in one piece */
    double bubble_chunked;  /* the same with chunks */
    uint64_t live_first;    /* micro-batches alive on stage 0 under 1F1B */
    uint64_t sent_bytes;    /* by one inner stage in one step: activations and their gradients */
};
enum vl_status vl_predict_pipeline(struct vl_pipeline_prediction *prediction);

#endif
