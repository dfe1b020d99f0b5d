#include "grade/run/grading.h"

#include "base/number.h"
#include "base/text.h"
#include "grade/catalogue/maker.h"
#include "grade/diagnose/cause.h"
#include "grade/judge/judge.h"
#include "grade/run/instead/rejudge.h"
#include "grade/run/result.h"
#include "sandbox/interrupt.h"
#include "sandbox/process.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool is_wanted(const struct vl_grade_request *request, const char *id, const char *function)
{
    const char *only = request->only;
    return only == NULL || strcmp(only, id) == 0 || strcmp(only, function) == 0;
}

bool vl_grading_wants(const struct vl_grading *grading, const char *id, const char *function)
{
    return is_wanted(grading->request, id, function);
}

static const struct vl_lab_function *function_of(const struct vl_lab *lab, const char *name)
{
    static const struct vl_lab_function none = {.name = ""};
    for (size_t i = 0; i < lab->function_count; i++)
        if (strcmp(lab->functions[i].name, name) == 0)
            return &lab->functions[i];
    return &none;
}

const struct vl_lab_function *vl_grading_function(const struct vl_grading *grading,
                                                  const char *name)
{
    return function_of(grading->request->lab, name);
}

bool vl_grade_is_timed(const struct vl_grade_request *request)
{
    return !request->without_throughput && !request->asan && !request->gdb;
}

double vl_grade_most_points(const struct vl_grade_request *request)
{
    const struct vl_lab_cases *lab = vl_lab_cases(request->lab);
    double most = 0;
    for (size_t i = 0; i < lab->case_count; i++) {
        const struct vl_case *c = &lab->cases[i];
        if (is_wanted(request, c->id, c->function))
            most += c->share * function_of(request->lab, c->function)->points;
    }
    for (size_t i = 0; i < lab->timing_count && vl_grade_is_timed(request); i++) {
        const struct vl_timing *timing = &lab->timings[i];
        if (is_wanted(request, timing->id, timing->function))
            most += function_of(request->lab, timing->function)->speed_points;
    }
    return round(1e6 * most) / 1e6; /* shares are thirds and sevenths, as in vl_verdict_close */
}

static enum vl_function_state state_of(const struct vl_grading *grading, const char *function)
{
    return vl_build_function(&grading->build, function,
                             vl_grading_function(grading, function)->file);
}

int vl_grading_is_decided(const struct vl_grading *grading, struct vl_case_result *result)
{
    return vl_result_from_build(result, &grading->build, state_of(grading, result->function),
                                vl_grading_function(grading, result->function)->file);
}

int vl_grading_lacks(const struct vl_verdict *verdict, const char *function, int unwritten)
{
    for (size_t i = 0; i < verdict->case_count; i++) {
        const struct vl_case_result *result = &verdict->cases[i];
        if (strcmp(result->function, function) != 0 || result->group == VL_GROUP_THROUGHPUT)
            continue;
        if (unwritten ? result->status == VL_CASE_NOT_STARTED
                      : result->status != VL_CASE_PASSED || result->replaced != NULL)
            return 1;
    }
    return 0;
}

bool vl_grading_is_over(const struct vl_grading *grading, struct vl_case_result *result)
{
    char seconds[VL_NUMBER_TEXT];
    if (grading->sandbox.until == 0 || vl_clock() < grading->sandbox.until)
        return false;
    vl_number_short(seconds, grading->budget, 3);
    vl_result_set(result, VL_CASE_SKIPPED, "out_of_time",
                  _("Not run: the time for this lab, %s s, was already used up. Look first at "
                    "what hangs or is slow; `--budget` gives more time."),
                  seconds);
    return true;
}

bool vl_grading_waits(const struct vl_grading *grading, struct vl_case_result *result,
                      const char *const *needs, int unwritten)
{
    for (; needs != NULL && *needs != NULL; needs++)
        if ((unwritten && state_of(grading, *needs) != VL_FUNCTION_PRESENT) ||
            vl_grading_lacks(grading->verdict, *needs, unwritten))
            break;
    if (needs == NULL || *needs == NULL)
        return false;
    if (unwritten)
        vl_result_set(result, VL_CASE_SKIPPED, "needs_functions",
                      _("This waits for %s, which is still to be written."), *needs);
    else
        vl_result_set(result, VL_CASE_SKIPPED, "needs_numerics",
                      _("The clock starts when the numbers of %s are right."), *needs);
    return true;
}

