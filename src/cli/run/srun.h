/*
 * Slurm's srun, which starts the ranks of a job instead of mpirun.
 */
#ifndef VIALATA_CLI_RUN_SRUN_H
#define VIALATA_CLI_RUN_SRUN_H

#include "base/words.h"
#include "cli/command.h"

/* Begin a command line: srun itself, and how it starts this many ranks of Open MPI. More of its
 * options may follow, then the program. VL_EXIT_LACK with a sentence if srun is not installed. */
enum vl_exit vl_srun_begin(struct vl_words *words, int ranks);

#endif
