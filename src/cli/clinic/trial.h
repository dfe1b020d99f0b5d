/*
 * A program of the clinic, compiled and run: on the terminal, or quietly for its test. It is watched as by
 * `vialata mpi --strict`, and ended after some seconds at most.
 */
#ifndef VIALATA_CLI_CLINIC_TRIAL_H
#define VIALATA_CLI_CLINIC_TRIAL_H

#include "cli/command.h"
#include "cli/mpi/watched_job.h"
#include "ranks/hang/hang.h"

#include <stdbool.h>

struct vl_clinic_trial {
    const char *program; /* its path */
    int ranks;
    bool quiet;  /* what it prints is kept, and not shown */
    bool report; /* what was found is told */
    /* Afterwards: */
    enum vl_watched_end end;
    int status;
    int begun; /* ranks that came out of MPI_Init */
    double seconds;
    struct vl_finding finding;
    char *printed; /* of a quiet one */
};

/* Compile a text into 'program'; its lines are those of 'name' for whoever asks. 'header' is the course's clinic.h,
 * and no other is found. What the compiler says goes to the terminal. VL_EXIT_BELOW if it does not compile; says
 * what went wrong otherwise. */
enum vl_exit vl_clinic_trial_build(const char *program, const char *text, const char *name,
                                   const char *header);

/* Run it, between vl_interrupt_begin and vl_interrupt_end. Says what went wrong if it could not be run. Free it in any
 * case. */
enum vl_exit vl_clinic_trial_run(struct vl_clinic_trial *trial);

void vl_clinic_trial_free(struct vl_clinic_trial *trial);

#endif
