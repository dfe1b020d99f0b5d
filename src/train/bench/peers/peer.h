/*
 * Another trainer, as a program of its own: it takes a step when it is told to, and waits meanwhile.
 *
 *   peer    PYTHON torch_step.py CHECKPOINT TOKENS BATCH
 *   we      <- ready VERSION       once it has read the weights
 *           -> (an empty line)     take a step
 *           <- LOSS SECONDS        of that step, by the peer's own clock
 *
 * If we are gone, it reads the end of its input and ends. One thread of ours calls these functions.
 */
#ifndef VIALATA_TRAIN_BENCH_PEERS_PEER_H
#define VIALATA_TRAIN_BENCH_PEERS_PEER_H

#include "vialata/status.h"
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

struct vl_peer {
    pid_t process; /* 0: none */
    FILE *to, *from;
    char version[32];
};

/* Start it and wait until it is ready: words[0] is its path, the list ends with NULL. End it whatever is returned.
 * VL_ELACK: it came to its end before; what it said is on standard error. VL_EIO (errno). */
enum vl_status vl_peer_start(struct vl_peer *peer, const char *const *words);

/* One step. VL_EFORMAT: it answered something else, or ended. */
enum vl_status vl_peer_step(struct vl_peer *peer, double *loss, double *seconds);

void vl_peer_end(struct vl_peer *peer);

#endif
