/*
 * Which memory means nothing: see arena.c.
 */
#ifndef VIALATA_SIMULATE_RANKS_ARENA_H
#define VIALATA_SIMULATE_RANKS_ARENA_H

#include <stdbool.h>

/* Whether an address lies in the arena that all ranks share. What is there is zero, and is never
 * looked at. */
bool vl_arena_is_shared(const void *at);

#endif
