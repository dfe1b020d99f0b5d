/*
 * Commands as a job array of Slurm, each a task on some node, instead of processes of this machine.
 *
 *   vialata batch             Slurm                      a node
 *   -------------             -----                      ------
 *   script, sbatch ------->   array, one task per command
 *                             task I ----------------->  command I; then FOLDER/I.status
 *   FOLDER/I.status <----------------------------------
 *
 * All nodes see the current folder, FOLDER and the files of the commands under the same names. The
 * array's job name follows from FOLDER. So an array that a killed run has left is found by its
 * name, and cancelled before a new one begins.
 */
#ifndef VIALATA_CLI_CLASS_SLURM_SLURM_H
#define VIALATA_CLI_CLASS_SLURM_SLURM_H

#include "cli/class/workers.h"
#include <stdbool.h>

struct vl_slurm {
    const char *folder;  /* is made, and is removed at the end */
    const char *options; /* more words for sbatch, separated by blanks; NULL: none */
    size_t at_once;      /* tasks of each thousand that run at once; 0: as many as Slurm allows */
    bool whole_node;     /* a task has its node to itself */
};

/*
 * Run commands 0 to count - 1, as vl_workers_run does; workers->at_once is not used. A command that
 * Slurm ended has -1 as its exit status, and a signal's if we had asked for it. Ctrl-C cancels the
 * array; what has ended until then counts, and a second Ctrl-C does not wait for the rest.
 *
 * VL_ELACK if Slurm does not take the array: the sentence is said. VL_EIO (errno), VL_ENOMEM.
 */
enum vl_status vl_slurm_run(const struct vl_slurm *slurm, const struct vl_workers *workers,
                            size_t count, int *signal);

#endif
