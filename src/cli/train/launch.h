/*
 * Who starts the ranks of a run, and on which hosts.
 *
 *   (nothing)            mpirun, on this machine, or on the nodes of a job of Slurm around it
 *   --hostfile FILE      mpirun, on the hosts of Open MPI's list: "node1 slots=4", one per line
 *   --launcher srun      Slurm, which chooses the nodes and keeps the job's accounts
 *
 * All hosts see this program and the current folder under the same names.
 */
#ifndef VIALATA_CLI_TRAIN_LAUNCH_H
#define VIALATA_CLI_TRAIN_LAUNCH_H

#include "base/words.h"
#include "cli/run/job.h"
#include "train/options/options.h"

/* Set job->launcher or job->options as the run's options say; they point into 'words', which the
 * caller frees after the job. VL_EXIT_USAGE or VL_EXIT_LACK with a sentence. */
enum vl_exit vl_launch_set(struct vl_job *job, struct vl_words *words,
                           const struct vl_options *options);

#endif
