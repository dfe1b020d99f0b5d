/*
 * Tasks: the processes of a timed job and their threads, as the kernel sees them from outside.
 *
 *   vialata -- bwrap -- mpirun -- rank 0, rank 1, ...        (no bwrap where there is no wall)
 *
 * Nothing here asks the job. Processor time is exact once a task sleeps; while one runs, the
 * kernel's count is up to 4 ms late. So settle first, then read.
 */
#ifndef VIALATA_RANKS_TASKS_H
#define VIALATA_RANKS_TASKS_H

#include "sandbox/process.h"
#include "wire/board.h"

#define VL_TASKS_MOST 64

struct vl_tasks {
    pid_t processes[VL_TASKS_MOST];
    size_t count;
    pid_t ranks[VL_BOARD_RANKS]; /* those of them that mpirun started */
    size_t rank_count;
    uid_t owner; /* of a job that runs under a user of its own; else 0 */
};

/* The processes that a program started in that sandbox consists of now, VL_TASKS_MOST at most. */
void vl_tasks_find(struct vl_tasks *tasks, const struct vl_process *process,
                   const struct vl_sandbox *sandbox);

/* Processes other than the ranks, and the threads of the ranks. */
size_t vl_tasks_total(const struct vl_tasks *tasks);

/* Wait until every task sleeps. False if one still runs after some milliseconds. */
bool vl_tasks_settle(const struct vl_tasks *tasks);

/* Seconds of processor time so far, ended threads included; NAN if a process is gone. */
double vl_tasks_cpu(const struct vl_tasks *tasks);

/* Seconds of processor time of the ranks' threads that have ended; NAN as above. */
double vl_tasks_ended(const struct vl_tasks *tasks);

/* Each rank on a core of its own, the same for every job; release: wherever we may run. Root may do
 * that to another user's process only with CAP_SYS_NICE, which containers rarely have, so it is done
 * as that user where it must be. */
void vl_tasks_pin(const struct vl_tasks *tasks);
void vl_tasks_release(const struct vl_tasks *tasks);

/* Whether all ranks are where vl_tasks_pin put them. */
bool vl_tasks_pinned(const struct vl_tasks *tasks);

/* From now on the job can start neither processes nor threads. Where its user is root, the kernel
 * does not enforce this. */
void vl_tasks_freeze(const struct vl_tasks *tasks, const struct vl_sandbox *sandbox);

#endif
