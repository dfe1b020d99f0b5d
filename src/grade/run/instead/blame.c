#include "grade/run/instead/blame.h"

#include "base/text.h"
#include "grade/run/instead/rejudge.h"
#include "sandbox/interrupt.h"
#include "sandbox/process.h"

#include <stdlib.h>
#include <string.h>

static bool uses(const struct vl_case *c, const char *function)
{
    const char *used;
    for (size_t k = 0; (used = vl_rejudge_used(c, k)) != NULL; k++)
        if (strcmp(used, function) == 0)
            return true;
    return false;
}

/* Is a third function of the same file wrong? Then the mistake may be in what both of them share. */
static bool shares_fault(const struct vl_grading *grading, const struct vl_lab_function *function,
                         const struct vl_lab_function *other)
{
    const struct vl_lab *lab = grading->request->lab;
    for (size_t f = 0; f < lab->function_count; f++) {
        const struct vl_lab_function *third = &lab->functions[f];
        if (third != function && third != other && third->file != NULL &&
            strcmp(third->file, other->file) == 0 && vl_rejudge_is_wrong(grading, third))
            return true;
    }
    return false;
}

/* The failed cases of a function. False if one of them does not use the other one: it has a fault of its own.
 * Nor is anybody blamed where a function that it uses fails its own cases. */
static bool choose(bool *chosen, const struct vl_grading *grading, const char *function,
                   const char *other)
{
    bool any = false;
    for (size_t i = 0; i < grading->seen_count; i++) {
        const struct vl_case *c = grading->seen[i].c;
        chosen[i] =
            strcmp(c->function, function) == 0 && vl_rejudge_fails(&grading->verdict->cases[i]);
        if (chosen[i] && (!uses(c, other) || vl_grading_failing_need(grading, c) != NULL))
            return false;
        any |= chosen[i];
    }
    return any;
}

/* Do all chosen cases pass with the reference's function? */
static enum vl_status try_with(bool *passes, struct vl_rejudging *r, const bool *chosen,
                               const struct vl_lab_function *other)
{
    const struct vl_replacement what = {.file = other->file, .function = other};
    enum vl_status status = vl_grading_substitute(&r->program, r->grading, &what);
    *passes = false;
    return status == VL_OK ? vl_rejudge_run_all(passes, r, chosen) : status;
}

static enum vl_status find_for(struct vl_rejudging *r, const struct vl_lab_function *function,
                               bool *chosen)
{
    struct vl_grading *grading = r->grading;
    const struct vl_lab *lab = grading->request->lab;
    enum vl_status status = VL_OK;
    bool found = false;
    for (size_t f = 0; f < lab->function_count && status == VL_OK && !found; f++) {
        const struct vl_lab_function *other = &lab->functions[f];
        if (other != function && vl_rejudge_is_written(other) &&
            !vl_rejudge_is_wrong(grading, other) && vl_clock() < r->last_start &&
            other->file != NULL && !shares_fault(grading, function, other) &&
            choose(chosen, grading, function->name, other->name))
            status = try_with(&found, r, chosen, other);
        for (size_t i = 0; found && i < grading->seen_count; i++)
            if (chosen[i])
                grading->seen[i].blames = other->name;
    }
    return status;
}

enum vl_status vl_blame_find(struct vl_rejudging *r)
{
    const struct vl_lab *lab = r->grading->request->lab;
    bool *chosen = calloc(r->grading->seen_count + 1, sizeof *chosen);
    enum vl_status status = chosen != NULL ? VL_OK : VL_ENOMEM;
    for (size_t f = 0; f < lab->function_count && status == VL_OK && !vl_interrupt_seen(); f++)
        if (vl_rejudge_is_wrong(r->grading, &lab->functions[f]) ||
            vl_rejudge_pays_alone(r->grading, &lab->functions[f]))
            status = find_for(r, &lab->functions[f], chosen);
    free(chosen);
    return status;
}

enum vl_status vl_blame_say(struct vl_case_result *result, const struct vl_seen_case *seen)
{
    const bool known = seen->cause.code != NULL && seen->cause.message == NULL;
    if (seen->blames == NULL || known || result->message == NULL)
        return VL_OK;
    char *sentence = vl_text_format(
        _("With a correct %s instead of yours, this comes out right: look there first."),
        seen->blames);
    char *both = sentence != NULL ? vl_text_format("%s %s", sentence, result->message) : NULL;
    free(sentence);
    if (both == NULL)
        return VL_ENOMEM;
    free(result->message);
    result->message = both;
    return VL_OK;
}
