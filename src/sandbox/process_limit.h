/*
 * How many processes a program may have, where its user has others.
 *
 * The kernel compares RLIMIT_NPROC with all processes of a user. Gradings of an ordinary user share
 * that number: one submission that starts as many as it may would leave none to the next. Behind a wall
 * of its own, newer kernels also count apart, so there
 *
 *   the wall     is put up without this limit
 *   the program  gets it once it is inside, before it can start anything
 */
#ifndef VIALATA_SANDBOX_PROCESS_LIMIT_H
#define VIALATA_SANDBOX_PROCESS_LIMIT_H

#include "sandbox/process.h"
#include <sys/resource.h>

/* The limit for what holds up the program, which has 'most'; RLIM_INFINITY if there is one inside. */
rlim_t vl_process_limit_outside(const struct vl_process *process, const struct vl_sandbox *sandbox,
                                size_t most);

/* Wait until the program is inside, and limit it. True also if it ended before; else it has no limit. */
bool vl_process_limit_inside(struct vl_process *process, size_t most);

#endif
