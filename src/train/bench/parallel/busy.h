/*
 * How busy the stages of a pipeline were in the step that was just recorded, and how busy they are
 * according to their schedule, if each task takes its measured time.
 */
#ifndef VIALATA_TRAIN_BENCH_PARALLEL_BUSY_H
#define VIALATA_TRAIN_BENCH_PARALLEL_BUSY_H

#include "vialata/schedule.h"
#include "vialata/status.h"
#include <mpi.h>

/* Idle shares of total time, which is from the first forward on any stage to the last weight part;
 * mean over the stages. */
struct vl_busy_shares {
    double measured;
    double predicted; /* each task takes the median of its kind and chunk on its stage */
};

/* Found from the spans F, B and W (comm/span.h) of the stages, on every rank of their communicator.
 * VL_EINVAL on a stage that recorded no task, or lost spans. Collective. */
enum vl_status vl_busy_measure(struct vl_busy_shares *shares, const struct vl_schedule *schedule,
                               MPI_Comm stages);

#endif
