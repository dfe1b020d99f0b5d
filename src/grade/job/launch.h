/*
 * Starting a runner: mpirun in a sandbox, and the board on which the ranks tell where they are; or
 * one case in the debugger.
 */
#ifndef VIALATA_GRADE_JOB_LAUNCH_H
#define VIALATA_GRADE_JOB_LAUNCH_H

#include "grade/sandbox/process.h"

/* Start 'ranks' ranks of a program with the given arguments (NULL-terminated). VL_ELACK if there
 * is no mpirun, VL_EIO, VL_ENOMEM. */
enum vl_status vl_launch(struct vl_process *process, const struct vl_sandbox *sandbox,
                         const char *program, int ranks, const char *const *arguments,
                         const struct vl_limits *limits);

/* Make a fresh board (runner/board.h) in the sandbox's folder; a descriptor to read it with, -1
 * with errno if that failed. The caller closes it. */
int vl_launch_board(const struct vl_sandbox *sandbox);

/* Run 'program' on the cases in 'folder' under gdb, at the user's terminal, as the user, without
 * limits: stopped at 'function', or where it crashes. Comes back when gdb ends. VL_ELACK if there
 * is no gdb. */
enum vl_status vl_launch_gdb(const char *program, const char *folder, const char *out,
                             const char *function, int ranks);

#endif
