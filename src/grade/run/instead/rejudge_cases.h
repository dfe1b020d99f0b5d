/*
 * Cases that run once more in a program with something of the reference in it (rejudge.h).
 */
#ifndef VIALATA_GRADE_RUN_INSTEAD_REJUDGE_CASES_H
#define VIALATA_GRADE_RUN_INSTEAD_REJUDGE_CASES_H

#include "grade/run/batch.h"

struct vl_rejudging {
    struct vl_grading *grading;
    const char *program;
    bool *kept; /* of the cases that were seen: those that passed or, to compare, did as before */
    bool compares;
    struct vl_case_result *results; /* of those that ran ... */
    bool *idle;                     /* ... and whether they are, as in struct vl_seen_case */
    double last_start;              /* later, nothing else begins ... */
    double until;                   /* ... and what has begun is ended */
    unsigned folders;               /* so far */
    /* One run. */
    struct vl_batch *batch;
    size_t *seen; /* of each case asked */
};

/* Run those of the chosen cases (one for each that was seen) that are on so many ranks. */
enum vl_status vl_rejudge_run(struct vl_rejudging *rejudging, const bool *chosen, int ranks);

/* Run all that are chosen, those on few ranks first, until one is not kept. *all: each was. */
enum vl_status vl_rejudge_run_all(bool *all, struct vl_rejudging *rejudging, const bool *chosen);

#endif
