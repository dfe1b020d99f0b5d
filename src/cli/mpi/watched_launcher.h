/*
 * Who starts the ranks of a watched job. The boards are memory that the ranks share with this process, so all of
 * them are on this computer:
 *
 *   mpirun   on this computer
 *   srun     in a step of Slurm, on the node that this computer is
 */
#ifndef VIALATA_CLI_MPI_WATCHED_LAUNCHER_H
#define VIALATA_CLI_MPI_WATCHED_LAUNCHER_H

#include "base/words.h"
#include "cli/command.h"

#include <stdbool.h>

struct vl_watched_launcher {
    struct vl_words words; /* the command line up to what the ranks find in their environment */
    bool is_srun;
};

/* 'name' is "mpirun" or "srun". VL_EXIT_USAGE or VL_EXIT_LACK with a sentence. Free it in any case. */
enum vl_exit vl_watched_launcher_set(struct vl_watched_launcher *launcher, const char *name,
                                     int ranks);

/* Let the ranks, and not the launcher, find a variable in their environment. */
void vl_watched_launcher_export(const struct vl_watched_launcher *launcher, struct vl_words *words,
                                const char *name, const char *value);

void vl_watched_launcher_free(struct vl_watched_launcher *launcher);

#endif
