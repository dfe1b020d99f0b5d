/*
 * Why the open cases are wrong, from what is most certain to what is least:
 *
 *   it is right in a process of its own              experiment/fresh.h
 *   a known mistake gives the same numbers            diagnose/cause.h
 *   it uses a function that fails itself              grading.h
 *   a sign that leaves no question open               across_cases.h
 *   a small change of the reference gives the same    diagnose/machine.h
 *   what it is to fill would have to be zero          experiment/unset.h
 *   it sends as many bytes as one reason explains     bytes.h
 *   its numbers are in each other's places            across_cases.h
 *   it does not follow its inputs as it should        experiment/experiment.h
 *   other signs                                       across_cases.h
 *
 * When the function is right, and when it is wrong, is told after a sign or an experiment, too. So is where a
 * small change of the submission puts it right (experiment/repair.h).
 */
#include "grade/run/grading.h"

#include "base/text.h"
#include "grade/catalogue/maker.h"
#include "grade/diagnose/machine.h"
#include "grade/experiment/experiment.h"
#include "grade/experiment/fresh.h"
#include "grade/experiment/repair.h"
#include "grade/experiment/unset.h"
#include "grade/run/across_cases.h"
#include "grade/run/bytes.h"
#include "grade/run/instead/blame.h"
#include "grade/run/result.h"

#include <stdlib.h>
#include <string.h>

/* A mistake that cannot be read, or a machine that cannot run them, costs a student only the cause.
 * The tests find the former, other commands report the latter. */
static enum vl_status unless_memory(enum vl_status status)
{
    return status == VL_ENOMEM ? status : VL_OK;
}

static enum vl_status find_known(struct vl_grading *grading, struct vl_mistakes *mistakes)
{
    const struct vl_grade_request *request = grading->request;
    char *problem = NULL;
    enum vl_status status = vl_mistakes_read(mistakes, request->lab, &problem);
    free(problem);
    if (status == VL_OK)
        status = vl_causes_find(grading->seen, grading->seen_count, &request->origin, mistakes,
                                &grading->build.toolchain, &grading->other, grading->scratch,
                                &vl_search_by_hand, grading->sandbox.until);
    return unless_memory(status);
}

static enum vl_status find_by_machine(struct vl_grading *grading)
{
    return unless_memory(vl_machine_causes_find(
        grading->seen, grading->seen_count, &grading->request->origin, &grading->build.toolchain,
        &grading->other, grading->scratch, grading->sandbox.until));
}

/* What is still open and uses a function that fails will say just that: nothing more is sought. */
static enum vl_status set_aside_followers(struct vl_grading *grading)
{
    for (size_t i = 0; i < grading->seen_count; i++) {
        struct vl_seen_case *seen = &grading->seen[i];
        if (seen->outputs == NULL || seen->cause.code != NULL ||
            vl_grading_failing_need(grading, seen->c) == NULL)
            continue;
        char *message = strdup(_("The numbers are wrong."));
        if (message == NULL)
            return VL_ENOMEM;
        seen->cause = (struct vl_cause){.code = "wrong_values", .message = message};
    }
    return VL_OK;
}

typedef enum vl_status experiment_fn(struct vl_seen_case *cases, size_t count,
                                     const struct vl_laboratory *laboratory);

static enum vl_status experiment(struct vl_grading *grading, experiment_fn *how)
{
    const struct vl_laboratory laboratory = {.origin = &grading->request->origin,
                                             .sandbox = &grading->sandbox,
                                             .build = &grading->build,
                                             .program = grading->build.program,
                                             .sources = grading->build.folder,
                                             .scratch = grading->scratch,
                                             .results = grading->verdict->cases};
    return unless_memory(how(grading->seen, grading->seen_count, &laboratory));
}

static enum vl_status read_across(struct vl_grading *grading, enum vl_across what)
{
    return vl_across_cases(grading->seen, grading->seen_count, grading->verdict->cases,
                           &grading->request->origin, what);
}

