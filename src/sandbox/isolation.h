/*
 * How well a sandbox is isolated on this machine: whether the wall can be put up here.
 *
 *   strong   behind the wall (wall.h): a submission sees the toolchain and itself
 *   weak     no wall: a user of its own if vialata is root, and nothing but limits otherwise
 */
#ifndef VIALATA_SANDBOX_ISOLATION_H
#define VIALATA_SANDBOX_ISOLATION_H

#include "sandbox/sandbox.h"

/*
 * Put the sandbox behind the wall if the compiler and mpirun can be started there; sandbox->walled
 * says whether. Where ranks will be apart, each behind a wall of its own, sandbox->nests says whether
 * that works and sandbox->cables whether they can have networks of their own; mpirun has to start for
 * that, in some 0.1 s. Some containers allow no user namespaces, and a toolchain in a home folder is not
 * seen. VL_EIO, VL_ENOMEM.
 */
enum vl_status vl_isolation_choose(struct vl_sandbox *sandbox, bool apart);

#endif
