/*
 * Transfers that go on while their rank computes, as they do on a machine whose network works by
 * itself.
 *
 * A collective that was started and not finished is a flight. As soon as its rank computes, waits
 * or polls, a thread of its own carries it: it runs the contract's start and finish on the rank's
 * behalf, on the same chip. The rank's poll only looks whether it is done. A collective that is
 * finished at once is carried by the rank itself.
 */
#ifndef VIALATA_SIMULATE_RANKS_FLIGHTS_H
#define VIALATA_SIMULATE_RANKS_FLIGHTS_H

#include "simulate/ranks/messages.h"
#include "simulate/ranks/state.h"

/* Let all flights of this rank be carried. Nothing where a thread speaks for a rank. */
void vl_flights_launch(void);

/* What a thread that carries one of the rank's flights waits for. False if there is none. */
bool vl_flights_waited(struct vl_wait *wait, const struct vl_rank_state *state);

#endif
