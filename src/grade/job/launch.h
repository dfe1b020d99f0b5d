/*
 * Starting a runner: mpirun in a sandbox.
 */
#ifndef VIALATA_GRADE_JOB_LAUNCH_H
#define VIALATA_GRADE_JOB_LAUNCH_H

#include "grade/sandbox/process.h"

/* Start 'ranks' ranks of a program with the given arguments (NULL-terminated). VL_ELACK if there
 * is no mpirun, VL_EIO, VL_ENOMEM. */
enum vl_status vl_launch(struct vl_process *process, const struct vl_sandbox *sandbox,
                         const char *program, int ranks, const char *const *arguments,
                         const struct vl_limits *limits);

#endif
