#include "grade/experiment/fresh.h"

#include "base/path.h"
#include "base/text.h"
#include "grade/catalogue/maker.h"
#include "grade/catalogue/rehearsal.h"
#include "grade/experiment/alone.h"
#include "grade/experiment/trial.h"
#include "grade/judge/compare.h"
#include "grade/judge/judgement.h"
#include "sandbox/load.h"
#include "sandbox/process.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALL_SECONDS 4.0 /* for everything */

/* ---- which cases ---- */

static bool is_open(const struct vl_seen_case *seen)
{
    return !seen->passed && (seen->outputs != NULL || seen->stale) && seen->cause.code == NULL &&
           !seen->c->sealed;
}

static bool is_of(const struct vl_seen_case *seen, const struct vl_seen_case *other)
{
    return strcmp(seen->c->function, other->c->function) == 0;
}

/* What was called before a case in its process: the function itself or, if it is made up of others,
 * anything. Where there was nothing else, the rehearsal was. */
enum before { A_CASE, A_REHEARSAL };

/* Was it this? And was all that the function gave until then right? */
static bool may_be_stale(const struct vl_seen_case *cases, size_t i, enum before before)
{
    bool called = false;
    for (size_t k = 0; k < i; k++) {
        if (cases[k].c->ranks != cases[i].c->ranks)
            continue;
        if (is_of(&cases[k], &cases[i]) && !cases[k].passed)
            return false;
        called |= is_of(&cases[k], &cases[i]) || cases[i].c->needs != NULL;
    }
    return before == A_CASE ? called : !called && vl_case_is_rehearsed(cases[i].c);
}

/* Are only bytes wrong that were counted before or after a moment? How many these are may change from run to run:
 * once right says nothing. */
static bool only_bytes_are_wrong(const struct vl_seen_case *seen, const struct vl_bag *inputs)
{
    struct vl_bag *truth = seen->outputs != NULL ? vl_truth_of(seen->c, inputs) : NULL;
    size_t bytes = 0, others = 0;
    for (size_t a = 0; truth != NULL && a < vl_bag_count(truth); a++) {
        char bare[VL_RANKED_NAME];
        const struct vl_tensor_entry *now = vl_bag_entry(truth, a);
        const struct vl_tensor_entry *got = vl_bag_find(seen->outputs, now->name);
        if (!vl_judgement_is_compared(now) || got == NULL || got->count != now->count ||
            vl_compare(got, now, now, seen->c->floor).error <= seen->c->bound)
            continue;
        vl_split_name(bare, now->name);
        *(vl_path_ends_in(bare, "_bytes") ? &bytes : &others) += 1;
    }
    vl_bag_free(truth);
    return bytes > 0 && others == 0;
}

/* ---- what is kept ---- */

/* Is one of the arrays that of an earlier call? Into 'name', for people. */
static bool holds_result_of(char name[VL_SHOWN_NAME], const struct vl_seen_case *seen,
                            const struct vl_bag *truth, const struct vl_bag *earlier)
{
    for (size_t a = 0; a < vl_bag_count(truth); a++) {
        const struct vl_tensor_entry *now = vl_bag_entry(truth, a);
        const struct vl_tensor_entry *then = vl_bag_find(earlier, now->name);
        const struct vl_tensor_entry *got = vl_bag_find(seen->outputs, now->name);
        if (then == NULL || got == NULL || !vl_judgement_is_compared(now) || now->count < 2 ||
            then->count != now->count || got->count != now->count ||
            vl_compare(then, now, now, seen->c->floor).error <= seen->c->bound ||
            vl_compare(got, then, then, seen->c->floor).error > seen->c->bound)
            continue;
        vl_shown_name(name, now->name);
        return true;
    }
    return false;
}