static enum vl_status find(struct vl_grading *grading, struct vl_mistakes *mistakes)
{
    const struct vl_grade_request *request = grading->request;
    /* Under these tools, programs are others, or slow. */
    const bool plain = !request->asan && !request->gdb && !request->unexplained;
    const bool searches = plain && grading->build.toolchain.own != NULL;
    enum vl_status status = plain ? experiment(grading, vl_try_afresh) : VL_OK;
    if (status == VL_OK && searches)
        status = find_known(grading, mistakes);
    if (status == VL_OK)
        status = set_aside_followers(grading);
    if (status == VL_OK)
        status = read_across(grading, VL_ACROSS_CERTAIN);
    if (status == VL_OK && searches)
        status = find_by_machine(grading);
    if (status == VL_OK && plain)
        status = experiment(grading, vl_try_zeros);
    if (status == VL_OK)
        status = vl_byte_causes(grading);
    if (status == VL_OK)
        status = read_across(grading, VL_ACROSS_PATTERNS);
    if (status == VL_OK && searches)
        status = experiment(grading, vl_repair);
    if (status == VL_OK)
        status = read_across(grading, VL_ACROSS_PLACES);
    if (status == VL_OK && plain)
        status = experiment(grading, vl_experiment);
    return status == VL_OK ? read_across(grading, VL_ACROSS_SIGNS) : status;
}

static enum vl_status explain(struct vl_grading *grading, size_t i)
{
    struct vl_seen_case *seen = &grading->seen[i];
    const struct vl_case *c = seen->c;
    struct vl_bag *inputs = vl_case_inputs(c, &grading->request->origin);
    enum vl_status status = VL_ENOMEM;
    if (inputs != NULL)
        status = vl_explain(&grading->verdict->cases[i], c, inputs, seen->outputs,
                            seen->cause.code != NULL ? &seen->cause : NULL);
    /* Nobody is to look for a mistake that is not theirs. */
    if (status == VL_OK && seen->cause.code != NULL && seen->cause.by_few)
        vl_result_add(
            &grading->verdict->cases[i],
            strdup(_("Only a few numbers show this: another mistake may give the same ones.")));
    const char *known = seen->cause.message == NULL ? seen->cause.code : NULL;
    if (status == VL_OK)
        status = vl_across_cases_say(&grading->verdict->cases[i], seen);
    if (status == VL_OK)
        status = vl_blame_say(&grading->verdict->cases[i], seen);
    if (status == VL_OK)
        status = vl_grading_point_to_need(grading, &grading->verdict->cases[i], c, known);
    vl_bag_free(inputs);
    vl_bag_free(seen->outputs);
    free(seen->cause.message);
    free(seen->pattern.message);
    free(seen->repair.message);
    seen->outputs = NULL;
    seen->cause = seen->pattern = seen->repair = (struct vl_cause){0};
    return status;
}

/* A case that was closed. That it comes out right in a process of its own comes first, and what its function's
 * cases show together comes last. */
static enum vl_status explain_told(struct vl_grading *grading, size_t i)
{
    struct vl_seen_case *seen = &grading->seen[i];
    struct vl_case_result *result = &grading->verdict->cases[i];
    char *before = result->message != NULL ? strdup(result->message) : NULL;
    if (seen->cause.code != NULL && seen->cause.message != NULL) {
        char *printed = result->detail;
        result->detail = NULL;
        vl_result_set(result, result->status, seen->cause.code, "%s %s", seen->cause.message,
                      before != NULL ? before : "");
        result->detail = printed;
    }
    free(before);
    enum vl_status status = vl_across_cases_say(result, seen);
    if (status == VL_OK)
        status = vl_blame_say(result, seen);
    free(seen->cause.message);
    free(seen->pattern.message);
    free(seen->repair.message);
    seen->cause = seen->pattern = seen->repair = (struct vl_cause){0};
    return status;
}

enum vl_status vl_grading_explain(struct vl_grading *grading)
{
    struct vl_mistakes mistakes = {0};
    bool open = false;
    for (size_t i = 0; i < grading->seen_count; i++)
        open |= grading->seen[i].outputs != NULL || grading->seen[i].stale;
    enum vl_status status = open ? find(grading, &mistakes) : VL_OK;
    for (size_t i = 0; i < grading->seen_count && status == VL_OK; i++)
        if (grading->seen[i].outputs != NULL)
            status = explain(grading, i);
        else
            status = explain_told(grading, i);
    vl_mistakes_free(&mistakes);
    return status;
}
