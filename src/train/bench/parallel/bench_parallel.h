/*
 * `vialata bench parallel`: one step of a model on one core, and on two cores together.
 *
 *   the model   L6 D512 H8 T256 V4096, batch 8 sequences
 *   alone       one core, the whole batch at once; the other rank sleeps meanwhile
 *   tp          each layer on both; with and without sequence parallelism
 *   pp          a stage of three layers each, 8 micro-batches: 1F1B and ZB-H1
 *   dp          half of the sequences each, gradients summed after backward
 *
 * The ways take turns in one run, and the shortest step of each counts. For a pipeline there are
 * two idle shares of total time (first forward to last weight part, mean over the stages): the
 * measured one, and the one that the schedule predicts from the measured times of the tasks. The
 * speed is compared with the prediction of lab 10's planner (train/bench/parallel/planned_step.h).
 */
#ifndef VIALATA_TRAIN_BENCH_PARALLEL_BENCH_PARALLEL_H
#define VIALATA_TRAIN_BENCH_PARALLEL_BENCH_PARALLEL_H

#include "vialata/status.h"
#include <mpi.h>

enum { VL_PARALLEL_WAYS = 6 };

struct vl_parallel_row {
    const char *way;
    double seconds; /* of a step */
    double tokens_per_second;
    double ratio;         /* speed relative to one core */
    double planned_ratio; /* by lab 10's planner; below 0: it does not model this way */
    double measured_idle; /* of total time; below 0: no pipeline */
    double predicted_idle;
};

/* On two ranks; rows on the first. VL_ESHAPE on another number of ranks. Takes a minute and a half.
 * Sets BLAS to one thread. Collective. */
enum vl_status vl_bench_parallel(struct vl_parallel_row rows[VL_PARALLEL_WAYS], MPI_Comm comm);

#endif
