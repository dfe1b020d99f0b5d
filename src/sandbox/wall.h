/*
 * The wall: what a program in a sandbox sees of this machine. bubblewrap (bwrap) puts it up.
 *
 *   it reads       the system's programs and libraries, and the paths that the caller names
 *   it writes to   its sandbox's folder, and /tmp and /dev/shm of its own, of bounded size
 *   of its own     processes, System V and POSIX IPC, users, a network that leads nowhere
 *   it never sees  home folders, the course and its references, other gradings, other processes
 *
 * What it may ask of the kernel says syscalls.h. A path is the same on both sides of the wall. The
 * kernel ends everything behind it as soon as its program ends.
 *
 * A job of several ranks has a wall around mpirun, and inside that one around each rank. Ranks then
 * reach each other by cables (cables.h) or, where those cannot be made, by a loopback that they share.
 * The kernel counts the bytes of either, and there is nothing else that they share.
 */
#ifndef VIALATA_SANDBOX_WALL_H
#define VIALATA_SANDBOX_WALL_H

#include "base/words.h"

#include <stdbool.h>

enum vl_wall_kind {
    VL_WALL_ALONE,  /* the program puts up no walls of its own */
    VL_WALL_AROUND, /* around programs that do; a filter lets them (syscalls.h) */
    VL_WALL_WITHIN  /* inside such a one: in the network it was started in */
};

struct vl_wall {
    enum vl_wall_kind kind;
    bool cables;               /* around: networks can be made there; within: it has its own */
    int share;                 /* its memory for files is that of one wall divided by this */
    const char *folder;        /* of the sandbox: it may write here */
    const char *const *writes; /* files in it, ended by NULL: all else in it is memory, and is gone
                                  with the program; NULL: the folder itself */
    int filter;                /* a descriptor from which the filter of syscalls.h can be read;
                                  a wall within that has no
                                  cables shares that of the wall around it */
    const char *where;         /* where it starts: this folder, or one that it sees */
    const char *const *sees;   /* files and folders, ended by NULL */
};

/* The words that go before a command line. */
void vl_wall_put(struct vl_words *words, const struct vl_wall *wall);

#endif
