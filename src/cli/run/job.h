/*
 * A run of vialata-trainer under mpirun, or under another launcher, watched.
 *
 * The trainer tells what happens as JSON lines on its standard output; its standard error is the
 * person's. Ctrl-C asks the run to end after its step (SIGUSR1, which mpirun hands to the ranks); a
 * second one ends it at once. If this program dies, so does the job.
 */
#ifndef VIALATA_CLI_RUN_JOB_H
#define VIALATA_CLI_RUN_JOB_H

#include "cli/command.h"
#include <jansson.h>

struct vl_job {
    const char *command;      /* "train" */
    const char *program;      /* a trainer other than the course's; NULL: vialata-trainer */
    const char *const *words; /* its options; `--events` is added */
    int count;                /* of words */
    int ranks;
    const char *const *launcher; /* what starts the ranks, a path first; NULL: mpirun */
    const char *const *before;   /* words in front of mpirun (a path first); may be NULL */
    const char *const *options;  /* more options of mpirun; may be NULL */
    int elsewhere;               /* ranks may be on machines with other processors */
    int plain;                   /* `--events` is not added: the program needs no telling */
    int ends_cleanly;            /* it listens to SIGUSR1 and saves */
    void (*event)(void *context, const json_t *event);
    void *context;
};

/* Run it to its end. Errors and warnings that it tells are said here; every other event goes to
 * job->event. */
enum vl_exit vl_job_run(const struct vl_job *job);

#define VL_JOB_LANES 16

/*
 * Run all of them in order, up to 'most' (1 .. VL_JOB_LANES) at a time. Ctrl-C goes to all that are
 * under way. When one fails, the others are ended too and no more are begun. Returns how the first
 * one that failed ended, or VL_EXIT_OK.
 */
enum vl_exit vl_jobs_run(const struct vl_job *jobs, size_t count, size_t most);

/* The mpirun this tree was built with, or the one in PATH; the caller frees it, NULL if none. */
char *vl_job_mpirun(void);

/* Say that there is none. VL_EXIT_LACK. */
enum vl_exit vl_job_refuse_mpirun(void);

#endif
