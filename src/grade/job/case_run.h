/*
 * A run: a list of cases in one job (mpirun), watched from outside.
 *
 * Each case is reported as soon as every rank has finished it. If the job crashes, hangs, exits or
 * prints too much, only the case it was in is blamed, and a new job goes on with the next one.
 * After two hung cases of one function the rest of that function is skipped. A job always ends, and
 * nothing that it started is alive afterwards.
 */
#ifndef VIALATA_GRADE_JOB_CASE_RUN_H
#define VIALATA_GRADE_JOB_CASE_RUN_H

#include "ranks/audit.h"
#include "ranks/hang/hang.h"
#include "sandbox/sandbox.h"
#include "vialata/status.h"
#include <stdbool.h>
#include <stddef.h>

enum vl_run_end {
    VL_RUN_FINISHED,        /* results lie in out<number>.<rank>.st */
    VL_RUN_CRASHED,         /* a signal ended it */
    VL_RUN_EXITED,          /* it exited before the case was done */
    VL_RUN_HUNG,            /* its time was up, or its ranks wait for one another forever */
    VL_RUN_MISUSED,         /* MPI found an error in a call */
    VL_RUN_TOO_MUCH_OUTPUT, /* it printed without end */
    VL_RUN_TOO_MUCH_MEMORY, /* it took too much memory */
    VL_RUN_SKIPPED,         /* after hung cases of the same function */
    VL_RUN_NOT_STARTED      /* it never came to its first case */
};

struct vl_case_run_report {
    enum vl_run_end end;
    int signal;                       /* the signal that crashed it, or 0 */
    int rank;                         /* the rank that crashed, of several; else -1 */
    const char *place;                /* "forward.c:88", or NULL */
    const struct vl_finding *finding; /* what the ranks did to each other, or NULL */
    const char *words; /* what it printed in this case, without mpirun's messages; or NULL */
    double seconds;
    /* Of a case that finished, where ranks are apart; else NULL. Called once, with 'attempt', when all
     * results are taken: until then a rank can send something and change them. Then the ranks go on to
     * the next case, and what follows may take its time. */
    struct vl_audit (*audit)(void *attempt);
    void *attempt;
};

struct vl_case_run_item {
    unsigned input;  /* its inputs are those of this number in the run's folder (rank_folders.h) */
    unsigned number; /* its results go to out<number>.<rank>.st */
    const char *function;
    int synchronous;  /* as in struct vl_case */
    unsigned variant; /* 0, or which of the mistakes that are linked in (diagnose/variants.h) */
    bool rehearsal;   /* of the next item, which is not run if this one does not finish */
};

#define VL_HANGS_ALLOWED 2 /* of one function and number of ranks; then the rest is skipped */

struct vl_case_run {
    const struct vl_sandbox *sandbox;
    const char *program;
    const char *folder;  /* of rank_folders.h; ours, the job only reads it */
    const char *sources; /* of the submission */
    int ranks;
    int asan;
    int hostile; /* nobody knows the program: where there is a wall, ranks are apart (launch.h) */
    double seconds; /* for each case */
    double until;   /* on vl_clock(): what is not done by then is not reported; 0: no limit */
    /* Make an item's inputs, not yet shown. Called for one after the other while the job starts and
     * earlier cases run, so that nobody waits for them. NULL: all are there, and shown. */
    enum vl_status (*prepare)(void *context, size_t item);
    void (*report)(void *context, size_t item, const struct vl_case_run_report *report);
    void (*meanwhile)(void *context); /* called again and again while cases run; or NULL */
    void *context;
};

/* A job that is started before its run's turn comes: it waits for its first case. Only where its
 * sandbox has a user of its own, for else a sweep of another ends it. NULL if it cannot be started;
 * the run then starts one itself, and says why if it cannot. */
struct vl_case_job;
struct vl_case_job *vl_case_job_start(const struct vl_case_run *run,
                                      const struct vl_case_run_item *items, size_t count);

/* From time to time, until then. */
void vl_case_job_tend(struct vl_case_job *job);

/* End it, if no run has taken it. Safe on NULL. */
void vl_case_job_free(struct vl_case_job *job);

/* Tell each rank what to run: FOLDER/<rank>/list. VL_EIO, VL_ENOMEM. */
enum vl_status vl_case_run_list(const struct vl_case_run *run, const struct vl_case_run_item *items,
                                size_t count);

/* Run all items (the same number of ranks); 'job' was started for them, or is NULL. Stops early, with
 * VL_OK, at Ctrl-C. VL_ELACK if there is no mpirun, VL_EIO, VL_ENOMEM. */
enum vl_status vl_case_run(const struct vl_case_run *run, const struct vl_case_run_item *items,
                           size_t count, struct vl_case_job *job);

#endif