/* ---- cases that use other functions ---- */

static bool is_wrong(const struct vl_case_result *result)
{
    return result->status == VL_CASE_FAILED || result->status == VL_CASE_CRASHED ||
           result->status == VL_CASE_HUNG;
}

/* The code of a case, or the one that it will get. */
static bool has_code(const struct vl_grading *grading, size_t i, const char *code)
{
    const char *own = grading->verdict->cases[i].code;
    const char *found = i < grading->seen_count ? grading->seen[i].cause.code : NULL;
    return (own != NULL && strcmp(own, code) == 0) || (found != NULL && strcmp(found, code) == 0);
}

/* Does a case of this function fail, with this code where it is not NULL? */
static bool fails_so(const struct vl_grading *grading, const char *function, const char *code)
{
    for (size_t i = 0; i < grading->verdict->case_count; i++) {
        const struct vl_case_result *result = &grading->verdict->cases[i];
        if (is_wrong(result) && strcmp(result->function, function) == 0 &&
            (code == NULL || has_code(grading, i, code)))
            return true;
    }
    return false;
}

static bool names(const char *const *list, const char *function)
{
    while (list != NULL && *list != NULL && strcmp(*list, function) != 0)
        list++;
    return list != NULL && *list != NULL;
}

/* Does a case of this function need, or use, that one? */
static bool needs(const struct vl_grading *grading, const char *function, const char *other)
{
    for (size_t i = 0; i < grading->seen_count; i++) {
        const struct vl_case *c = grading->seen[i].c;
        if (c != NULL && strcmp(c->function, function) == 0 &&
            (names(c->needs, other) || names(c->uses, other)))
            return true;
    }
    return false;
}

/* The first in the list that fails, besides this function; of two that need each other, neither is told to
 * wait for the other. NULL if there is none. */
static const char *failing(const struct vl_grading *grading, const char *const *list,
                           const char *function)
{
    for (; list != NULL && *list != NULL; list++)
        if (strcmp(*list, function) != 0 && fails_so(grading, *list, NULL) &&
            !needs(grading, *list, function))
            return *list;
    return NULL;
}

/* The function without whose mistake this case passes, as a second program has shown. */
static const char *followed(const struct vl_grading *grading, const struct vl_case *c)
{
    for (size_t i = 0; i < grading->seen_count; i++)
        if (grading->seen[i].c == c)
            return grading->seen[i].follows;
    return NULL;
}

const char *vl_grading_failing_need(const struct vl_grading *grading, const struct vl_case *c)
{
    if (followed(grading, c) != NULL)
        return followed(grading, c);
    const char *need = failing(grading, c->needs, c->function);
    return need != NULL ? need : failing(grading, c->uses, c->function);
}

enum vl_status vl_grading_point_to_need(const struct vl_grading *grading,
                                        struct vl_case_result *result, const struct vl_case *c,
                                        const char *known)
{
    const char *need = vl_grading_failing_need(grading, c);
    if (!is_wrong(result) || need == NULL || (known != NULL && fails_so(grading, need, known)))
        return VL_OK;
    char *message = vl_text_format(
        _("This uses %s, whose own cases fail. Mend it first, then look here again."), need);
    if (message == NULL)
        return VL_ENOMEM;
    free(result->message);
    result->message = message;
    return VL_OK;
}

/* ---- idle cases: right for a function that does nothing, too ---- */

/* Is there a case in which this function has work to do: any, or one that it has right? */
static bool has_work(const struct vl_grading *grading, const char *function, bool right)
{
    for (size_t i = 0; i < grading->seen_count; i++) {
        const struct vl_seen_case *seen = &grading->seen[i];
        if (!seen->idle && (seen->passed || !right) && strcmp(seen->c->function, function) == 0)
            return true;
    }
    return false;
}

/* Has it passed, and is it open whether that counts? */
static bool is_in_doubt(const struct vl_grading *grading, size_t i)
{
    const struct vl_seen_case *seen = &grading->seen[i];
    return seen->idle && seen->passed && grading->verdict->cases[i].max_points > 0 &&
           !has_work(grading, seen->c->function, true);
}