/* The same for what an earlier call was given, which is freed. */
static bool holds_result_for(char name[VL_SHOWN_NAME], const struct vl_seen_case *seen,
                             const struct vl_bag *truth, const struct vl_case *c,
                             struct vl_bag *inputs)
{
    struct vl_bag *earlier = vl_truth_of(c, inputs);
    bool holds = earlier != NULL && holds_result_of(name, seen, truth, earlier);
    vl_bag_free(earlier);
    vl_bag_free(inputs);
    return holds;
}

static bool find_kept(char name[VL_SHOWN_NAME], const struct vl_seen_case *cases, size_t i,
                      const struct vl_bag *inputs, const struct vl_origin *origin)
{
    struct vl_bag *truth = cases[i].outputs != NULL ? vl_truth_of(cases[i].c, inputs) : NULL;
    bool found = truth != NULL && vl_case_is_rehearsed(cases[i].c) &&
                 holds_result_for(name, &cases[i], truth, cases[i].c,
                                  vl_rehearsal_inputs(cases[i].c, origin));
    for (size_t k = i; truth != NULL && !found && k-- > 0;)
        if (is_of(&cases[k], &cases[i]) && cases[k].c->ranks == cases[i].c->ranks)
            found = holds_result_for(name, &cases[i], truth, cases[k].c,
                                     vl_case_inputs(cases[k].c, origin));
    vl_bag_free(truth);
    return found;
}

static char *words(const char *kept)
{
    if (kept != NULL)
        return vl_text_format(
            _("%s is that of an earlier call. In a process of its own this case is right: look for a "
              "static variable or a buffer that is filled once, and fill it in every call."),
            kept);
    return strdup(
        _("In a process of its own this case is right, but not after other calls: something "
          "is kept from them. Look for a static variable, or a buffer or plan that is made "
          "once; make it anew in every call, or when the sizes or the data change."));
}

/* All open cases of the function that are called later have this cause. */
static enum vl_status settle(struct vl_seen_case *cases, size_t count, size_t i, const char *kept)
{
    for (size_t k = 0; k < count; k++) {
        if (!is_open(&cases[k]) || !is_of(&cases[k], &cases[i]))
            continue;
        cases[k].cause = (struct vl_cause){.code = "kept_from_earlier_call",
                                           .message = words(k == i ? kept : NULL)};
        if (cases[k].cause.message == NULL)
            return VL_ENOMEM;
    }
    return VL_OK;
}

static enum vl_status try_those_after(enum before before, struct vl_seen_case *cases, size_t count,
                                      const struct vl_laboratory *laboratory, double until)
{
    enum vl_status status = VL_OK;
    for (size_t i = 0; i < count && status == VL_OK && vl_clock() < until; i++) {
        if (!is_open(&cases[i]) || !may_be_stale(cases, i, before))
            continue;
        char name[VL_SHOWN_NAME], folder[32];
        snprintf(folder, sizeof folder, "afresh%zu", i);
        struct vl_bag *inputs = vl_case_inputs(cases[i].c, laboratory->origin);
        bool right = false;
        if (inputs == NULL)
            status = VL_ENOMEM;
        else if (!only_bytes_are_wrong(&cases[i], inputs))
            status = vl_run_alone(&right, &cases[i], inputs, laboratory, folder, until);
        if (status == VL_OK && right)
            status = settle(cases, count, i,
                            find_kept(name, cases, i, inputs, laboratory->origin) ? name : NULL);
        vl_bag_free(inputs);
    }
    return status;
}

/* Where a case was right and a later one is wrong, more speaks for it: so these come first. */
enum vl_status vl_try_afresh(struct vl_seen_case *cases, size_t count,
                             const struct vl_laboratory *laboratory)
{
    double until = vl_clock() + ALL_SECONDS * vl_load_average();
    if (laboratory->sandbox->until > 0)
        until = fmin(until, laboratory->sandbox->until);
    enum vl_status status = try_those_after(A_CASE, cases, count, laboratory, until);
    return status == VL_OK ? try_those_after(A_REHEARSAL, cases, count, laboratory, until) : status;
}
