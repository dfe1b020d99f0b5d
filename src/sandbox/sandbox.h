/*
 * A sandbox: the user that untrusted programs run as, and how to end all of them.
 *
 * If vialata is root, a sandbox is a user of its own (a high number that nobody has), so that
 * limits bind, files of others are out of reach, and "everything it started" is simply everything
 * of that user. Otherwise programs run as the user of vialata, and what they started is found by
 * descent: vialata adopts orphans while a sandbox is open.
 *
 * The folder of a sandbox is HOME, TMPDIR and the working folder of what runs in it.
 */
#ifndef VIALATA_SANDBOX_SANDBOX_H
#define VIALATA_SANDBOX_SANDBOX_H

#include "vialata/status.h"
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* What its processes may hold together: a case needs a few MiB, timed works some hundred. */
#define VL_SANDBOX_MEMORY ((size_t)1 << 30)

struct vl_sandbox {
    uid_t user;
    gid_t entrants; /* the group that may enter this process's scratch folders (scratch.h) */
    int apart;      /* a user of its own */
    bool inherited; /* another process started what is in it: its dead are not ours to wait for */
    double until;   /* on vl_clock(): when its programs must have ended; 0: never */
    bool walled;    /* its programs see what wall.h lets through; isolation.h decides */
    bool nests;     /* and behind that wall others can be put up */
    bool cables;    /* with a network of its own behind each of them (cables.h) */
    char *folder;   /* owned, mode 0700, belongs to 'user' */
    pid_t *spared;  /* our children from before, ended by 0; only where not apart */
    struct vl_known_lines
        *lines;   /* of its programs, as far as they are known; NULL: none is kept */
    int adopting; /* whether we were a subreaper before */
};

/* Make the folder and choose the user. VL_EIO, VL_ENOMEM. Close several in the opposite order. */
enum vl_status vl_sandbox_open(struct vl_sandbox *sandbox, const char *folder);

/* Kill everything that was started in it and wait until nothing is left. Processes that the caller
 * waits for itself (process.h) must have been ended before. */
void vl_sandbox_sweep(const struct vl_sandbox *sandbox);

/* Processes alive in it now, and the memory that they hold: bytes, those that several share once for
 * each. */
size_t vl_sandbox_count(const struct vl_sandbox *sandbox, size_t *held);

/* From now on these processes in it can start neither processes nor threads. Where its user is
 * root, the kernel does not enforce this. */
void vl_sandbox_freeze(const struct vl_sandbox *sandbox, const pid_t *processes, size_t count);

/* Give a file or folder to the sandbox's user. */
enum vl_status vl_sandbox_give(const struct vl_sandbox *sandbox, const char *path);

/* The same for one that is open. */
enum vl_status vl_sandbox_give_open(const struct vl_sandbox *sandbox, int file);

/* Become the sandbox's user for good; for a forked child only. True if it worked. */
bool vl_sandbox_enter(const struct vl_sandbox *sandbox);

/* Sweep; remove what its user left in /tmp, /var/tmp and /dev/shm. Safe on a zeroed sandbox. */
void vl_sandbox_close(struct vl_sandbox *sandbox);

#endif
