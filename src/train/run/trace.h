/*
 * The trace of a step: what every rank computed, sent and waited for, in one file.
 *
 * JSON in the Trace Event Format, so Perfetto and `vialata timeline` open it: a process for each
 * rank, with tracks for computing, sending, receiving, waiting and marks. Times are microseconds
 * since the earliest span of all ranks.
 */
#ifndef VIALATA_TRAIN_RUN_TRACE_H
#define VIALATA_TRAIN_RUN_TRACE_H

#include "train/log/problem.h"
#include "vialata/schedule.h"
#include <jansson.h>
#include <mpi.h>
#include <stdint.h>

#define VL_TRACE_SPANS 65536 /* per rank; later ones are lost */

/* The pipeline that the ranks form, on the first rank. The trace contains it, so that the
 * prediction can be drawn next to what was measured. */
struct vl_trace_pipeline {
    const char *name; /* of the schedule, as it was asked for */
    const struct vl_schedule *schedule;
    const int *stages; /* (ranks): the stage of each rank of the communicator */
};

/* Gather what the ranks recorded and write it, on the first rank, to 'path'. MPI_COMM_NULL: this
 * process alone. 'pipeline' is NULL where there is none. Collective. */
enum vl_status vl_trace_write(const char *path, MPI_Comm comm, uint64_t step,
                              const struct vl_trace_pipeline *pipeline, struct vl_problem *problem);

/* The same as a JSON object on the first rank (the caller's to free), NULL on the others. *status
 * says whether it could be gathered. Collective. */
json_t *vl_trace_gather(MPI_Comm comm, uint64_t step, enum vl_status *status);

#endif
