/*
 * The environment of an untrusted program: nothing of ours but the search path, and what mpirun and
 * its ranks are told about the ways that ranks reach each other.
 */
#ifndef VIALATA_SANDBOX_ENVIRONMENT_H
#define VIALATA_SANDBOX_ENVIRONMENT_H

#include "base/words.h"

enum vl_environment_ranks {
    VL_RANKS_TOGETHER,    /* they share memory */
    VL_RANKS_ON_LOOPBACK, /* they share a loopback and nothing else */
    VL_RANKS_ON_CABLES    /* they share nothing, and mpirun is at the switch (cables.h) */
};

/* All of it, with 'folder' as its HOME and TMPDIR. */
void vl_environment_put(struct vl_words *environment, const char *folder,
                        enum vl_environment_ranks ranks);

#endif
