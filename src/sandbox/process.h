/*
 * One untrusted program, started in a sandbox: what it may use, what it says, when it ends.
 *
 * It gets a session of its own, nothing on standard input, a small clean environment, and one pipe
 * for all it prints, which is drained as long as somebody polls; only the beginning is kept.
 */
#ifndef VIALATA_SANDBOX_PROCESS_H
#define VIALATA_SANDBOX_PROCESS_H

#include "sandbox/sandbox.h"
#include "vialata/status.h"
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define VL_PROCESS_WORDS 65536 /* bytes of its output that are kept, where nothing else is said */
#define VL_PROCESS_WALLS 64    /* that one program can put up */

struct vl_limits {
    double seconds;            /* wall clock; only vl_process_run looks at it */
    size_t memory;             /* address space of each process in bytes, 0: no limit */
    size_t file_size;          /* of each file it writes, in bytes */
    size_t processes;          /* of its user, threads included */
    size_t output;             /* bytes of its output that are kept, 0: VL_PROCESS_WORDS */
    int nice;                  /* as in nice(1); below zero only where we are root */
    const char *const *sees;   /* read-only paths behind the wall; NULL: no wall for this program */
    const char *const *writes; /* of its folder behind the wall only these files; NULL: all of it */
    bool walls;                /* behind the wall it puts up others, around each rank (launch.h) */
};

struct vl_process {
    pid_t pid;   /* 0 before the start and after the end */
    bool walled; /* that process is the one that holds the wall up; the program is its child */
    bool walls;  /* and the program has put up walls of its own */
    bool cables; /* with a network of its own behind each */
    int pipe;    /* what it prints; -1 when closed */
    char *words; /* the first bytes that it printed, ended by a zero byte */
    size_t kept;
    size_t most;    /* bytes that are kept */
    size_t printed; /* bytes in all */
    int ended;
    int exit;     /* exit status, -1 if a signal ended it */
    int signal;   /* that signal, or 0 */
    double until; /* of its sandbox */
    int overtime; /* vl_process_run: it was ended because its time was up */
};

/* Seconds on a clock that never jumps. */
double vl_clock(void);

/* Start argv[0] (found in PATH) in the sandbox's folder, or in 'folder' if that is not NULL.
 * VL_ELACK if there is no such program, VL_EIO, VL_ENOMEM. */
enum vl_status vl_process_start(struct vl_process *process, const struct vl_sandbox *sandbox,
                                const char *folder, char *const argv[],
                                const struct vl_limits *limits);

/* In this many seconds, or when the time of its sandbox is up, if that is earlier. */
double vl_process_deadline(const struct vl_process *process, double seconds);

/* Take what it printed, waiting up to 'milliseconds' for more; nonzero once it has ended. */
int vl_process_poll(struct vl_process *process, int milliseconds);

/* The program itself, also behind a wall; 0 if there is none any more. */
pid_t vl_process_program(const struct vl_process *process);

/* What holds up the walls that it put up itself, the oldest first. Returns how many there are. */
int vl_process_walls(pid_t walls[VL_PROCESS_WALLS], const struct vl_process *process);
/* Process 1 behind each of its walls, or the program itself if it puts up none; at most 'most'.
 * Returns how many there are. */
int vl_process_firsts(pid_t *firsts, int most, const struct vl_process *process);

/* Send a signal to it or, if it puts up walls itself, to what runs behind each of them. */
void vl_process_signal(const struct vl_process *process, int number);

/* Once it has so many children, it can start no more. True if there were never any others. */
bool vl_process_freeze(const struct vl_process *process, const struct vl_sandbox *sandbox,
                       int children);

/* Kill the program itself if it still runs, and take its last words. (vl_sandbox_sweep ends its
 * children.) */
void vl_process_end(struct vl_process *process);

/* Forget the first bytes of what was printed so far. */
void vl_process_forget_first(struct vl_process *process, size_t bytes);
/* Forget what was printed so far. */
void vl_process_forget_output(struct vl_process *process);

void vl_process_free(struct vl_process *process);

/* Start, wait until it ends, its time is up, or Ctrl-C. What it left behind is not swept. */
enum vl_status vl_process_run(struct vl_process *process, const struct vl_sandbox *sandbox,
                              const char *folder, char *const argv[],
                              const struct vl_limits *limits);

#endif
