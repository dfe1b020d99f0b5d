/*
 * Starting a runner: mpirun in a sandbox.
 *
 *   together   wall( mpirun, rank, rank, ... )       ranks share memory, files and processes
 *   apart      wall( mpirun, wall(rank), wall(rank), ... )       they share nothing; cables join
 *                                                                their networks (cables.h)
 */
#ifndef VIALATA_RANKS_LAUNCH_H
#define VIALATA_RANKS_LAUNCH_H

#include "sandbox/process.h"

struct vl_launch {
    const struct vl_sandbox *sandbox;
    const char *program;
    int ranks;
    const char *const *arguments; /* ended by NULL */
    const struct vl_limits *limits;
    const char *apart; /* a folder (rank_folders.h) of which each rank sees its own part; NULL: they
                          are together */
};

/* VL_ELACK if there is no mpirun, VL_EIO, VL_ENOMEM. */
enum vl_status vl_launch(struct vl_process *process, const struct vl_launch *launch);

#endif
