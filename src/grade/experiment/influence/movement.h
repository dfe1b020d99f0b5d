/*
 * Movement: how one array of an answer moves when the inputs change, next to how it should.
 *
 *   dt = truth(changed) - truth        ds = answer(changed) - answer        e = answer - truth
 */
#ifndef VIALATA_GRADE_EXPERIMENT_INFLUENCE_MOVEMENT_H
#define VIALATA_GRADE_EXPERIMENT_INFLUENCE_MOVEMENT_H

#include "grade/experiment/influence/influence.h"
#include <stdbool.h>

/* One array before and after: in the truth (t) and in the answer (s). */
struct vl_moving {
    const struct vl_tensor_entry *t, *t_after, *s, *s_after;
};

/* Find them. False if one is missing, has another size or type, or a number that counts is not finite. */
bool vl_moving_find(struct vl_moving *moving, const struct vl_influence *influence,
                    const struct vl_probed *probed, const struct vl_tensor_entry *expected);

/* Does element i count, before and after? Then how far it moves. */
bool vl_moving_counts(const struct vl_moving *moving, size_t i);
double vl_moving_truth(const struct vl_moving *moving, size_t i);
double vl_moving_answer(const struct vl_moving *moving, size_t i);

/* Norms over the elements that count. */
struct vl_movement {
    double truth, answer; /* of dt, ds */
    double apart;         /* of ds - dt */
    double error;         /* of e */
    double factor;        /* the k for which ds - k dt is smallest; 0 if dt is zero */
    double rest;          /* of ds - k dt */
    double noise;         /* what rounding can make of any of these */
    size_t moved;         /* elements in which the truth moves */
};

struct vl_movement vl_movement_of(const struct vl_moving *moving, const struct vl_case *c);

/* Certainly moves, and certainly does not. In between, nothing is certain. */
bool vl_truth_moves(const struct vl_movement *movement);
bool vl_truth_rests(const struct vl_movement *movement);
bool vl_answer_moves(const struct vl_movement *movement);
bool vl_answer_rests(const struct vl_movement *movement);

/* Does the error certainly not depend on what was changed, and certainly depend on it? */
bool vl_movement_is_right(const struct vl_movement *movement);
bool vl_movement_is_wrong(const struct vl_movement *movement);

#endif
