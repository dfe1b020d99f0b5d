/*
 * The training loop: draw a batch, do the step, report, save, until the last step or a signal.
 */
#ifndef VIALATA_TRAIN_RUN_RUN_H
#define VIALATA_TRAIN_RUN_RUN_H

#include "train/log/problem.h"
#include "train/options/options.h"
#include <mpi.h>
#include <stdio.h>

/*
 * Train as 'options' say, on all ranks of 'comm'. With --resume, 'options' is completed from the
 * checkpoint. The first rank reports and saves: its 'events' receives the lines of log.h (NULL: no
 * events), and is NULL on the others. SIGUSR1, SIGINT and SIGTERM end the run after the present
 * step, which is saved like any other end.
 *
 * Collective. VL_EINVAL, VL_ESHAPE, VL_EIO or VL_EFORMAT if a request is impossible; VL_ENOMEM.
 * Whatever happens, the checkpoint on disk is the last good one.
 */
enum vl_status vl_run_train(struct vl_options *options, MPI_Comm comm, FILE *events,
                            struct vl_problem *problem);

#endif
