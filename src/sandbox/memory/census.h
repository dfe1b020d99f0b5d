/*
 * A census: the processes of this machine, or those of one sandbox, as /proc shows them.
 */
#ifndef VIALATA_SANDBOX_MEMORY_CENSUS_H
#define VIALATA_SANDBOX_MEMORY_CENSUS_H

#include "sandbox/sandbox.h"

struct vl_census_member {
    pid_t pid;
    pid_t parent;
    uid_t user;
    char state;  /* 'Z' and 'X': dead */
    size_t held; /* bytes of memory: its own, swapped out too, what it shares, page tables */
    bool ours;   /* a descendant of this process */
};

struct vl_census {
    struct vl_census_member *members;
    size_t count;
};

/* All processes, the dead included. Without memory some are left out. */
void vl_census_take(struct vl_census *census);

/* Only those that were started in the sandbox. */
void vl_census_of(struct vl_census *census, const struct vl_sandbox *sandbox);

void vl_census_free(struct vl_census *census);

#endif