static void settle_idle(struct vl_grading *grading)
{
    for (size_t i = 0; i < grading->seen_count; i++) {
        struct vl_case_result *result = &grading->verdict->cases[i];
        if (!is_in_doubt(grading, i) || !has_work(grading, result->function, false))
            continue;
        result->points = 0;
        vl_result_set(result, VL_CASE_SKIPPED, "counts_later",
                      _("This is right, but doing nothing or always refusing would be right here "
                        "too. It counts once %s passes a case in which it has work to do."),
                      result->function);
    }
}

/* ---- results ---- */

/* Is it still to be seen what becomes of this case? */
static bool is_unsettled(const struct vl_grading *grading, size_t i)
{
    const struct vl_seen_case *seen = &grading->seen[i];
    return seen->outputs != NULL ||
           (!grading->all_seen && (seen->stale || is_in_doubt(grading, i) ||
                                   vl_rejudge_may_change(&grading->verdict->cases[i], seen->c)));
}

/* Show what is settled, in the order of the catalogue: nothing after a case that is not. */
static void show(struct vl_grading *grading)
{
    const struct vl_verdict *verdict = grading->verdict;
    while (grading->shown < verdict->case_count) {
        size_t i = grading->shown;
        if (i < grading->seen_count && is_unsettled(grading, i))
            return;
        const struct vl_case_result *result = &verdict->cases[grading->shown++];
        if (grading->request->progress != NULL)
            grading->request->progress(grading->request->context, verdict, result);
    }
}

enum vl_status vl_grading_tell(struct vl_grading *grading, struct vl_case_result *result)
{
    const struct vl_case_result *told = vl_verdict_add(grading->verdict, result);
    vl_result_clear(result);
    if (told == NULL)
        return VL_ENOMEM;
    show(grading);
    return VL_OK;
}

/* Sizes or places of an earlier call lead to these, too, not only to what an inspector finds. */
static bool may_be_stale(const struct vl_case_result *result)
{
    static const char *const codes[] = {"out_of_bounds", "unexpected_status", "unwritten"};
    for (size_t i = 0; i < sizeof codes / sizeof *codes && result->code != NULL; i++)
        if (result->status == VL_CASE_FAILED && strcmp(result->code, codes[i]) == 0)
            return true;
    return false;
}

enum vl_status vl_grading_tell_case(struct vl_grading *grading, struct vl_case_result *result,
                                    const struct vl_seen_case *seen)
{
    struct vl_seen_case *kept = &grading->seen[grading->seen_count++];
    *kept = *seen;
    kept->passed = result->status == VL_CASE_PASSED;
    kept->stale = result->status == VL_CASE_FAILED && (seen->stale || may_be_stale(result));
    return vl_grading_tell(grading, result);
}

/* Cases that use other functions, once all of those have been graded. Those that were open until now have
 * been looked at with their causes. */
static enum vl_status point_to_needs(struct vl_grading *grading)
{
    enum vl_status status = VL_OK;
    for (size_t i = 0; i < grading->seen_count && status == VL_OK; i++)
        if (grading->seen[i].outputs == NULL)
            status = vl_grading_point_to_need(grading, &grading->verdict->cases[i],
                                              grading->seen[i].c, NULL);
    return status;
}

enum vl_status vl_grading_causes(struct vl_grading *grading)
{
    enum vl_status status = vl_grading_rejudge(grading);
    grading->all_seen = true;
    if (status == VL_OK && !vl_interrupt_seen())
        status = point_to_needs(grading);
    if (status == VL_OK && !vl_interrupt_seen())
        status = vl_grading_explain(grading);
    settle_idle(grading);
    show(grading);
    return status;
}

void vl_grading_forget(struct vl_grading *grading)
{
    vl_substitutes_free(&grading->substitutes);
    for (size_t i = 0; i < grading->seen_count; i++)
        vl_bag_free(grading->seen[i].outputs);
    for (int ranks = 0; ranks <= VL_BOARD_RANKS; ranks++)
        free(grading->folders[ranks]);
    free(grading->seen);
    free(grading->undone);
    grading->seen = NULL;
    grading->undone = NULL;
    grading->seen_count = 0;
}
