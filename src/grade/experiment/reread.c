#include "grade/experiment/reread.h"

#include "grade/catalogue/maker.h"
#include "grade/diagnose/evidence.h"
#include "grade/judge/compare.h"
#include "grade/judge/judgement.h"
#include "sandbox/process.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BOUND 1e-3 /* a looser one proves nothing */
#define LEAST_NEAR 1e-6
#define MUCH_NEAR  10   /* of changed inputs: they are not made with care */
#define NEARER     0.05 /* than the truth is */
#define LEAST_MET  3    /* numbers in all failures together: two agree too easily */

/* How many numbers of the truth are compared and differ if the inputs are misread? */
static size_t differing(const struct vl_bag *truth, const struct vl_bag *misread)
{
    size_t count = 0;
    for (size_t a = 0; a < vl_bag_count(truth); a++) {
        const struct vl_tensor_entry *entry = vl_bag_entry(truth, a);
        const struct vl_tensor_entry *other = vl_bag_find(misread, entry->name);
        for (size_t i = 0; vl_judgement_is_compared(entry) && other != NULL &&
                           other->count == entry->count && i < entry->count;
             i++)
            count +=
                vl_entry_counts(entry, i) && vl_entry_value(entry, i) != vl_entry_value(other, i);
    }
    return count;
}

/* Is this answer the right one for misread inputs? Of one that is right itself: do they change nothing?
 * Adds the numbers that say so to *met. */
static bool explains(const struct vl_reading *reading, const struct vl_case *c,
                     const struct vl_bag *answer, const struct vl_bag *inputs,
                     const struct vl_bag *truth, size_t *met)
{
    struct vl_bag *read = vl_reading_inputs(reading, inputs);
    struct vl_bag *misread = vl_truth_of(c, read);
    const double near = fmax(2 * c->bound, LEAST_NEAR);
    bool right = false;
    if (misread != NULL && answer == NULL)
        right = vl_answer_distance(misread, truth, truth, c) <= c->bound;
    else if (misread != NULL)
        right = vl_answer_distance(answer, misread, truth, c) <=
                fmin(near, NEARER * vl_answer_distance(answer, truth, truth, c));
    if (right && answer != NULL)
        *met += differing(truth, misread);
    vl_bag_free(read);
    vl_bag_free(misread);
    return right;
}

/* The same for another case: an array that is cut into factors has others there. */
static bool explains_too(const struct vl_reading *reading, const struct vl_seen_case *seen,
                         const struct vl_origin *origin, size_t *met)
{
    struct vl_bag *inputs = vl_case_inputs(seen->c, origin);
    struct vl_bag *truth = vl_truth_of(seen->c, inputs);
    struct vl_reading *all = NULL;
    bool right = truth != NULL && explains(reading, seen->c, seen->outputs, inputs, truth, met);
    if (!right && truth != NULL &&
        (reading->kind == VL_READ_COLUMNS || reading->kind == VL_READ_ROWS))
        all = calloc(VL_READINGS_MOST, sizeof *all);
    size_t count = all != NULL ? vl_readings_list(all, inputs) : 0;
    for (size_t i = 0; i < count && !right; i++)
        right = all[i].kind == reading->kind && strcmp(all[i].input, reading->input) == 0 &&
                explains(&all[i], seen->c, seen->outputs, inputs, truth, met);
    free(all);
    vl_bag_free(inputs);
    vl_bag_free(truth);
    return right;
}

/* Does it explain all other cases of the function? */
static bool explains_others(const struct vl_reading *reading, const struct vl_trial *trial,
                            const struct vl_trials *trials, size_t met)
{
    for (size_t i = 0; i < trials->count; i++) {
        const struct vl_seen_case *seen = &trials->cases[i];
        bool matters = seen != trial->seen && (seen->passed || seen->outputs != NULL) &&
                       strcmp(seen->c->function, trial->seen->c->function) == 0;
        if (matters && !explains_too(reading, seen, trials->origin, &met))
            return false;
    }
    return met >= LEAST_MET;
}

bool vl_reread(struct vl_reading *found, const struct vl_trial *trial,
               const struct vl_trials *trials, double until)
{
    const struct vl_seen_case *seen = trial->seen;
    struct vl_reading *readings = calloc(VL_READINGS_MOST, sizeof *readings);
    size_t count = readings != NULL && trial->truth != NULL && seen->c->bound <= MOST_BOUND
                       ? vl_readings_list(readings, trial->inputs)
                       : 0;
    bool right = false;
    for (size_t i = 0; i < count && !right && vl_clock() < until; i++) {
        size_t met = 0;
        *found = readings[i];
        right = explains(found, seen->c, seen->outputs, trial->inputs, trial->truth, &met) &&
                explains_others(found, trial, trials, met);
    }
    free(readings);
    return right;
}

bool vl_reread_holds(const struct vl_reading *reading, const struct vl_trial *trial)
{
    for (size_t p = 0; p < trial->count; p++) {
        const struct vl_case *c = trial->seen->c;
        const struct vl_probed *probed = &trial->probed[p];
        struct vl_bag *inputs = vl_probe_inputs(&probed->probe, trial->inputs);
        struct vl_bag *read = inputs != NULL ? vl_reading_inputs(reading, inputs) : NULL;
        struct vl_bag *misread = vl_truth_of(c, read);
        bool known = misread != NULL && probed->answer != NULL && probed->truth != NULL;
        bool right = !known || vl_answer_distance(probed->answer, misread, probed->truth, c) <=
                                   fmax(MUCH_NEAR * c->bound, LEAST_NEAR);
        vl_bag_free(inputs);
        vl_bag_free(read);
        vl_bag_free(misread);
        if (!right)
            return false;
    }
    return true;
}
