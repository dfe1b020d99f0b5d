/*
 * A job: one mpirun over a list of cases, watched from outside.
 *
 * Each case is reported as soon as every rank has it behind it. If the job crashes, hangs, leaves
 * or floods, only the case it was in is blamed, and a new job goes on with the next one. After two
 * hung cases of one function the rest of that function is skipped. A job always ends, and nothing
 * that it started is alive afterwards.
 */
#ifndef VIALATA_GRADE_JOB_H
#define VIALATA_GRADE_JOB_H

#include "grade/sandbox.h"
#include "vialata/status.h"
#include <stddef.h>

enum vl_job_end {
    VL_JOB_FINISHED, /* results lie in out<number>.<rank>.st */
    VL_JOB_CRASHED,  /* a signal ended it */
    VL_JOB_EXITED,   /* it left before the case was done */
    VL_JOB_HUNG,     /* its time was up */
    VL_JOB_FLOODED,  /* it printed without end */
    VL_JOB_SWELLED,  /* it took too much memory */
    VL_JOB_SKIPPED,  /* after hung cases of the same function */
    VL_JOB_UNBORN    /* it never came to its first case */
};

struct vl_job_report {
    enum vl_job_end end;
    int signal;        /* that crashed it, or 0 */
    const char *place; /* "forward.c:88", or NULL */
    const char *words; /* what it printed in this case, without mpirun's own remarks; or NULL */
    double seconds;
};

struct vl_job_item {
    unsigned number; /* inputs are in FOLDER/in<number>.st */
    const char *function;
};

struct vl_job {
    const struct vl_sandbox *sandbox;
    const char *program;
    const char *folder;  /* inputs; ours, the job only reads it */
    const char *sources; /* of the submission */
    int ranks;
    int asan;
    double seconds; /* for each case */
    void (*report)(void *context, size_t item, const struct vl_job_report *report);
    void *context;
};

/* Run all items (the same number of ranks). Stops early, with VL_OK, at Ctrl-C.
 * VL_ELACK if there is no mpirun, VL_EIO, VL_ENOMEM. */
enum vl_status vl_job_run(const struct vl_job *job, const struct vl_job_item *items, size_t count);

/* Start mpirun on 'program' with the given arguments; for other kinds of runs. */
struct vl_process;
struct vl_limits;
enum vl_status vl_job_start(struct vl_process *process, const struct vl_sandbox *sandbox,
                            const char *program, int ranks, const char *const *arguments,
                            const struct vl_limits *limits);

/* Make a fresh board in the sandbox's folder; a descriptor to read it with, or -1. */
int vl_job_board(const struct vl_sandbox *sandbox);

#endif
