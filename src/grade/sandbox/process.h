/*
 * One untrusted program, started in a sandbox: what it may use, what it says, when it ends.
 *
 * It gets a session of its own, nothing on standard input, a small clean environment, and one pipe
 * for all it prints, which is drained as long as somebody polls; only the beginning is kept.
 */
#ifndef VIALATA_GRADE_SANDBOX_PROCESS_H
#define VIALATA_GRADE_SANDBOX_PROCESS_H

#include "grade/sandbox/sandbox.h"
#include "vialata/status.h"
#include <stddef.h>
#include <sys/types.h>

#define VL_PROCESS_WORDS 65536 /* bytes of its output that are kept */

struct vl_limits {
    double seconds;   /* wall clock; only vl_process_run looks at it */
    size_t memory;    /* address space of each process in bytes, 0: no limit */
    size_t file_size; /* of each file it writes, in bytes */
    size_t processes; /* of its user, threads included */
    int nice;         /* as in nice(1); below zero it is a wish that only root gets */
};

struct vl_process {
    pid_t pid;   /* 0 before the start and after the end */
    int pipe;    /* what it prints; -1 when closed */
    char *words; /* the first VL_PROCESS_WORDS bytes, ended by a zero byte */
    size_t kept;
    size_t printed; /* bytes in all */
    int ended;
    int exit;     /* exit status, -1 if a signal ended it */
    int signal;   /* that signal, or 0 */
    int overtime; /* vl_process_run: it was ended because its time was up */
};

/* Seconds on a clock that never jumps. */
double vl_clock(void);

/* Start argv[0] (found in PATH) in the sandbox's folder, or in 'folder' if that is not NULL.
 * VL_ELACK if there is no such program, VL_EIO, VL_ENOMEM. */
enum vl_status vl_process_start(struct vl_process *process, const struct vl_sandbox *sandbox,
                                const char *folder, char *const argv[],
                                const struct vl_limits *limits);

/* Take what it printed, waiting up to 'milliseconds' for more; nonzero once it has ended. */
int vl_process_poll(struct vl_process *process, int milliseconds);

/* Kill the program itself if it still runs, and take its last words. (Its children: sweep.) */
void vl_process_end(struct vl_process *process);

/* Forget what was printed so far. */
void vl_process_forget_output(struct vl_process *process);

void vl_process_free(struct vl_process *process);

/* Start, wait until it ends, its time is up, or Ctrl-C. What it left behind is not swept. */
enum vl_status vl_process_run(struct vl_process *process, const struct vl_sandbox *sandbox,
                              const char *folder, char *const argv[],
                              const struct vl_limits *limits);

#endif
