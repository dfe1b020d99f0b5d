/*
 * What the simulator knows of each rank. The ranks are threads of one process that share its
 * globals, and they run one at a time. So each rank has its own entry, found by the number that
 * SimGrid gives to its thread.
 *
 * Threads that carry a transfer while their rank computes (flights.c) speak for that rank: they find
 * its entry, too. But each waits for its own messages only.
 */
#ifndef VIALATA_SIMULATE_RANKS_STATE_H
#define VIALATA_SIMULATE_RANKS_STATE_H

#include "comm/span.h"
#include "vialata/status.h"
#include <simgrid/semaphore.h>
#include <stddef.h>
#include <stdint.h>

#define VL_SIMULATE_RANKS 4096

/* Bytes and messages that one rank sent since the last reset. */
struct vl_sent {
    double inner_bytes, outer_bytes; /* inside its domain, and out of it */
    double messages;
};

/* A thread that sends and receives. */
struct vl_speaker {
    struct vl_rank_state *rank;  /* for whom */
    struct vl_flight *flight;    /* what it carries; NULL for the rank's own thread */
    struct vl_message *messages; /* posted, and not completed yet */
    struct vl_message *waited;   /* one of them, while it waits for some */
    unsigned long posted;        /* messages, ever */
    int will_wait;               /* it is carrying a transfer to its end */
    int refused;                 /* tests that were answered with no there, since the last wait */
};

struct vl_rank_state {
    struct vl_speaker speaker; /* the rank's own thread */
    double busy;               /* seconds charged */
    struct vl_sent sent;
    struct vl_communicator *communicators; /* the communicators it is in (communicators.h) */
    long numbered;                         /* how many of them it gave a number */
    struct vl_flight *flights;             /* started and not finished */
    sg_sem_t landed;                       /* released whenever one of them is done */
    int polled; /* polls that were answered with no, since time last passed */
    struct vl_span *spans;
    size_t span_most, span_count, span_lost;
};

/* Say how many ranks there are, before anything else here is used. VL_EINVAL for too many. */
enum vl_status vl_rank_state_begin(int ranks);
/* This rank's own, and the thread that asks. */
struct vl_rank_state *vl_rank_state(void);
struct vl_speaker *vl_speaker(void);
/* Whose it is: a rank of the world. */
int vl_rank_number(const struct vl_rank_state *state);
/* Forget what was charged and sent. */
void vl_rank_state_reset(void);

/* Ranks that share a domain: their numbers divided by this are the same. Set once. */
void vl_domain_set(int ranks);

/* Whether the pieces of a collective that go to one peer travel one after the other, as on a connection
 * of a real network. If not, they share the link, and then a rank that is late gets the first piece
 * as late as the last. Set once. */
void vl_in_order_set(int in_order);

/* How many times the links are slower than the real ones. What does not lie in the arena is not scaled,
 * so it is sent, and counted, as that many times fewer bytes. Set once. */
void vl_slower_set(double times);

/* Count a message of this rank between two ranks of the world. Returns the bytes it counts as. */
double vl_sent_count(int from, int to, size_t bytes, int is_scaled);

#endif
