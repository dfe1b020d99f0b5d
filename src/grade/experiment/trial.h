/*
 * Trials: which case of each function that fails is tried out, and what for.
 *
 * Where a general sign (signs.h) speaks for every failure of a function, little can be added to it. So a
 * case in which there is most to find is taken, then one with the fewest ranks, then the first that is not
 * large: the first is the plainest.
 */
#ifndef VIALATA_GRADE_EXPERIMENT_TRIAL_H
#define VIALATA_GRADE_EXPERIMENT_TRIAL_H

#include "grade/diagnose/cause.h"
#include "grade/experiment/influence/influence.h"
#include "grade/experiment/reading/reading.h"
#include <stdbool.h>

/* One case and its probes. */
struct vl_trial {
    struct vl_seen_case *seen;
    struct vl_bag *inputs, *truth;
    enum vl_influence_depth depth; /* what is looked for */
    bool misread; /* 'reading' explains it, as far as is known before anything runs */
    struct vl_reading reading;
    struct vl_bag *blank; /* the inputs, zero where nobody may read (unread.h); NULL: not sought */
    struct vl_probed probed[VL_PROBES_MOST];
    size_t count;
};

struct vl_trials {
    struct vl_seen_case *cases;
    size_t count;
    const struct vl_origin *origin;
    const char **signs; /* of each open case; NULL: none */
    bool *tried;
    struct vl_trial *list;
    size_t trial_count;
};

/* Look at the open cases whose cause can be sought: not of predictions, of composed cases whose parts
 * fail themselves, or where an inspector has words. VL_ENOMEM. Free them in any case. */
enum vl_status vl_trials_begin(struct vl_trials *trials, struct vl_seen_case *cases, size_t count,
                               const struct vl_origin *origin);
void vl_trials_free(struct vl_trials *trials);

/* Choose a case of each function that is still open, instead of those before, and never the same again.
 * VL_ENOMEM. */
enum vl_status vl_trials_choose(struct vl_trials *trials);

/* All open cases of that function have this cause, but for those of which a sign says it better.
 * Nothing without a code. VL_ENOMEM. */
enum vl_status vl_trials_settle(struct vl_trials *trials, const char *function,
                                const struct vl_sign *finding);

/* What must come out; NULL if nothing sensible does. */
struct vl_bag *vl_truth_of(const struct vl_case *c, const struct vl_bag *inputs);

#endif
