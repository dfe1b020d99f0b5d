/*
 * The cause of wrong numbers: which known mistake gives the same ones.
 *
 * All cases of each function that fails are run again with the reference, once with each of its
 * mistakes in it, on the same inputs and ranks, in another sandbox. A mistake is the cause if
 *
 *   in every case that failed    the submission is much nearer to it than the truth is:
 *                                |submission - mistake| < 0.1 |mistake - truth|
 *   in every case that passed    it passes too
 *
 * If several are, the nearest counts. A search costs one start of the program for each number of
 * ranks, and nothing if all numbers are right. A known mistake may keep something from one call to the
 * next, so its cases are rehearsed as they were for the submission.
 */
#ifndef VIALATA_GRADE_DIAGNOSE_CAUSE_H
#define VIALATA_GRADE_DIAGNOSE_CAUSE_H

#include "grade/build/toolchain.h"
#include "grade/catalogue/case.h"
#include "grade/catalogue/origin.h"
#include "grade/diagnose/mistake.h"
#include "grade/judge/judge.h"
#include "sandbox/sandbox.h"

/* A case as the submission left it. */
struct vl_seen_case {
    const struct vl_case *c;
    const char *folder; /* where its inputs are, as in<input>.st */
    unsigned input;
    unsigned rehearsal; /* the same of its rehearsal; 0: it had none */
    double seconds;     /* that the submission took */
    bool passed;
    bool idle;               /* as in vl_judged; false where nothing was judged */
    bool inspected;          /* it failed, and an inspector found what is wrong */
    bool stale;              /* it failed in a way that data of an earlier call may explain */
    struct vl_bag *outputs;  /* of the submission, where its numbers are wrong */
    int rank;                /* the rank they are from, where each rank is judged alone; else 0 */
    const char *follows;     /* a function without whose mistake it passes; or NULL */
    const char *blames;      /* one with whose reference it passes (run/instead/blame.h); or NULL */
    struct vl_cause cause;   /* what was found: code and sentence are the mistake's; else NULL */
    struct vl_cause pattern; /* what all cases of its function show, where it is said; else NULL */
    struct vl_cause
        repair; /* where a small change puts it right (experiment/repair.h); else NULL */
};

/* How to search. */
struct vl_search_kind {
    double nearer;  /* a mistake's share, as in evidence.h */
    double seconds; /* for the whole search, longer on a busy machine */
    bool many;      /* mistakes: each has to explain one failed case before it gets the others */
};
extern const struct vl_search_kind vl_search_by_hand, vl_search_by_machine;

/*
 * Look for the causes of all open cases (not passed, with outputs, no cause yet). 'mistakes' are the
 * lab's; 'toolchain' has the runner. Nothing begins after 'until' on vl_clock(); 0: no such limit. VL_ELACK and VL_EIO are about this machine; then nothing is found.
 */
enum vl_status vl_causes_find(struct vl_seen_case *cases, size_t count,
                              const struct vl_origin *origin, const struct vl_mistakes *mistakes,
                              const struct vl_toolchain *toolchain,
                              const struct vl_sandbox *sandbox, const char *scratch,
                              const struct vl_search_kind *kind, double until);

#endif
