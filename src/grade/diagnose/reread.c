#include "grade/diagnose/reread.h"

#include "grade/catalogue/maker.h"
#include "grade/diagnose/evidence.h"
#include "grade/diagnose/reading.h"
#include "grade/diagnose/trial.h"
#include "grade/judge/compare.h"
#include "grade/judge/judgement.h"
#include "sandbox/process.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BOUND 1e-3 /* a looser one proves nothing */
#define LEAST_NEAR 1e-6
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

/* Is this what the submission gives? Adds the numbers that say so to *met. */
static bool explains(const struct vl_reading *reading, const struct vl_seen_case *seen,
                     const struct vl_bag *inputs, const struct vl_bag *truth, size_t *met)
{
    struct vl_bag *read = vl_reading_inputs(reading, inputs);
    struct vl_bag *misread = vl_truth_of(seen->c, read);
    const double near = fmax(2 * seen->c->bound, LEAST_NEAR);
    bool right = false;
    if (misread != NULL && seen->passed)
        right = vl_answer_distance(misread, truth, truth, seen->c) <= seen->c->bound;
    else if (misread != NULL)
        right = vl_answer_distance(seen->outputs, misread, truth, seen->c) <=
                fmin(near, NEARER * vl_answer_distance(seen->outputs, truth, truth, seen->c));
    if (right && !seen->passed)
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
    bool right = truth != NULL && explains(reading, seen, inputs, truth, met);
    if (!right && truth != NULL &&
        (reading->kind == VL_READ_COLUMNS || reading->kind == VL_READ_ROWS))
        all = calloc(VL_READINGS_MOST, sizeof *all);
    size_t count = all != NULL ? vl_readings_list(all, inputs) : 0;
    for (size_t i = 0; i < count && !right; i++)
        right = all[i].kind == reading->kind && strcmp(all[i].input, reading->input) == 0 &&
                explains(&all[i], seen, inputs, truth, met);
    free(all);
    vl_bag_free(inputs);
    vl_bag_free(truth);
    return right;
}

/* Does it explain all other cases of the function? */
static bool holds(const struct vl_reading *reading, const struct vl_seen_case *cases, size_t count,
                  size_t first, const struct vl_origin *origin, size_t met)
{
    for (size_t i = 0; i < count; i++) {
        const struct vl_seen_case *seen = &cases[i];
        bool matters = i != first && (seen->passed || seen->outputs != NULL) &&
                       strcmp(seen->c->function, cases[first].c->function) == 0;
        if (matters && !explains_too(reading, seen, origin, &met))
            return false;
    }
    return met >= LEAST_MET;
}

enum vl_status vl_reread(struct vl_sign *finding, const struct vl_seen_case *cases, size_t count,
                         size_t first, const struct vl_origin *origin, double until)
{
    const struct vl_seen_case *seen = &cases[first];
    struct vl_reading *readings = calloc(VL_READINGS_MOST, sizeof *readings);
    struct vl_bag *inputs = vl_case_inputs(seen->c, origin);
    struct vl_bag *truth = vl_truth_of(seen->c, inputs);
    enum vl_status status = readings != NULL && inputs != NULL ? VL_OK : VL_ENOMEM;
    *finding = (struct vl_sign){0};
    size_t listed = status == VL_OK && truth != NULL && seen->c->bound <= MOST_BOUND
                        ? vl_readings_list(readings, inputs)
                        : 0;
    for (size_t i = 0; i < listed && finding->code == NULL && vl_clock() < until; i++) {
        size_t met = 0;
        if (explains(&readings[i], seen, inputs, truth, &met) &&
            holds(&readings[i], cases, count, first, origin, met))
            status = vl_reading_say(finding, &readings[i], inputs);
    }
    vl_bag_free(inputs);
    vl_bag_free(truth);
    free(readings);
    return status;
}
