/*
 * An attempt: one mpirun that runs a list of cases as far as it gets, as it is seen from outside.
 */
#ifndef VIALATA_GRADE_JOB_ATTEMPT_H
#define VIALATA_GRADE_JOB_ATTEMPT_H

#include "grade/job/case_run.h"
#include "ranks/answers.h"
#include "ranks/hang/standstill.h"
#include "sandbox/process.h"
#include <stdbool.h>

/* How many of all items, the first ones, have inputs, and how many of these all ranks can see. */
struct vl_inputs_ready {
    size_t made, shown;
};

struct vl_attempt {
    const struct vl_case_run *run;
    const struct vl_case_run_item *items;
    size_t first; /* item of this attempt */
    size_t count; /* of all items */
    struct vl_inputs_ready *inputs;
    size_t allowed;        /* items of this attempt that all ranks may begin */
    size_t wanted;         /* and that they might, as soon as their inputs are there */
    size_t finished;       /* items of this attempt that are reported */
    enum vl_status status; /* of the grader itself */
    bool apart;            /* each rank behind a wall of its own, and audited */
    bool frozen;           /* and mpirun starts nothing more, which would be outside of them */
    struct vl_audit_networks networks;
    struct vl_audit_count before; /* the case */
    int started;
    struct vl_answers answers;
    struct vl_board copy;
    struct vl_process process;
    size_t marks;   /* that came with what it printed, and are forgotten, or will not come */
    double unheard; /* seconds of waiting for marks that did not come */
    struct vl_standstill still;
    struct vl_beacon_call asking[VL_BOARD_RANKS]; /* the latest MPI_Test seen, in this case */
    double asked[VL_BOARD_RANKS];                 /* when */
    double since;                                 /* when the current case, or the start, began */
    double next_memory;                           /* when to look at the memory held again */
};

/* Look at the boards. Once all ranks have begun, the first case may. */
void vl_attempt_look(struct vl_attempt *a);

/* Let all ranks go on to those of the wanted cases whose inputs are there. */
void vl_attempt_allow(struct vl_attempt *a);

/* Has a rank said, from its signal handler, that it crashed? mpirun would take a second or two to
 * notice. */
bool vl_attempt_crashed(const struct vl_attempt *a);

/* Wait, not for long, for what the ranks say they have printed: as a rule, nothing. */
void vl_attempt_hear(struct vl_attempt *a);

/* Report an item: with what is told here, the program's words and the time. */
void vl_attempt_report(struct vl_attempt *a, size_t item, struct vl_case_run_report told);

/* The same for an item of which only this is known. */
void vl_attempt_report_end(struct vl_attempt *a, size_t item, enum vl_run_end end);

/* Watch, report, and make inputs, until all is done (FINISHED) or something is wrong. */
enum vl_run_end vl_attempt_watch(struct vl_attempt *a);

/* Let an attempt that is not watched yet start, but not take too much memory: then it is ended. */
void vl_attempt_tend(struct vl_attempt *a);

/* The current item did not finish: end the job, find out why, and report it. Returns how it ended, as
 * far as that is known now. */
enum vl_run_end vl_attempt_blame(struct vl_attempt *a, enum vl_run_end end);

#endif
