/*
 * The training loop: draw a batch, do the step, tell, save, until the last step or a signal.
 */
#ifndef VIALATA_TRAIN_RUN_RUN_H
#define VIALATA_TRAIN_RUN_RUN_H

#include "train/log/problem.h"
#include "train/options/options.h"
#include <mpi.h>
#include <stdio.h>

/*
 * Train as asked, on the replicas of 'comm' (with one replica and no sharing it is not touched).
 * The first rank tells and saves; 'events' is NULL on the others. 'options' is completed from the
 * checkpoint where --resume is given. 'events' receives the lines of log.h (NULL: nobody listens).
 * SIGUSR1, SIGINT and SIGTERM end the run after the step that is being done, saved like any other
 * end.
 *
 * Collective. VL_EINVAL, VL_ESHAPE, VL_EIO or VL_EFORMAT when something asked for cannot be;
 * VL_ENOMEM. Whatever happens, the checkpoint on disk is the last good one.
 */
enum vl_status vl_run_train(struct vl_options *options, MPI_Comm comm, FILE *events,
                            struct vl_problem *problem);

#endif
