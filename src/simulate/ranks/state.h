/*
 * What the simulator knows of each rank. The ranks are threads of one process that share its
 * globals, and they run one at a time: so each rank has its own entry, found by the number that
 * SimGrid gives to its thread.
 */
#ifndef VIALATA_SIMULATE_RANKS_STATE_H
#define VIALATA_SIMULATE_RANKS_STATE_H

#include "comm/span.h"
#include "vialata/collectives.h"
#include <stddef.h>
#include <stdint.h>

#define VL_SIMULATE_RANKS     4096
#define VL_SIMULATE_TRANSFERS 256 /* open at the same time on one rank */

/* Bytes and messages that one rank sent since the last reset. */
struct vl_sent {
    double inner_bytes, outer_bytes; /* inside its domain, and out of it */
    double messages;
};

struct vl_rank_state {
    double busy; /* seconds charged */
    struct vl_sent sent;
    int finishes; /* this rank is in vl_transfer_finish */
    int refused;  /* tests that were answered with no there, since the last wait */
    int polls;    /* this rank is polling between slices: do not slice again */
    struct vl_transfer *open[VL_SIMULATE_TRANSFERS];
    size_t open_count;
    struct vl_span *spans;
    size_t span_most, span_count, span_lost;
};

/* This rank's own. */
struct vl_rank_state *vl_rank_state(void);
/* Forget what was charged and sent. */
void vl_rank_state_reset(void);

/* Ranks that share a domain: their numbers divided by this are the same. Set once. */
void vl_domain_set(int ranks);

#endif
