/*
 * Influence: what an answer follows, and what it should follow.
 *
 * Each probe (probe.h) changes one thing in the inputs of a case. Then the truth moves, and the
 * submission's answer moves:
 *
 *   dt = truth(changed) - truth(unchanged)      ds = answer(changed) - answer(unchanged)
 *
 * Where both are the same, this input is used as it should be, even if the answer is wrong.
 * Where they differ, that is what is said. Only differences that rounding cannot explain count, and only
 * arrays of the answer that are wrong are looked at. The first of these that is found is told:
 *
 *   not_repeatable           the same inputs give another answer
 *   independent_of_input     dt moves, ds is zero
 *   depends_on_wrong_input   dt is zero, ds moves
 *   nothing_arrives          nothing that other ranks have moves it, or nothing of some of them, or a part only
 *   wrong_element            one element of an input moves other places of the answer
 *   wrong_power              the truth goes with a power of an input, the answer with another
 *   wrong_weight             ds = k dt for an input or an element of it, and not for others
 *   wrong_at_index           only the element of each row that an index points at is wrong
 *   wrong_part               only some halves or thirds of the rows are wrong
 *   first_rows_right, first_columns_right    all but these are wrong
 *   wrong_use_of             ds differs from dt for one input and for no other; or the ratio of answer
 *                            and truth changes with it
 *   constant_added           ds = dt for all inputs: the error does not depend on them
 *   constant_factor          the ratio does not depend on any input
 */
#ifndef VIALATA_GRADE_EXPERIMENT_INFLUENCE_INFLUENCE_H
#define VIALATA_GRADE_EXPERIMENT_INFLUENCE_INFLUENCE_H

#include "grade/catalogue/case.h"
#include "grade/experiment/influence/probe.h"
#include "grade/judge/signs.h"

/* What came of a probe. */
struct vl_probed {
    struct vl_probe probe;
    struct vl_bag *truth;  /* NULL: the changed inputs make no sense */
    struct vl_bag *answer; /* NULL: nothing came back */
};

/* A case whose answer is wrong, and its probes. */
struct vl_influence {
    const struct vl_case *c;
    const struct vl_bag *inputs, *truth, *answer; /* unchanged */
    const struct vl_probed *probed;
    size_t count;
    bool again; /* a plainer case has shown nothing */
};

/* What is looked for: nothing; where there is a general sign (signs.h), only the first three and
 * wrong_part, which say more; or all. Where an array of whole numbers is wrong, all are those, too. */
enum vl_influence_depth { VL_INFLUENCE_NOTHING, VL_INFLUENCE_CHANGES, VL_INFLUENCE_ALL };

/* What the probes show: a code and a sentence; code NULL if nothing is certain. VL_ENOMEM. */
enum vl_status vl_influence_find(struct vl_sign *finding, const struct vl_influence *influence,
                                 enum vl_influence_depth depth);

#endif
