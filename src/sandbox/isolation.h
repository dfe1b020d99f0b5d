/*
 * How well a sandbox is isolated on this machine: whether the wall can be put up here.
 *
 *   strong   behind the wall (wall.h): a submission sees the toolchain and itself
 *   weak     no wall: a user of its own if vialata is root, and nothing but limits otherwise
 */
#ifndef VIALATA_SANDBOX_ISOLATION_H
#define VIALATA_SANDBOX_ISOLATION_H

#include "sandbox/process.h"

/*
 * Put the sandbox behind the wall if the compiler and mpirun can be started there; sandbox->walled
 * says whether. Where ranks will be apart, each behind a wall of its own, sandbox->nests says whether
 * that works and sandbox->cables whether they can have networks of their own; mpirun has to start for
 * that, in some 0.1 s. Some containers allow no user namespaces, and a toolchain in a home folder is not
 * seen. VL_EIO, VL_ENOMEM.
 */
enum vl_status vl_isolation_choose(struct vl_sandbox *sandbox, bool apart);

/*
 * The same in two steps, so that somebody can compile while mpirun is tried: 'begin' comes back once
 * sandbox->walled is known, and 'settle' decides about the rest. The trial goes on in the sandbox
 * between them; a sweep may end it, and it is then made again. Settle also what failed to begin.
 */
struct vl_isolation_trial {
    struct vl_process process;
    bool runs;
};
enum vl_status vl_isolation_begin(struct vl_isolation_trial *trial, struct vl_sandbox *sandbox,
                                  bool apart);
enum vl_status vl_isolation_settle(struct vl_isolation_trial *trial, struct vl_sandbox *sandbox);

#endif
