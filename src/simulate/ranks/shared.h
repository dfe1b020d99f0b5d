/*
 * What all ranks share, even where each has a copy of this program with globals of its own
 * (`simulate --with labs`, for labs that have variables outside functions).
 */
#ifndef VIALATA_SIMULATE_RANKS_SHARED_H
#define VIALATA_SIMULATE_RANKS_SHARED_H

struct vl_shared {
    unsigned char *arena;       /* arena.c */
    volatile unsigned progress; /* watch.c */
};

/* It is made by the first rank that asks, and zero then. Ranks run one at a time, so nothing guards
 * it. NULL without memory. */
struct vl_shared *vl_shared(void);

#endif
