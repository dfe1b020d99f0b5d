/*
 * Elements of the inputs that nobody may read: the truth is the same whatever is there, even NaN.
 *
 *   probs   . - - -        in backward, nothing right of the diagonal has a meaning
 *           . . - -
 *           . . . -        - may be anything:  truth(probs, with 0 there) = truth(probs)
 *           . . . .
 *
 * A submission whose wrong answer becomes right once they are zero has read them. Where in its source, and
 * in how many places, does not matter. Only on one rank: of several, each may read what is its own, and
 * influence.h has words for that.
 */
#ifndef VIALATA_GRADE_EXPERIMENT_UNREAD_H
#define VIALATA_GRADE_EXPERIMENT_UNREAD_H

#include "grade/experiment/trial.h"

/* Look for them in a trial's inputs, not beyond 'until' on vl_clock(), and add a probe for each array that
 * has some: 'blank' of the trial has zeros there. Runs nothing but truths. VL_ENOMEM. */
enum vl_status vl_unread_probe(struct vl_trial *trial, double until);

/* Is the wrong answer of this trial right with zeros there? Then say it; else nothing. VL_ENOMEM. */
enum vl_status vl_unread_find(struct vl_sign *finding, const struct vl_trial *trial);

#endif
