#include "grade/experiment/unset.h"

#include "base/text.h"
#include "grade/catalogue/maker.h"
#include "grade/experiment/alone.h"
#include "grade/experiment/trial.h"
#include "grade/judge/compare.h"
#include "grade/judge/judgement.h"
#include "sandbox/load.h"
#include "sandbox/process.h"
#include "wire/unset.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALL_SECONDS 3.0           /* for everything */
#define ENORMOUS    (1024. * 1e6) /* what poison is as a whole number, or next to it */

/* ---- which cases ---- */

static bool is_open(const struct vl_seen_case *seen)
{
    return !seen->passed && (seen->outputs != NULL || seen->stale) && seen->cause.code == NULL &&
           !seen->c->sealed && !vl_case_is_composed(seen->c);
}

static bool is_nonsense(const struct vl_tensor_entry *got, const struct vl_tensor_entry *truth)
{
    const bool whole = truth->dtype == VL_I32 || truth->dtype == VL_I64;
    for (size_t i = 0; i < truth->count; i++) {
        const double value = vl_entry_value(got, i), wanted = vl_entry_value(truth, i);
        if (vl_entry_counts(truth, i) && isfinite(wanted) &&
            (!isfinite(value) || (whole && fabs(value - wanted) >= ENORMOUS)))
            return true;
    }
    return false;
}

/* Is there a number that looks as if it came from memory without a value? */
static bool holds_nonsense(const struct vl_seen_case *seen, const struct vl_bag *inputs)
{
    struct vl_bag *truth = vl_truth_of(seen->c, inputs);
    bool found = false;
    for (size_t a = 0; truth != NULL && a < vl_bag_count(truth) && !found; a++) {
        const struct vl_tensor_entry *wanted = vl_bag_entry(truth, a);
        const struct vl_tensor_entry *got = vl_bag_find(seen->outputs, wanted->name);
        found = got != NULL && vl_judgement_is_compared(wanted) && got->count == wanted->count &&
                got->dtype == wanted->dtype && is_nonsense(got, wanted);
    }
    vl_bag_free(truth);
    return found;
}

/* Where something was left unwritten, another message says so better. */
static bool may_be_unset(const struct vl_seen_case *seen, const struct vl_case_result *result,
                         const struct vl_bag *inputs)
{
    if (seen->outputs == NULL)
        return result->code != NULL && strcmp(result->code, "unwritten") != 0;
    return holds_nonsense(seen, inputs);
}

/* ---- the experiment ---- */

static enum vl_status try_with_zeros(bool *right, const struct vl_seen_case *cases, size_t i,
                                     const struct vl_bag *inputs,
                                     const struct vl_laboratory *laboratory, double until)
{
    char name[32];
    snprintf(name, sizeof name, "zeros%zu", i);
    struct vl_bag *changed = vl_bag_copy(inputs);
    enum vl_status status = changed != NULL && vl_bag_set_int(changed, VL_ZEROS, 1)
                                ? vl_run_alone(right, &cases[i], changed, laboratory, name, until)
                                : VL_ENOMEM;
    vl_bag_free(changed);
    return status;
}

/* Cases that fail in another way may have another reason. */
static bool fails_alike(const struct vl_laboratory *laboratory, size_t i, size_t k)
{
    const struct vl_case_result *one = &laboratory->results[i], *other = &laboratory->results[k];
    return strcmp(one->function, other->function) == 0 &&
           (one->code == NULL) == (other->code == NULL) &&
           (one->code == NULL || strcmp(one->code, other->code) == 0);
}

static enum vl_status settle(struct vl_seen_case *cases, size_t count, size_t i,
                             const struct vl_laboratory *laboratory)
{
    for (size_t k = 0; k < count; k++) {
        if (!is_open(&cases[k]) || !fails_alike(laboratory, i, k))
            continue;
        cases[k].cause = (struct vl_cause){
            .code = "uninitialised",
            .message = strdup(
                _("This case would be right if the memory that the function fills held zeros "
                  "beforehand: something in it is added to, counted up or read before it has a "
                  "value. Look for a sum or a count that does not begin at 0."))};
        if (cases[k].cause.message == NULL)
            return VL_ENOMEM;
    }
    return VL_OK;
}

/* Has an open case of the same function been tried out before? */
static bool is_tried(const bool *tried, const struct vl_seen_case *cases, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (tried[k] && strcmp(cases[k].c->function, cases[i].c->function) == 0)
            return true;
    return false;
}

enum vl_status vl_try_zeros(struct vl_seen_case *cases, size_t count,
                            const struct vl_laboratory *laboratory)
{
    double until = vl_clock() + ALL_SECONDS * vl_load_average();
    if (laboratory->sandbox->until > 0)
        until = fmin(until, laboratory->sandbox->until);
    bool *tried = calloc(count + 1, sizeof *tried);
    enum vl_status status = tried != NULL ? VL_OK : VL_ENOMEM;
    for (size_t i = 0; i < count && status == VL_OK && vl_clock() < until; i++) {
        if (!is_open(&cases[i]) || is_tried(tried, cases, i))
            continue;
        struct vl_bag *inputs = vl_case_inputs(cases[i].c, laboratory->origin);
        bool right = false;
        tried[i] = inputs != NULL && may_be_unset(&cases[i], &laboratory->results[i], inputs);
        if (tried[i])
            status = try_with_zeros(&right, cases, i, inputs, laboratory, until);
        if (status == VL_OK && right)
            status = settle(cases, count, i, laboratory);
        vl_bag_free(inputs);
    }
    free(tried);
    return status;
}
