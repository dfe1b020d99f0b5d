/*
 * The truth about schedules, worked out from one rule and not from indices: a stage may have a
 * certain number of chunks alive; it does the next forward if it has fewer, else the next backward.
 * Conventions are those of vialata/schedule.h.
 */
#ifndef VIALATA_ORACLE_PIPELINE_H
#define VIALATA_ORACLE_PIPELINE_H

#include <stddef.h>

enum vl_oracle_pass { VL_ORACLE_FORWARD, VL_ORACLE_BACKWARD, VL_ORACLE_WEIGHT };

enum vl_oracle_order {
    VL_ORACLE_AFAB,
    VL_ORACLE_1F1B,
    VL_ORACLE_INTERLEAVED,
    VL_ORACLE_ZB_H1,
    VL_ORACLE_ORDERS
};

struct vl_oracle_task {
    enum vl_oracle_pass pass;
    size_t chunk, micro_batch;
};

struct vl_oracle_pipe {
    size_t stages, chunks, micro_batches; /* p, v, m */
};

/* Chunks alive on a stage at once: forward done, backward not (weight parts: 'late'). */
size_t vl_oracle_alive(enum vl_oracle_order order, const struct vl_oracle_pipe *pipe, size_t stage);

/*
 * The row (3 v m) of a stage that has at most 'alive' chunks between forward and backward (at least
 * one is allowed) and does the weight part of the n-th backward right after the (n + late)-th;
 * those left come last. Micro-batches go through the chunks in groups of 'group'.
 */
void vl_oracle_row(struct vl_oracle_task *row, const struct vl_oracle_pipe *pipe, size_t alive,
                   size_t late, size_t group);

/* The row of a stage in one of the orders. */
void vl_oracle_order_row(struct vl_oracle_task *row, enum vl_oracle_order order,
                         const struct vl_oracle_pipe *pipe, size_t stage);

/* The task whose output this one needs (way -1), or that needs its output (way 1), goes to *other;
 * returns its stage, or -1 if there is no such task or it is on the same stage. */
int vl_oracle_peer(struct vl_oracle_task *other, const struct vl_oracle_pipe *pipe, size_t stage,
                   const struct vl_oracle_task *task, int way);

/* The bubble as a share of ideal time, if backward is one piece that takes as long as two forwards:
 * each of p - 1 stages is waited for while it does a v-th of its work on one micro-batch. */
double vl_oracle_bubble(const struct vl_oracle_pipe *pipe);

#endif
