/*
 * How well a run uses the machine: its MFU, against a peak that is measured.
 *
 * A peak from a data sheet says little about a laptop or a container. So every rank multiplies
 * matrices in float32 when the run starts, all ranks at the same time, with as many BLAS threads as
 * the run has. What they attain together is the peak:
 *
 *   peak = the sum over all ranks of FLOPs per second of sgemm, (VL_PEAK_PRODUCT)^2 matrices;
 *          the best of a few short windows, so that one interruption does not lower it
 *   MFU  = tokens per second * FLOPs per token / peak          (vialata/budget.h)
 *
 * FLOPs per token are those of the whole model, forward and backward: attention counts in full, as
 * if there were no mask, and nothing counts twice that recomputation does again. With experts, a
 * token counts its router, the shared expert and the k experts that it chooses.
 */
#ifndef VIALATA_TRAIN_RUN_PEAK_H
#define VIALATA_TRAIN_RUN_PEAK_H

#include "engine/model/layout.h"
#include "vialata/shape.h"
#include "vialata/status.h"
#include <mpi.h>

#define VL_PEAK_PRODUCT 512 /* rows and columns of the matrices */

struct vl_peak {
    double flops_per_second; /* of all ranks together */
    double flops_per_token;
};

/* Measure the peak, in about a fifth of a second, and count the FLOPs. Collective over comm, which
 * may be MPI_COMM_NULL for a rank that is alone; not metered. The peak is the same on every rank.
 * VL_ENOMEM on every rank if one has no memory for the matrices. */
enum vl_status vl_peak_measure(struct vl_peak *peak, MPI_Comm comm, const struct vl_shape *shape,
                               const struct vl_expert_shape *experts);

/* FLOPs of one token, forward and backward. */
enum vl_status vl_peak_flops_per_token(double *flops, const struct vl_shape *shape,
                                       const struct vl_expert_shape *experts);

#endif
