/*
 * How busy the stages of a pipeline were in the step that was just recorded, and how busy their
 * schedule says they would be with tasks that take the times that were measured.
 */
#ifndef VIALATA_TRAIN_BENCH_BUSY_H
#define VIALATA_TRAIN_BENCH_BUSY_H

#include "vialata/schedule.h"
#include "vialata/status.h"
#include <mpi.h>

/* Idle, as shares of total time: from the first forward on any stage to the last weight part, mean
 * over the stages. */
struct vl_busy_shares {
    double measured;
    double predicted; /* each task takes the median of its kind and chunk on its stage */
};

/* From the spans F, B and W (comm/span.h) of the stages, whose communicator this is. On every rank.
 * VL_EINVAL where a stage has recorded nothing. Collective. */
enum vl_status vl_busy_measure(struct vl_busy_shares *shares, const struct vl_schedule *schedule,
                               MPI_Comm stages);

#endif
